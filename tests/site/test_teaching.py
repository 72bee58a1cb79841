"""What teachers are told of chapters and assignments is what these say of themselves."""

import json
import re
from dataclasses import replace

import pytest
from built import NOTEBOOKS, ROOT, built_page, is_chapter, pages

import contents  # isort: skip
import course_plan  # isort: skip

SOURCES = NOTEBOOKS / "coursework"
TEACHING = ROOT / "book" / "teaching"
NAMES = sorted(path.parent.name for path in SOURCES.glob("*/parameters.py"))
CHAPTERS = [
    contents.read_chapter(path, number, f"notebooks/{path.stem}")
    for number, path in enumerate(sorted(NOTEBOOKS.glob("*.ipynb")), start=1)
]
WORK = course_plan.Assignment("work", "Work", ("Do.",), (2, 3), 4, 10, 2, "the lot.")


def notebook(name):
    return json.loads((SOURCES / name / f"{name}.ipynb").read_text(encoding="utf-8"))


def texts(element):
    return " ".join(element.get_text(" ", strip=True).split())


def test_a_plan_adds_up_its_hours():
    weeks = course_plan.plan(["1 2", "3 | work", "| work"], CHAPTERS, [WORK])
    reading = [chapter.minutes_to_read / 60 for chapter in CHAPTERS[:3]]
    assert [week.hours for week in weeks] == [sum(reading[:2]), reading[2] + 2, 2]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1", "3"], "lacks ['02_attention']"),
        (["1 2", "2"], "read twice"),
        (["1 2 | work"], r"builds on chapters [3], not yet read"),
    ],
)
def test_a_plan_that_asks_too_early_is_refused(lines, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        course_plan.plan(lines, CHAPTERS, [WORK])
    with pytest.raises(KeyError):
        course_plan.plan(["1 | another"], CHAPTERS, [WORK])


@pytest.mark.parametrize("name", NAMES)
def test_an_assignment_says_what_its_cells_add_up_to(name):
    told = course_plan.read_assignment(SOURCES / name)
    graded = [cell["metadata"].get("nbgrader", {}) for cell in notebook(name)["cells"]]
    by_hand = [cell["points"] for cell in graded if cell.get("grade") and cell["solution"]]
    assert len(by_hand) == 1
    assert replace(told, by_hand=0).points == sum(c.get("points", 0) for c in graded)
    assert told.by_hand == by_hand[0]
    assert set(told.after) <= {chapter.number for chapter in CHAPTERS}


def test_the_page_has_every_assignment_under_its_own_title():
    page = (TEACHING / "adopting.md").read_text(encoding="utf-8")
    shown = re.findall(r"^### (.+)\n\n```\{assignment\} (\w+)\n```$", page, re.M)
    titles = {name: notebook(name)["metadata"]["softlookup"]["title"] for name in NAMES}
    assert {name: title for title, name in shown} == titles
    assert len(NAMES) == 6


def test_every_test_that_the_pages_name_is_there():
    named = set()
    for path in TEACHING.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"`((?:tests|benchmarks|tools|notebooks)/[\w./]+)`", text))
        # The page says once where its tests lie, and how their names begin.
        for row in re.findall(r"\| ((?:`\w+`(?:, )?)+) \|$", text, re.M):
            named |= {f"tests/coursework/test_{name}.py" for name in re.findall(r"\w+", row)}
    assert len(named) > 8
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.site
def test_the_page_shows_each_assignment_as_its_notebook_has_it(site):
    soup = built_page(site / "book/teaching/adopting.html").soup
    for name in NAMES:
        told = notebook(name)["metadata"]["softlookup"]
        facts = soup.find(id=f"assignment-{name}")
        assert f"{told['points']} points" in texts(facts)
        assert f"about {told['hours']} hours" in texts(facts)
        numbers = [int(chapter.split("_")[0]) for chapter in told["prerequisites"]]
        links = [link["href"].split("/")[-1][:2] for link in facts.select("a")]
        assert [int(number) for number in links] == numbers
        goals = facts.find_next("ul").select("li")
        assert len(goals) == len(told["goals"])


@pytest.mark.site
def test_the_syllabi_take_four_eight_and_fourteen_weeks(site):
    soup = built_page(site / "book/teaching/adopting.html").soup
    plans = [table.select("tbody tr") for table in soup.select("table.syllabus")]
    assert [len(rows) - 1 for rows in plans] == [4, 8, 14]
    for rows in plans:
        cells = [[texts(cell) for cell in row.select("td")] for row in rows]
        *weeks, (_, _, exercises, _, hours) = cells
        assert int(exercises) == sum(int(week[2] or 0) for week in weeks)
        assert float(hours) == pytest.approx(sum(float(week[4]) for week in weeks), abs=1)
    everything = {link["href"] for link in soup.select("table.syllabus")[2].select("a")}
    chapters = [name for name in pages() if is_chapter(name)]
    assert {link for link in everything if link.startswith("../../")} >= {
        f"../../{name}" for name in chapters
    }
    assert {link for link in everything if link.startswith("#")} == {
        f"#assignment-{name}" for name in NAMES
    }


def solutions():
    """The longest part of each solution that is the same in every term, without its spaces."""
    for name in NAMES:
        for cell in notebook(name)["cells"]:
            source = "".join(cell["source"])
            for body in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", source, re.S):
                parts = ["".join(part.split()) for part in re.split(r"«.*?»", body, flags=re.S)]
                longest = max(parts, key=len)
                # A shorter one, such as a product of two matrices, stands in many a chapter.
                if len(longest) >= 60:
                    yield name, longest


def words_of(path):
    """What a file of the site says, without its spaces."""
    text = built_page(path).soup.get_text() if path.suffix == ".html" else path.read_text("utf-8")
    return "".join(text.replace("\\n", "").replace('\\"', '"').split())


@pytest.mark.site
def test_the_site_publishes_no_solution(site):
    kept = {".html", ".ipynb", ".md", ".py", ".js", ".txt", ".json"}
    paths = [path for path in site.rglob("*") if path.suffix in kept and path.is_file()]
    said = {path: words_of(path) for path in paths}
    assert [path for path in paths if "coursework" in path.relative_to(site).parts] == []
    assert {name for name, _ in solutions()} == set(NAMES)
    for name, body in [*solutions(), ("any of them", "BEGINSOLUTION")]:
        assert [path.name for path, text in said.items() if body in text] == [], (name, body[:80])


@pytest.mark.site
def test_a_published_solution_would_be_found(tmp_path):
    name, _ = next(solutions())
    found = {body for owner, body in solutions() if owner == name}
    cells = (
        "".join(cell["source"]).replace("<", "&lt;").replace(">", "&gt;")
        for cell in notebook(name)["cells"]
    )
    page = tmp_path / "page.html"
    page.write_text(f"<pre>{'</pre><pre>'.join(cells)}</pre>", encoding="utf-8")
    text = words_of(page)
    assert all(body in text for body in found)
