"""Every submission's feedback page shows the marks, is readable, and is harmless."""

import re
import stat
import subprocess

import pytest
from outgoing import (
    AFAR,
    EVERYTHING,
    HOSTILE,
    a_result,
    drawn,
    graded_cell,
    png,
    printed,
    what_acted,
    write_result,
)
from softlookup_coursework.common.explanations import assignment_title, explain
from softlookup_coursework.common.marks import Mark, Remark
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.feedback import rendering
from softlookup_coursework.feedback.feedback import publish
from softlookup_coursework.intake.collect import collect

from reading import read_as_all  # isort: skip

NOTEBOOK = [
    graded_cell("# Positions\n\n*Two* hours.", "markdown", "title", locked=True),
    graded_cell(
        "def slopes(heads):  # of 2\n    return 2.0 ** -heads\n",
        name="answer",
        outputs=[printed("0.25\n"), drawn(image_png=png(300, 200))],
    ),
    graded_cell(
        "# 13 points", name="rows", outputs=[printed("rows_sum_to_one: passed (7 points)")]
    ),
    graded_cell("The slope **decides**.\n\n- far\n- near", "markdown", "essay"),
]
CSP = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def mark(student, result, by_hand=None, **others):
    earned = result.earned + (by_hand or 0)
    return Mark(
        student, "positions", result.earned, by_hand, earned, result.points, result.verdict,
        result.why, **others,
    )  # fmt: skip


def published(course, result, cells=None, student="ada", **others):
    """Publish one submission, and return its row and its page's text."""
    write_result(course, "positions", student, result, cells)
    marks = [mark(student, result, **others)] if others else []
    (row,) = publish(course, "positions", marks)
    return row, row.path.read_text()


def test_the_page_shows_the_mark_the_tests_and_the_teachers_comments(tmp_path, browser):
    remarks = (Remark("essay", 4.5, "Well put.\nWhy not 1/h?"),)
    row, _ = published(
        tmp_path, a_result(notes=["the cell setup was missing"]), NOTEBOOK, by_hand=4.5,
        remarks=remarks, first_name="Ada", last_name="Lovelace",
    )  # fmt: skip
    found, text = what_acted(browser, row.path)
    assert not found
    assert "Feedback for Ada Lovelace" in text
    assert "11.5 of 18 points" in text
    assert "1 of 2 tests passed" in text
    for words in (
        "Passed rows sum to one", "Not yet slopes (a hidden test)", "the last one is missing",
        "7 / 13", "4.5 / 5", "Well put.\nWhy not 1/h?", "the cell setup was missing",
        "rows_sum_to_one: passed (7 points)", "return 2.0 ** -heads",
    ):  # fmt: skip
        assert words in text, words
    assert row.final
    assert row.path == tmp_path / "feedback" / "ada" / "positions" / "positions.html"


@pytest.mark.parametrize(
    ("earned", "sentence"),
    [
        ((0, 0), "None of the 2 tests passed; each says below what it found."),
        ((0, 1), "1 of 2 tests passed; each of the others says below what it found."),
        ((1, 1), "to bottom, and every test passed."),
    ],
)
def test_the_page_counts_the_tests_that_passed(earned, sentence):
    tests = tuple(TestResult(f"hidden.{i}", 1, got, "") for i, got in enumerate(earned))
    result = Result(Verdict.GRADED, "", (CellResult("slopes", 2, sum(earned), tests),))
    assert explain(result)[1].endswith(sentence)


def test_the_page_says_that_a_mark_is_not_final(tmp_path):
    row, html = published(tmp_path, a_result(), NOTEBOOK)
    assert not row.final
    assert "points so far" in html
    assert "Up to 5 points more" in html


def test_a_corrected_cell_shows_the_persons_points(tmp_path):
    remarks = (Remark("rows", 13.0, "My test was wrong."), Remark("essay", 5.0))
    _, html = published(tmp_path, a_result(), NOTEBOOK, by_hand=11.0, remarks=remarks)
    assert "corrected by hand" in html
    assert "13 / 13" in html


