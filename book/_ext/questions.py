"""The predictions of the book as questions with answers, for the systems in which courses are held.

They are read from the pages' own trees, in which ``predict.py`` has taken each prediction apart.
Words become HTML of the plainest kind, and a formula what its caller makes of its TeX. The marks
of claims are left out: they lead to what only the page has.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from contents import Chapter
from docutils import nodes
from predict import answer_of

# In place of a mark while a paragraph is written, so that the space before it goes too.
MARK = "\0"
BARE = re.compile(r"\([a-d]\)\.?")
TAGS = {nodes.emphasis: "em", nodes.strong: "strong"}

Formula = Callable[[str], str]


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from; its words begin with its letter, as those of its reason.

    Attributes:
        letter: "a" to "d".
        text: what it says, as HTML.
        reason: why it is right, or why it is not, as HTML, a string a paragraph.
        right: whether it is what was measured.
    """

    letter: str
    text: str
    reason: tuple[str, ...]
    right: bool


@dataclass(frozen=True)
class Question:
    """A prediction.

    Attributes:
        id: the chapter's id and the prediction's number in it.
        section: the heading beneath which it is asked.
        asked: the question, as HTML, a string a paragraph.
        options: what can be chosen.
    """

    id: str
    section: str
    asked: tuple[str, ...]
    options: tuple[Option, ...]


def inline(node: nodes.Node, formula: Formula) -> str:
    """A node within a paragraph, as HTML.

    Raises:
        ValueError: if it is of a kind that the banks have no form for.
    """
    if isinstance(node, nodes.Text):
        return escape(str(node))
    if "claim-mark" in node.get("classes", []):
        return MARK
    if isinstance(node, nodes.math):
        return formula(node.astext())
    if isinstance(node, nodes.literal):
        return f"<code>{escape(node.astext())}</code>"
    within = "".join(inline(child, formula) for child in node.children)
    if tag := TAGS.get(type(node)):
        return f"<{tag}>{within}</{tag}>"
    # Wherever a link leads, the words stand alone in a question.
    if isinstance(node, nodes.reference | nodes.inline) or node.tagname == "pending_xref":
        return within
    raise ValueError(f"a prediction has a {node.tagname}; expected words, formulas and code")


def words(paragraph: nodes.Element, formula: Formula) -> str:
    """A paragraph as HTML, without the marks of claims, which some reasons consist of."""
    written = "".join(inline(child, formula) for child in paragraph.children)
    text = " ".join(re.sub(rf"\s*{MARK}", "", written).split())
    return f"{text.rstrip('.')} is what was measured." if BARE.fullmatch(text) else text


def _paragraphs(element: nodes.Element, formula: Formula) -> tuple[str, ...]:
    wrong = [child.tagname for child in element.children if not isinstance(child, nodes.paragraph)]
    if wrong:
        raise ValueError(f"a prediction's reason has {wrong}; expected paragraphs")
    return tuple(words(child, formula) for child in element.children)


def _lettered(element: nodes.Element, kind: str) -> str:
    (name,) = [each for each in element["classes"] if each.startswith(f"{kind}-")]
    return name[-1]


def read_question(asked: nodes.admonition, number: int, chapter: str, formula: Formula) -> Question:
    """A prediction that was taken apart.

    Raises:
        ValueError: if something of it has no form here.
    """
    reasons = {
        part["letter"]: _paragraphs(part, formula)
        for part in answer_of(asked).children
        if "reason" in part.get("classes", [])
    }
    measured = _lettered(asked, "measured")
    options = []
    for item in asked.findall(nodes.list_item):
        letter = _lettered(item, "option")
        (text,) = _paragraphs(item, formula)
        options.append(Option(letter, text, reasons[letter], letter == measured))
    paragraphs = [each for each in asked.children if isinstance(each, nodes.paragraph)]
    section: nodes.Node = asked
    while not isinstance(section, nodes.section):
        section = section.parent
    return Question(
        id=f"{chapter}-{number}",
        section=section.children[0].astext(),
        asked=tuple(words(each, formula) for each in paragraphs),
        options=tuple(options),
    )


def questions_of(tree: nodes.document, chapter: Chapter, formula: Formula) -> list[Question]:
    """The predictions of a chapter, in their order."""
    asked = [each for each in tree.findall(nodes.admonition) if "predict" in each["classes"]]
    return [read_question(each, at, chapter.id, formula) for at, each in enumerate(asked, start=1)]
