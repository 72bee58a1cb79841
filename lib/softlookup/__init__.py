"""The library of Soft Lookup, a course on Transformers: one file an idea, named by the idea.

Nothing is gathered here: a chapter imports each name from the file that explains it, as in
``from softlookup.layers.attention import attention``. CONTRIBUTING.md says what lies in which
folder.
"""

__version__ = "0.1.0"
