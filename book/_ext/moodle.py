r"""Questions as Moodle's XML: a category for each chapter, a question for each prediction.

https://docs.moodle.org/en/Moodle_XML_format says what each element means. Formulas stand as TeX in
``\(…\)``, which a Moodle sets as it is installed.
"""

from collections.abc import Iterable
from html import escape
from xml.etree import ElementTree

from contents import Chapter
from questions import Question

ROOT = "$course$/top/Soft Lookup: predictions"


def formula(tex: str) -> str:
    """A formula, as Moodle's filter looks for it."""
    return escape(f"\\({tex}\\)")


def _texts(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(ElementTree.SubElement(parent, tag, attributes), "text").text = text


def _html(paragraphs: Iterable[str]) -> str:
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def add_question(quiz: ElementTree.Element, question: Question, chapter: Chapter) -> None:
    """Add a question; its options keep their order, since the reasons name their letters."""
    item = ElementTree.SubElement(quiz, "question", type="multichoice")
    number = question.id.rpartition("-")[2]
    _texts(item, "name", f"{chapter.number:02}.{number} {question.section}")
    _texts(item, "questiontext", _html(question.asked), format="html")
    where = f"Measured in chapter {chapter.number} of Soft Lookup, {chapter.title}."
    _texts(item, "generalfeedback", f"<p>{escape(where)}</p>", format="html")
    settings = {
        "defaultgrade": "1",
        "penalty": "1",
        "hidden": "0",
        "idnumber": question.id,
        "single": "true",
        "shuffleanswers": "false",
        "answernumbering": "none",
    }
    for tag, value in settings.items():
        ElementTree.SubElement(item, tag).text = value
    for option in question.options:
        share = "100" if option.right else "0"
        answer = ElementTree.SubElement(item, "answer", fraction=share, format="html")
        ElementTree.SubElement(answer, "text").text = _html([option.text])
        _texts(answer, "feedback", _html(option.reason), format="html")


def moodle_xml(chapters: Iterable[tuple[Chapter, list[Question]]]) -> bytes:
    """The whole bank, to be imported as one file."""
    quiz = ElementTree.Element("quiz")
    for chapter, questions in chapters:
        category = ElementTree.SubElement(quiz, "question", type="category")
        # A slash within a name is doubled, for one alone divides categories.
        title = chapter.title.replace("/", "//")
        _texts(category, "category", f"{ROOT}/{chapter.number:02} {title}")
        for question in questions:
            add_question(quiz, question, chapter)
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True) + b"\n"
