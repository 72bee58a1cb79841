"""Predictions that can be answered in the page.

A chapter asks in an admonition of class ``predict`` and answers in the dropdown behind it, with a
reason for each option. Here both are taken apart: the options become a list, the answer a part for
each option, and the question learns from the stored outputs what was measured. The page then
reads well as it stands, and ``predict.js`` can put the pieces together for whoever answers.
"""

import re

from contents import book_chapters
from docutils import nodes
from lettered import Part, parts_of
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger
from tally import add_tally

logger = getLogger(__name__)

MEASURED = re.compile(r"^Measured: \((?P<letter>[a-d])\)", re.MULTILINE)


def options_of(question: nodes.admonition) -> tuple[nodes.Element, list[Part]]:
    """The paragraph that holds the question's options, and the options.

    Raises:
        ValueError: if no paragraph begins with "(a)".
    """
    for paragraph in question.findall(nodes.paragraph):
        options = list(parts_of(paragraph))
        if options and options[0][0] == "a":
            return paragraph, options
    raise ValueError("the prediction has no paragraph that begins with (a)")


def answer_of(question: nodes.admonition) -> nodes.container:
    """The dropdown with the answer: the next one that is called so.

    Raises:
        ValueError: if there is none in the question's section.
    """
    siblings = question.parent.children
    for node in siblings[siblings.index(question) + 1 :]:
        dropdown = isinstance(node, nodes.container) and node.get("design_component") == "dropdown"
        if dropdown and node.children and node.children[0].astext().startswith("Answer"):
            return node
    raise ValueError("the prediction has no dropdown with an answer behind it")


def divide(answer: nodes.container, wanted: list[str]) -> None:
    """Put the reason for each option into a part of its own.

    Raises:
        ValueError: if an option has no reason, or two.
    """
    reasons: list[nodes.container] = []
    for child in list(answer.children[1:]):
        answer.remove(child)
        parts = list(parts_of(child)) if isinstance(child, nodes.paragraph) else [("", [child])]
        for letter, found in parts:
            if letter and letter not in "".join(reason["letter"] for reason in reasons):
                classes = ["reason", f"reason-{letter}"]
                reasons.append(nodes.container("", classes=classes, letter=letter))
            if not reasons:
                raise ValueError("the answer does not begin with what came out, as in (b)")
            inline = isinstance(child, nodes.paragraph)
            reasons[-1] += nodes.paragraph("", "", *found) if inline else found
    letters = [reason["letter"] for reason in reasons]
    if sorted(letters) != sorted(wanted):
        raise ValueError(f"the answer gives reasons for {letters}; expected one for each {wanted}")
    answer += reasons


def measured_after(question: nodes.admonition, document: nodes.document) -> tuple[str, nodes.Node]:
    """What came out, and the output that says so.

    Raises:
        ValueError: if no cell behind the question says it.
    """
    seen = False
    for node in document.findall():
        seen = seen or node is question
        output = isinstance(node, nodes.literal_block) and "output" in node["classes"]
        if seen and output and (match := MEASURED.search(node.astext())):
            return match["letter"], node
    raise ValueError("no cell behind the prediction says what was measured")


def take_apart(question: nodes.admonition, document: nodes.document, name: str) -> None:
    """Make a question, its options and its answer into what the page can put together.

    Raises:
        ValueError: if something is missing, with what was expected.
    """
    paragraph, options = options_of(question)
    letter, output = measured_after(question, document)
    answer = answer_of(question)
    divide(answer, [option for option, _ in options])
    if answer.children[1]["letter"] != letter:
        raise ValueError(f"the answer begins with another option than was measured, ({letter})")
    items = [
        nodes.list_item("", nodes.paragraph("", "", *found), classes=["option", f"option-{option}"])
        for option, found in options
    ]
    paragraph.replace_self(nodes.bullet_list("", *items, classes=["options"]))
    question["ids"].append(f"predict-{name}")
    question["classes"].append(f"measured-{letter}")
    answer["container_classes"] = [*answer.get("container_classes", []), "answer"]
    output["ids"].append(f"measured-{name}")


def set_predictions(app: Sphinx, doctree: nodes.document) -> None:
    """Take apart each prediction of a chapter, and make room for the tally at its end."""
    docname = app.env.docname
    questions = [each for each in doctree.findall(nodes.admonition) if "predict" in each["classes"]]
    if not questions:
        return
    chapter = next(each for each in book_chapters(app) if each.docname == docname)
    for number, question in enumerate(questions, start=1):
        try:
            take_apart(question, doctree, f"{chapter.id}-{number}")
        except ValueError as fault:
            logger.warning("%s", fault, location=question)
    add_tally(app, doctree, chapter)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    # Before the outputs are set by what they are.
    app.connect("doctree-read", set_predictions, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
