"""What formgrader shows a teacher: its own input fields, and harmless content of the student."""

import html
import json
import re
import stat
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from outgoing import (
    AFAR,
    EVERYTHING,
    HOSTILE,
    a_result,
    drawn,
    graded_cell,
    png,
    printed,
    write_result,
)
from softlookup_coursework.assignments.assignment import Assignment, Given
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.feedback import autograded
from traitlets.config import Config

RUBRIC = "## Rubric\n\n| points | what |\n|---|---|\n| 5 | says why |"
ASSIGNMENT = Assignment(
    "positions",
    (
        Given("title", "markdown", "# Positions\n\n**Two** hours. $a_i$", "given"),
        Given("answer", "code", "...", "answer"),
        Given("rows", "code", "# 13 points", "tests", 13),
        Given("essay", "markdown", "", "by hand", 5),
    ),
    rubric=RUBRIC,
)
HOST = "https://course.invalid"
# A stand-in for the MathJax that formgrader loads from another host: what formgrader calls.
MATHJAX = """window.MathJax = {Hub: {
  Config() {}, Queue() {},
  Startup: {signal: {Interest(callback) { setTimeout(callback, 0, 'End'); }}},
}};"""
LOOK = """() => {
  const found = window.acted ? ['it ran: ' + window.acted] : [];
  const links = 'link, meta, base, a:not(.anchor-link)';
  const bad = `script, iframe, object, embed, svg, math, form, video, style, ${links}`;
  for (const cell of document.querySelectorAll('.text_cell_render, .output, .input_area')) {
    for (const e of cell.querySelectorAll(bad)) found.push(e.outerHTML.slice(0, 200));
    for (const e of cell.querySelectorAll('*')) {
      for (const a of e.attributes) {
        if (a.name.startsWith('on') || a.name === 'style') found.push(e.outerHTML.slice(0, 200));
      }
    }
  }
  return found;
}"""


def published(course, result, cells=None):
    write_result(course, "positions", "ada", result, cells)
    (path,) = autograded.publish(course, ASSIGNMENT)
    return path, nbformat.read(path, 4)


def rendered(path):
    """The page that formgrader makes of a notebook, with its own template."""
    config = Config()
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    resources = {
        "assignment_id": "positions", "notebook_id": "positions", "submission_id": "s1",
        "index": 0, "total": 1, "base_url": HOST, "student": "ada", "last_name": None,
        "first_name": None, "notebook_path": "autograded/ada/positions/positions.ipynb",
    }  # fmt: skip
    return HTMLExporter(config=config).from_filename(str(path), resources=resources)[0]


class Formgrader:
    """A page of formgrader in a browser, with its own scripts and a small gradebook."""

    def __init__(self, browser, html):
        self.html, self.asked, self.faults = html, [], []
        self.libraries = set(re.findall(r'<script src="(https://[^"]+MathJax[^"]+)">', html, re.I))
        self.page = browser.new_page(viewport={"width": 1200, "height": 900})
        self.page.set_default_timeout(240_000)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda dialog: (self.faults.append("dialog"), dialog.dismiss()))
        self.page.route("**/*", self.answer)
        self.page.goto(f"{HOST}/formgrader/submissions/s1/")
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_function("window.MathJax && MathJax.loaded")

    def answer(self, route):
        url = route.request.url
        static = Path(handlers.static_path) / url.partition("/static/")[2].partition("?")[0]
        names = [("g1", "rows", 7), ("g2", "essay", None)]
        if url in self.libraries:
            route.fulfill(body=MATHJAX, content_type="text/javascript")
        elif not url.startswith(HOST):
            route.abort()
        elif "/static/" in url and static.is_file():
            route.fulfill(path=static)
        elif "/api/grades" in url:
            route.fulfill(json=[
                {"id": i, "name": n, "max_score": 13, "manual_score": None, "auto_score": a,
                 "extra_credit": None, "needs_manual_grade": a is None} for i, n, a in names
            ])  # fmt: skip
        elif "/api/comments" in url:
            comment = {"id": "c1", "name": "essay", "auto_comment": None, "manual_comment": "Ah."}
            route.fulfill(json=[comment])
        elif "/submissions/s1/" in url:
            route.fulfill(body=self.html, content_type="text/html")
        else:
            route.fulfill(status=404, body="")

    def afar(self):
        """Requests to hosts other than formgrader and that of the library in its template."""
        ours = (HOST, "data:", *self.libraries)
        return [url for url in self.asked if not url.startswith(ours)]


GRADED = [
    graded_cell("# Mine", "markdown", "title"),
    graded_cell("answer = 1", name="answer", outputs=[printed("1\n"), drawn(image_png=png())]),
    graded_cell("own = 2"),
    graded_cell("# 13 points", name="rows", outputs=[printed("rows_sum_to_one: passed")]),
    graded_cell("It **decides** [here](https://a.b).", "markdown", "essay"),
]


def test_names_and_points_match_the_gradebook_and_the_rubric_precedes_the_answer(tmp_path):
    _, notebook = published(tmp_path, a_result(), GRADED)
    nbformat.validate(notebook)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    assert names == [None, "title", "answer", None, "rows", None, "essay"]
    verdict, title, answer, own, rows, rubric, essay = notebook.cells
    assert "7 of 13 points from the tests" in re.sub(r"&#(\d+);", lambda m: chr(int(m[1])),
                                                    verdict.source)  # fmt: skip
    assert title.source.startswith("# Positions")
    assert rubric.source == RUBRIC
    assert rubric.metadata == {"editable": False, "deletable": False}
    roles = ("grade", "locked", "solution", "task")
    assert [rows.metadata.nbgrader[role] for role in roles] == [True, True, False, False]
    assert [essay.metadata.nbgrader[role] for role in roles] == [True, False, True, False]
    assert (rows.metadata.nbgrader.points, essay.metadata.nbgrader.points) == (13, 5)
    assert answer.outputs[1].data["image/png"] == png()
    assert "nbgrader" not in own.metadata


