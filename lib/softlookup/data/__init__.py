"""Data that the course makes for itself, so that no chapter downloads anything.

``numerals`` is the translation task that runs through the book, ``recall`` asks how far back a
model remembers, ``edition`` is the text of the language models: the prose of this book.
"""