def test_a_doubt_that_a_person_has_settled_is_told_as_settled(tmp_path):
    tests = (
        TestResult("visible.rows", 3, 3.0, ""),
        TestResult("hidden.sums", 4, 0.0, "the test passes; a person decides", "cell 3 uses exec"),
    )
    result = Result(Verdict.GRADED, "", (CellResult("rows", 7, 3.0, tests),))
    _, html = published(tmp_path, result, by_hand=None, remarks=())
    assert "A person decides</span>" in html
    assert "your teacher decides" in html
    assert "Not yet" not in html
    given = (Remark("rows", 7.0),)
    _, html = published(tmp_path, result, by_hand=4.0, remarks=given)
    assert "Decided</span>" in html
    assert "your teacher has looked at this answer" in html
    assert "your teacher has decided" in html
    assert "a person decides" not in html.casefold()
    # Points that were given before the notebook was changed decide nothing.
    old = (Remark("rows", 7.0, outdated=True),)
    _, html = published(tmp_path, result, by_hand=4.0, remarks=old)
    assert "A person decides</span>" in html


def test_the_page_of_a_perfect_notebook_says_so(tmp_path):
    tests = (TestResult("visible.rows", 1, 1.0, ""), TestResult("hidden.rows", 2, 2.0, ""))
    result = Result(Verdict.GRADED, "", (CellResult("rows", 3, 3.0, tests),))
    row, html = published(tmp_path, result, NOTEBOOK)
    assert "every test passed" in html
    assert 'class="verdict well"' in html
    assert row.final


def test_given_cells_are_folded_and_an_unreadable_notebook_is_not_shown(tmp_path, browser):
    row, html = published(tmp_path, a_result(), NOTEBOOK)
    _, text = what_acted(browser, row.path)
    assert html.count("<details>") == 1
    assert "Two hours" not in text
    assert "The slope decides." in text
    unread = a_result(Verdict.UNREADABLE, "it is no JSON", message="it is no JSON")
    _, html = published(tmp_path, unread, NOTEBOOK)
    assert "as it was graded" not in html
    assert html.count("it is no JSON") == 1


@pytest.mark.parametrize(
    ("file", "instead"),
    [
        ("homework.docx", True), ("scales.py", True), ("scales.html", True), ("work.zip", True),
        ("scales.ipynb", False),
    ],
)  # fmt: skip
def test_who_handed_in_something_else_is_asked_for_the_notebook_itself(file, instead, tmp_path):
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / file).write_text("{")
    (row,) = collect(tmp_path / "in", "scales", tmp_path / "out")
    _, what, do = explain(Result(Verdict.UNREADABLE, row.why))
    assert do.startswith("What is needed is the notebook itself: the file") is instead
    assert do.startswith("Open the file in JupyterLab.") is not instead
    assert (file in what) is instead


def test_the_page_of_an_unreadable_file_lists_no_tests(tmp_path):
    unread = a_result(Verdict.UNREADABLE, "it is no JSON", message="it is no JSON")
    _, html = published(tmp_path, unread, None)
    assert "rows sum to one" not in html
    assert "Not yet" not in html
    assert "Passed" not in html
    assert "/ 13" in html


def test_a_row_says_whether_only_the_written_answer_waits(tmp_path):
    rows = [published(tmp_path, a_result(verdict), NOTEBOOK)[0] for verdict in Verdict]
    unread = {verdict for verdict, row in zip(Verdict, rows, strict=True) if row.unread}
    assert unread == {*Verdict} - {Verdict.NEEDS_A_HUMAN, Verdict.UNREADABLE}
    row, _ = published(tmp_path, a_result(), NOTEBOOK, by_hand=3.0, first_name="Ada")
    assert (row.final, row.unread, row.name) == (True, False, "Ada")
    broken = Result(Verdict.NEEDS_A_HUMAN, "its result cannot be read; grade it again")
    row, _ = published(tmp_path, broken, by_hand=3.0)
    assert not row.final


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_its_page(tmp_path, verdict):
    result = a_result(verdict, why="in cell 3, something <odd> & long")
    row, html = published(tmp_path, result, None)
    assert "something &lt;odd&gt; &amp; long" in html
    assert "7</strong> of 18 points" in html
    assert verdict in row.why
    section = re.search(r'<section class="verdict (care|well)".*?</section>', html, re.S)[0]
    # What happened, and what to do.
    assert section.count("<p") == 2


@pytest.mark.parametrize("cells", [NOTEBOOK, None], ids=["notebook", "unreadable"])
def test_the_page_is_readable_on_screens_of_all_sizes_in_light_and_dark(
    tmp_path,
    browser,
    cells,
):
    row, _ = published(tmp_path, a_result(notes=["cell 2: NameError"]), cells)
    faults = read_as_all(browser, row.path)
    assert not faults, "\n".join(faults)


