"""Renders a student's feedback page: the mark, the tests' messages, and the notebook as graded.

It is one self-contained HTML file, without scripts, links or requests; pictures are embedded. All
that the student wrote is escaped.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from softlookup_coursework.common.display_text import number, one_line, readable
from softlookup_coursework.common.explanations import explain, test_label
from softlookup_coursework.common.marks import Mark, Remark
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.feedback.rendering import Form, Renderer
from softlookup_coursework.feedback.shown_notebook import Output, Shown

# Longer code is not highlighted, and one page shows no more output than this.
LONGEST_HIGHLIGHTED = 20_000
WAITS, DECIDED = "A person decides", "Decided"
BY_A_PERSON = "your teacher has looked at this answer; the points of the cell say what came of it"
TEXT_CHARACTERS, PICTURE_CHARACTERS, OUTPUTS = 400_000, 8 * 2**20, 200


def page(title: str, mark: Mark, result: Result, cells: tuple[Shown, ...], render: Renderer) -> str:
    """Render the page.

    Args:
        title: of the assignment.
        mark: the student's mark, with a person's remarks.
        result: of the submission.
        cells: the notebook as graded; empty where there was none. The assignment's own cells are
            folded. If the file could not be read, no cells are shown.
        render: renders what the student wrote.

    Returns:
        The page's HTML.
    """
    remarks = {remark.cell: remark for remark in mark.remarks}
    cells = () if result.verdict == Verdict.UNREADABLE else cells
    headline, what, do = explain(result, mark.decided)
    anchors = {cell.name for cell in cells if cell.name}
    return _template().render(
        title=one_line(title),
        student=one_line(mark.full_name, 100),
        mark=mark,
        result=result,
        still=sum(c.points for c in result.cells if _open(c, remarks)) if mark.waits else 0,
        doubted=sum(
            result.in_doubt(c.cell)
            for c in result.cells
            if mark.waits and getattr(remarks.get(c.cell), "score", None) is None
        ),
        headline=headline,
        what=what,
        do=do,
        graded=[
            _graded(cell, remarks.get(cell.cell), anchors, result, cell.cell in mark.decided)
            for cell in result.cells
        ],
        notes=[readable(note, 500) for note in result.notes],
        cells=_notebook(cells, remarks, render),
    )


def _open(cell: CellResult, remarks: dict[str, Remark]) -> bool:
    """Whether a person still has to give points for a cell."""
    remark = remarks.get(cell.cell)
    return cell.earned is None and (remark is None or remark.score is None)


def _graded(
    cell: CellResult, remark: Remark | None, anchors: set[str], result: Result, decided: bool
) -> dict[str, object]:
    """One cell's part of the table; a test's message is omitted if it only repeats the verdict.

    Of a file that could not be read no test was tried, and none is listed.
    """
    why, tests = result.why, () if result.verdict == Verdict.UNREADABLE else cell.tests
    earned = remark.score if remark and remark.score is not None else cell.earned
    return {
        "name": one_line(cell.cell.replace("_", " "), 100),
        "anchor": cell.cell if cell.cell in anchors else "",
        "points": cell.points,
        "earned": earned,
        "by_hand": cell.earned is None,
        "corrected": cell.earned is not None and earned != cell.earned,
        "comment": readable(remark.comment) if remark else "",
        "tests": [
            _test(test, "" if test.message == why else test.message, decided) for test in tests
        ],
    }


def _test(test: TestResult, message: str, decided: bool) -> dict[str, object]:
    name, hidden = test_label(test.name)
    passed = test.earned >= test.points
    came = "Passed" if passed else "Not yet"
    if test.doubt and not passed:
        came, message = (DECIDED, BY_A_PERSON) if decided else (WAITS, message)
    return {
        "name": name,
        "hidden": hidden,
        "passed": passed,
        "came": came,
        "message": readable(message, 2_000),
        "earned": test.earned,
        "points": test.points,
    }


def _notebook(
    cells: tuple[Shown, ...], remarks: dict[str, Remark], render: Renderer
) -> list[dict[str, object]]:
    """The notebook's cells, with outputs up to the page's limits."""
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
                "body": _body(cell, render),
                "outputs": outputs,
                "comment": readable(remark.comment) if remark else "",
            }
        )
    return shown


def _body(cell: Shown, render: Renderer) -> Markup:
    """A cell's source as HTML: Markdown rendered, code highlighted, the rest as typed."""
    source = cell.source
    if cell.kind != "markdown":
        source = readable(source, 5 * LONGEST_HIGHLIGHTED)
    if cell.kind == "raw" or (cell.kind == "code" and len(source) > LONGEST_HIGHLIGHTED):
        return escape(source) if cell.given else render.plain(source)
    form: Form = "html" if cell.kind == "markdown" else "code"
    return render.given(form, source) if cell.given else render(form, source)


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
