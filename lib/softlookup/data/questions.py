"""Questions with their answers: the terms of this book's glossary, and numbers in words.

The chapter on answers fine-tunes a model of the book's prose on them. The glossary is that of the
frozen edition, so the model has read each definition, but never a question before it. What a term
means has to be known; how a number is written follows a rule.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from softlookup.data import edition, numerals

# The edition names the chapter that introduces a term behind its definition.
_CHAPTER = re.compile(r" Chapters? \d+[^.]*\.$")
_CLAUSE_END = re.compile(r"(?<=[.;:])\s")
_FEW_WORDS = 5


@dataclass(frozen=True)
class Question:
    """A question and the answer to it.

    Attributes:
        about: what is asked for: a term, or a number in words.
        prompt: the question, with the line ends behind it.
        answer: the answer, with the line end that finishes it.
    """

    about: str
    prompt: str
    answer: str


def what_is(term: str) -> str:
    """The question for a term, as a paragraph."""
    return f'What does "{term}" mean?\n\n'


def in_digits(words: str) -> str:
    """The question for a number in words, as a line."""
    return f"{words}, in digits?\n"


def glossary() -> tuple[Question, ...]:
    """The terms of the edition's glossary; the answer is the beginning of its definition.

    Raises:
        ValueError: if the edition is not the one that the book's numbers rest on.
    """
    paragraphs = edition.pages()["Glossary"].split("\n\n")[2:]
    return tuple(
        Question(term, what_is(term), _beginning(_CHAPTER.sub("", after)))
        for term, after in pairwise(paragraphs)
        # A definition is a sentence and a term is not. Where a definition is a formula alone, the
        # edition has left it out, and a term follows a term.
        if after.endswith(".")
    )


def number(value: int) -> Question:
    """A number below a million, asked for in English words and answered in digits.

    Raises:
        ValueError: if the number is negative or above 999,999.
    """
    words = " ".join(numerals.english(value))
    return Question(words, in_digits(words), f"{value}\n")


def _beginning(definition: str) -> str:
    """As many clauses of a definition as make a few words, as one sentence with its line end."""
    clauses = _CLAUSE_END.split(definition)
    said = next(
        (
            joined
            for count in range(1, len(clauses))
            if len((joined := " ".join(clauses[:count])).split()) >= _FEW_WORDS
        ),
        definition,
    )
    first = said[0].upper() if said[:2].isalpha() else said[0]
    return first + said[1:].rstrip(".;:") + ".\n"