def hostile_page(tmp_path, floods=True):
    """A page with hostile content in every place that a student can write to."""
    tests = (TestResult("hidden.slopes", 13, 7.0, f"your: {EVERYTHING}"),)
    cells = (CellResult("rows", 13, 7.0, tests), CellResult("essay", 5, None))
    result = Result(Verdict.TIMED_OUT, EVERYTHING, cells, tuple(HOSTILE))
    line = "x" * 1_000_000
    outputs = [
        printed(EVERYTHING), printed(line), printed("<b>" * 300_000),
        drawn(text_plain=EVERYTHING, text_html=EVERYTHING, application_javascript="acted = 1"),
        drawn(image_png="PHN2ZyBvbmxvYWQ9ImFjdGVkPTEiPg=="), drawn(image_png=EVERYTHING),
        {"output_type": "error", "ename": EVERYTHING, "evalue": "", "traceback": HOSTILE},
    ]  # fmt: skip
    notebook = [graded_cell(line), graded_cell("a = 1\n" * 30_000), graded_cell(line, "markdown")]
    if not floods:
        outputs, notebook = [outputs[0], *outputs[3:]], []
    for source in (*(HOSTILE if floods else ()), EVERYTHING):
        notebook += [graded_cell(source, kind) for kind in ("markdown", "raw")]
        notebook.append(graded_cell(source, name="rows", outputs=outputs[:1]))
    notebook.append(graded_cell("print()", outputs=outputs))
    comments = (Remark("rows", None, EVERYTHING), Remark("essay", 4.0, EVERYTHING))
    return published(
        tmp_path, result, notebook, by_hand=4.0, remarks=comments,
        first_name=HOSTILE[0], last_name=HOSTILE[-2],
    )  # fmt: skip


def test_hostile_content_does_nothing_and_the_mark_stays_visible(tmp_path, browser):
    row, html = hostile_page(tmp_path)
    found, text = what_acted(browser, row.path)
    assert not found
    assert "11 of 18 points" in text
    assert "Your notebook took too long" in text
    assert "⟨U+202E⟩" in text
    assert "\x1b" not in html
    assert len(html) < 5_000_000
    assert AFAR in text


def test_hostile_content_does_nothing_without_the_content_security_policy(tmp_path, browser):
    row, html = hostile_page(tmp_path)
    bare, removed = CSP.subn("", html)
    assert removed == 1
    row.path.write_text(bare)
    found, _ = what_acted(browser, row.path)
    assert not found


RAN = "() => window.acted ? ['it ran: ' + window.acted] : []"
# A policy in a page cannot forbid navigation to another page.
STAYS = "\n".join(text for text in HOSTILE if "refresh" not in text and "\ud800" not in text)


def test_the_content_security_policy_alone_stops_hostile_content(tmp_path, browser):
    """The second defence if escaping should fail; so escaping is removed here."""
    row, html = published(tmp_path, a_result(), NOTEBOOK)
    row.path.write_text(html.replace("</main>", f"{STAYS}</main>"))
    found, _ = what_acted(browser, row.path, RAN)
    assert not found


def test_the_hostile_content_acts_in_an_unprotected_page(tmp_path, browser):
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html><main>{STAYS}</main>")
    found, _ = what_acted(browser, path, RAN)
    assert any(word.startswith("it ran") for word in found)
    assert any(word.startswith(AFAR) for word in found)


def test_a_page_with_hostile_content_is_readable(tmp_path, browser):
    row, _ = hostile_page(tmp_path, floods=False)
    faults = read_as_all(browser, row.path)
    assert not faults, "\n".join(faults)


# 600 columns and 2,400 rows of one letter, which the renderer would fill up: 1.4 million cells.
WIDE = "a|" * 600 + "\n" + "-|" * 600 + "\n" + "a\n" * 2400


@pytest.mark.parametrize("text", [WIDE, f"> {WIDE}", f"- {WIDE}"], ids=["", "quoted", "listed"])
def test_a_huge_table_is_shown_as_it_was_typed_and_the_page_says_so(tmp_path, text):
    notebook = [graded_cell(text, "markdown"), graded_cell("*a* | b\n-|-\n1 | 2", "markdown")]
    row, html = published(tmp_path, a_result(), notebook)
    assert row.path is not None
    assert "its table would have more than 2,000 cells" in html
    assert html.count("<td>1</td>") == 1
    assert "a|a|a|" in html
    assert len(html) < 200_000