def test_formgrader_shows_the_notebook_and_accepts_points(tmp_path, browser):
    path, _ = published(tmp_path, a_result(), GRADED)
    opened = Formgrader(browser, rendered(path))
    page = opened.page
    assert page.locator("input#essay").count() == 1
    assert page.locator("textarea#essay-comment").input_value() == "Ah."
    assert page.locator("input#rows").get_attribute("placeholder") == "7"
    text = page.inner_text("#notebook")
    assert "It decides here (https://a.b)." in text
    assert "says why" in text
    page.close()


def hostile():
    """A page with hostile content in every place that a student can write to."""
    outputs = [
        printed(EVERYTHING), drawn(text_html=EVERYTHING, text_plain=EVERYTHING),
        drawn(image_png="PHN2ZyBvbmxvYWQ9ImFjdGVkPTEiPg=="), drawn(image_svg=EVERYTHING),
    ]  # fmt: skip
    cells = [graded_cell("x", name="answer", outputs=outputs)]
    for source in (*HOSTILE, EVERYTHING):
        cells += [graded_cell(source, kind) for kind in ("markdown", "raw", "code")]
    for text in HOSTILE:
        # A blank line would end a block of HTML, and Markdown would begin again.
        cells.append(graded_cell(f"a\n\n\n{text}\n\n{text}\n\n- {text}\n\n> {text}", "markdown"))
    cells.append(graded_cell(EVERYTHING, "markdown", "essay"))
    # A cell that claims a name again, and hostile metadata.
    cells.append(graded_cell(EVERYTHING, "markdown", "essay"))
    cells.append(graded_cell(EVERYTHING, "markdown", "title"))
    cells.append(graded_cell(EVERYTHING, name='"><script>window.acted = 1</script>'))
    for cell in cells:
        cell["id"] = '"><script>window.acted = 1</script>'
        cell["attachments"] = {"a.svg": {"image/svg+xml": HOSTILE[2]}}
        cell["metadata"] |= {
            "tags": [HOSTILE[0]], "raw_mimetype": "text/html", "magics_language": HOSTILE[0],
            "jupyter": {"source_hidden": True},
        }  # fmt: skip
    return cells


def test_hostile_content_does_nothing_in_the_teachers_browser(tmp_path, browser):
    path, notebook = published(tmp_path, a_result(Verdict.TIMED_OUT, EVERYTHING), hostile())
    nbformat.validate(notebook)
    opened = Formgrader(browser, rendered(path))
    opened.page.wait_for_timeout(300)
    assert opened.page.evaluate(LOOK) == []
    assert opened.afar() == []
    assert opened.faults == []
    assert opened.page.locator("input#essay").count() == 1
    ignored = ".text_cell_render > div.tex2jax_ignore"
    assert opened.page.locator(ignored).count() > 2 * len(HOSTILE)
    assert "window.acted" in opened.page.inner_text("#notebook")
    opened.page.close()


def test_the_hostile_content_acts_in_formgrader_if_it_is_not_sanitized(tmp_path, browser):
    path, notebook = published(tmp_path, a_result(), GRADED)
    notebook.cells[-1].source = HOSTILE[1]
    nbformat.write(notebook, path)
    opened = Formgrader(browser, rendered(path))
    opened.page.wait_for_timeout(300)
    assert opened.page.evaluate(LOOK)
    assert any(url.startswith(AFAR) for url in opened.afar())
    opened.page.close()


def test_a_huge_table_does_not_keep_the_teachers_own_process_busy(tmp_path):
    table = "a|" * 600 + "\n" + "-|" * 600 + "\n" + "a\n" * 2400
    _, notebook = published(tmp_path, a_result(), [graded_cell(table, "markdown", "essay")])
    (essay,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("points") == 5]
    text = html.unescape(essay.source)
    assert "(This text is shown as it was typed: its table would have more than 2,000" in text
    assert len(essay.source) < 100_000


def test_a_students_text_contains_no_markup_for_any_markdown_renderer(tmp_path):
    _, notebook = published(tmp_path, a_result(), hostile())
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source not in (RUBRIC, ASSIGNMENT.cells[0].source):
            assert "\n" not in cell.source
            bare = re.sub(r"</?[a-z]+>|&#\d+;", "", cell.source[len('<div class="tex2jax_ignore '
                          'mathjax_ignore">'):])  # fmt: skip
            assert re.fullmatch(r"[A-Za-z0-9 ]*", bare)


@pytest.mark.parametrize("cells", [None, []])
def test_an_unreadable_submission_is_shown_unanswered_with_its_verdict(tmp_path, cells):
    _, notebook = published(tmp_path, a_result(Verdict.UNREADABLE, "not valid JSON"), cells)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    assert names == [None, "title", "answer", "rows", None, "essay"]
    assert "not valid JSON" in notebook.cells[0].source
    assert notebook.cells[2].source == ""


def test_the_notebook_is_readable_by_its_owner_only(tmp_path):
    path, _ = published(tmp_path, a_result(), GRADED)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "autograded").stat().st_mode) == 0o700
    assert json.loads(path.read_text())["nbformat_minor"] == 5
