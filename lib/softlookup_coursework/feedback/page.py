"""The page that a student gets back: the mark, what each test found, and the notebook as graded.

One HTML file that needs nothing else and asks for nothing: no script, no address, no picture but
those that it holds. What the student wrote is text in it, whatever it looks like.
"""

from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from softlookup_coursework.common.marks import Mark, Remark
from softlookup_coursework.common.readable import number, one_line, readable
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.common.words import said, test_words
from softlookup_coursework.feedback.markup import to_html
from softlookup_coursework.feedback.shown_notebook import Output, Shown

# What is coloured, and what one page shows of a flood.
LONGEST_COLOURED = 20_000
TEXT_CHARACTERS, PICTURE_CHARACTERS, OUTPUTS = 400_000, 8 * 2**20, 200


def page(title: str, mark: Mark, result: Result, cells: tuple[Shown, ...]) -> str:
    """Make the page.

    Args:
        title: the assignment's.
        mark: the student's mark, with a person's remarks.
        result: what the grading found.
        cells: the notebook as graded; empty where there was none. What the assignment itself
            says in it is folded; of a file that could not be read, there is nothing to show.

    Returns:
        The page's HTML.
    """
    remarks = {remark.cell: remark for remark in mark.remarks}
    cells = () if result.verdict == Verdict.UNREADABLE else cells
    headline, what, do = said(result)
    anchors = {cell.name for cell in cells if cell.name}
    return _template().render(
        title=one_line(title),
        student=one_line(mark.full_name, 100),
        mark=mark,
        result=result,
        still=sum(c.points for c in result.cells if _open(c, remarks)) if mark.waits else 0,
        headline=headline,
        what=what,
        do=do,
        graded=[
            _graded(cell, remarks.get(cell.cell), anchors, result.why) for cell in result.cells
        ],
        notes=[readable(note, 500) for note in result.notes],
        cells=_notebook(cells, remarks),
    )


def _open(cell: CellResult, remarks: dict[str, Remark]) -> bool:
    """Whether a person still has to give points for a cell."""
    remark = remarks.get(cell.cell)
    return cell.earned is None and (remark is None or remark.score is None)


def _graded(
    cell: CellResult, remark: Remark | None, anchors: set[str], why: str
) -> dict[str, object]:
    """One cell's part of the table; what the verdict says already is not said with each test."""
    earned = remark.score if remark and remark.score is not None else cell.earned
    return {
        "name": one_line(cell.cell.replace("_", " "), 100),
        "anchor": cell.cell if cell.cell in anchors else "",
        "points": cell.points,
        "earned": earned,
        "by_hand": cell.earned is None,
        "corrected": cell.earned is not None and earned != cell.earned,
        "comment": readable(remark.comment) if remark else "",
        "tests": [_test(test, "" if test.message == why else test.message) for test in cell.tests],
    }


def _test(test: TestResult, message: str) -> dict[str, object]:
    name, hidden = test_words(test.name)
    return {
        "name": name,
        "hidden": hidden,
        "passed": test.earned >= test.points,
        "message": readable(message, 2_000),
        "earned": test.earned,
        "points": test.points,
    }


def _notebook(cells: tuple[Shown, ...], remarks: dict[str, Remark]) -> list[dict[str, object]]:
    """The notebook's cells; of the outputs as many as one page can bear."""
    shown: list[dict[str, object]] = []
    text, pictures = TEXT_CHARACTERS, PICTURE_CHARACTERS
    for place, cell in enumerate(cells, start=1):
        outputs: list[Output] = []
        for output in cell.outputs[:OUTPUTS]:
            if output.kind == "picture":
                pictures -= len(output.content)
                left_out = Output("text", "(a picture was left out: there are too many)")
                outputs.append(output if pictures >= 0 else left_out)
            elif text > 0:
                words = readable(output.content, min(20_000, text))
                text -= len(words)
                outputs.append(replace(output, content=words))
        if len(cell.outputs) > len(outputs):
            outputs.append(Output("text", "… and more, which is left out"))
        remark = remarks.get(cell.name)
        shown.append(
            {
                "place": place,
                "name": one_line(cell.name.replace("_", " "), 100),
                "anchor": cell.name,
                "kind": cell.kind,
                "given": cell.given,
                "body": (_given_body if cell.given else _body)(cell.kind, cell.source),
                "outputs": outputs,
                "comment": readable(remark.comment) if remark else "",
            }
        )
    return shown


def _body(kind: str, source: str) -> Markup:
    """A cell's source: Markdown rendered, code coloured, the rest as it was typed."""
    if kind == "markdown":
        return to_html(source)
    source = readable(source, 5 * LONGEST_COLOURED)
    if kind == "code" and len(source) <= LONGEST_COLOURED:
        coloured = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
        # Pygments has escaped what it coloured.
        return Markup(coloured)
    return escape(source)


# What the assignment says is the same in a thousand notebooks.
_given_body = lru_cache(maxsize=64)(_body)


@cache
def _template() -> Template:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    return environment.get_template("feedback.html.j2")
