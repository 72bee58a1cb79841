"""Data that the course makes for itself, so that no chapter downloads anything.

``numerals`` is the translation task that runs through the book, ``recall`` asks how far back a
model remembers, ``python_manual`` is the text of the language models.
"""