def test_a_text_that_takes_too_long_or_too_much_memory_costs_only_itself(tmp_path, monkeypatch):
    """The child's limits, for renderers that are slow, greedy, stuck in C, and all in order."""
    child = """if True:
        from softlookup_coursework.feedback import limited, markup
        limited.TEXT_SECONDS, limited.KILL_SECONDS = 0.5, 2
        plain = markup.to_html
        def render(text):
            if text == "slow":
                while True: pass
            if text == "greedy":
                return bytearray(2**40) and bytearray(2**30)
            if text == "stuck":
                sum(range(10**12))
            return plain(text)
        limited.FORMS["html"] = render
        limited.serve()"""
    start = subprocess.Popen
    monkeypatch.setattr(
        rendering.subprocess, "Popen", lambda c, **k: start([c[0], "-c", child], **k)
    )
    cells = [graded_cell(word, "markdown") for word in ("slow", "greedy", "stuck", "*fine*")]
    _, html = published(tmp_path, a_result(), cells)
    assert "it takes too long to be drawn" in html
    assert "it takes too much memory to be drawn" in html
    assert "it cannot be drawn within its limits" in html
    assert "<em>fine</em>" in html


def test_all_texts_of_a_page_have_a_limit_together(tmp_path, monkeypatch):
    monkeypatch.setattr(rendering, "PAGE_SECONDS", 0.0)
    _, html = published(tmp_path, a_result(), [graded_cell("*fine*", "markdown")])
    assert "the texts before it took too long to be drawn" in html
    assert "*fine*" in html
    monkeypatch.undo()
    monkeypatch.setattr(rendering, "PAGE_CHARACTERS", 10)
    cells = [graded_cell(text, "markdown") for text in ("*fine*", "*too much*")]
    _, html = published(tmp_path, a_result(), cells)
    assert "<em>fine</em>" in html
    assert "A text was left out here" in html
    assert "too much" not in html


@pytest.mark.parametrize("kind", ["raw", "code"])
def test_what_is_shown_as_typed_counts_too(tmp_path, kind):
    """A control character becomes its name of eight letters, and a mark an entity of five."""
    cells = [graded_cell("\x80'" * 50_000, kind)] * 20
    _, html = published(tmp_path, a_result(), [*cells, graded_cell("fine()")])
    assert "A text was left out here" in html
    assert len(html) < 6_000_000


def test_a_picture_that_is_too_large_is_left_out(tmp_path):
    huge = graded_cell("draw()", outputs=[drawn(image_png=png(9_999, 9_999, real=False))])
    _, html = published(tmp_path, a_result(), [huge])
    assert "data:image" not in html


def test_the_total_size_of_pictures_is_limited(tmp_path):
    picture = png(1000, 500)
    flood = graded_cell("draw()", outputs=[drawn(image_png=picture)] * 190)
    _, html = published(tmp_path, a_result(), [flood] * 40)
    assert "a picture was left out" in html or html.count("data:image") == 190 * 40
    assert len(html) < 12_000_000


def test_a_broken_result_is_a_row_and_the_others_get_their_pages(tmp_path):
    write_result(tmp_path, "positions", "ada", a_result(), NOTEBOOK)
    write_result(tmp_path, "positions", "bob", a_result(), NOTEBOOK)
    (tmp_path / "results/positions/bob/result.json").write_text("{")
    write_result(tmp_path, "positions", "cyd", a_result())
    (tmp_path / "results/positions/cyd/graded.ipynb").write_text("[[[")
    rows = publish(tmp_path, "positions", [mark("dee", a_result())])
    assert [(row.student, row.path is not None) for row in rows] == [
        ("ada", True), ("bob", False), ("cyd", True), ("dee", False),
    ]  # fmt: skip
    assert "not been graded" in rows[3].why
    assert "no page could be made" in rows[1].why


def test_a_page_is_readable_by_its_owner_only_and_written_atomically(tmp_path):
    row, _ = published(tmp_path, a_result(), NOTEBOOK)
    assert stat.S_IMODE(row.path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "feedback").stat().st_mode) == 0o700
    assert [path.name for path in row.path.parent.iterdir()] == ["positions.html"]


def test_the_title_comes_from_the_notebook_or_its_name(tmp_path):
    folder = tmp_path / "assignments" / "own_gpt"
    folder.mkdir(parents=True)
    assert assignment_title(tmp_path, "own_gpt") == "Own gpt"
    (folder / "own_gpt.ipynb").write_text('{"metadata": {"softlookup": {"title": "A GPT"}}}')
    assert assignment_title(tmp_path, "own_gpt") == "A GPT"
