"""Every chapter keeps the contract of CONTRIBUTING.md, and every check of it can fail."""

import ast
import copy
import re
from collections import Counter

import contract_form
import contract_outputs
import pytest
from chapters import Chapter, all_chapters, prose
from model_chapter import model_chapter
from nbformat.v4 import new_output

CHECKS = contract_form.CHECKS + contract_outputs.CHECKS


def test_there_are_chapters():
    assert all_chapters()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("chapter", [pytest.param(each, id=each.id) for each in all_chapters()])
def test_the_chapter_keeps_the_contract(chapter, check):
    faults = check(chapter)
    assert not faults, "\n".join(faults)


# What is planted, the check that must find it, words of its message, and how it is planted.
def edit(index, old, new):
    def plant(notebook):
        assert old in notebook.cells[index].source
        notebook.cells[index].source = notebook.cells[index].source.replace(old, new)

    return plant


def drop(index):
    return lambda notebook: notebook.cells.pop(index)


def change(index, **metadata):
    return lambda notebook: notebook.cells[index].metadata.update(metadata)


def declare(**metadata):
    return lambda notebook: notebook.metadata["softlookup"].update(metadata)


def show(index, text, name="stdout"):
    def plant(notebook):
        notebook.cells[index].outputs = [new_output("stream", name=name, text=text)]

    return plant


def fail(notebook):
    notebook.cells[1].outputs = [new_output("error", ename="ValueError", evalue="")]


def forget_to_run(notebook):
    notebook.cells[1].execution_count = None


TITLE, SETUP, PICTURE, QUESTION, BET, EXPERIMENT, CLAIMS = 0, 1, 2, 3, 4, 5, 12
HEADING, STUB, HINT, SOLUTION, END = 13, 14, 15, 16, 25
CLAIM = "claim 1-a holds: a [measured 1, claimed > 0]\n"
PLANTED = [
    ("no goals", "metadata", "0 goals", declare(goals=[])),
    ("key missing", "metadata", "expected", lambda n: n.metadata["softlookup"].pop("teaches")),
    ("key unknown", "metadata", "expected", declare(author="A")),
    ("teaches nothing", "metadata", "teaches nothing", declare(teaches=[])),
    ("unknown prerequisite", "metadata", "does not exist", declare(prerequisites=["00_nought"])),
    ("three minutes", "metadata", "minutes_to_run is 3", declare(minutes_to_run=3)),
    ("another title", "headings", "begin with the title", declare(title="Another")),
    ("second title", "headings", "first level", edit(QUESTION, "## The", "# The")),
    ("skipped level", "headings", "skips a level", edit(TITLE, "## A problem", "### A problem")),
    ("no summary", "headings", "last sections", edit(END, "## Summary", "### Summary")),
    ("no further reading", "headings", "last sections", edit(END, "## Further reading", "")),
    ("setup untagged", "setup", "not tagged", change(SETUP, tags=[])),
    ("no seed", "setup", "seed_everything", edit(SETUP, "seed_everything(1)", "None")),
    ("late import", "setup", "imports", edit(EXPERIMENT, "loss = 1", "import math; loss = 1")),
    (
        "hidden import",
        "setup",
        "stealth",
        edit(EXPERIMENT, "loss = 1", "__import__('os'); loss = 1"),
    ),
    ("magic", "setup", "magic", edit(EXPERIMENT, "loss = 1", "%time loss = 1")),
    ("fence open", "directives", "not closed", edit(QUESTION, "\n:::\n", "\n")),
    ("fence too many", "directives", "closes nothing", edit(TITLE, "felt.", "felt.\n\n:::")),
    ("foreign directive", "directives", "tab-set", edit(QUESTION, "{dropdown}", "{tab-set}")),
    ("formula open", "directives", "formula", edit(TITLE, "felt.", "$$x = 1")),
    ("dead link", "links", "nowhere", edit(TITLE, "felt", "[felt](99_nowhere.ipynb)")),
    ("bet missing", "predictions", "expected", drop(BET)),
    ("bet placed", "predictions", "prediction = None", edit(BET, "None", '"a"')),
    ("never judged", "predictions", "expected", edit(EXPERIMENT, "compare", "compar")),
    ("one option", "predictions", "1 options", edit(QUESTION, "(a) up (b) down", "(a) up")),
    ("option unexplained", "predictions", "says nothing", edit(QUESTION, "(b) is", "It is")),
    (
        "two predictions",
        "predictions",
        "2 predictions",
        lambda n: [n.cells.pop(9) for _ in "123"],
    ),
    ("no stub", "exercises", "expected", change(STUB, tags=[])),
    ("finished stub", "exercises", "nothing to write", edit(STUB, "...", "return x")),
    ("no heading", "exercises", "no heading", edit(HEADING, "### Exercise 1.1: ", "### ")),
    ("no weight", "exercises", "difficulty", edit(HEADING, "Difficulty", "Weight")),
    ("no hint", "exercises", "hint", edit(HINT, "Hint", "Note")),
    ("solution open", "exercises", "folded", change(SOLUTION, tags=["solution:1.1"])),
    ("source shown", "exercises", "folded", change(SOLUTION, jupyter={})),
    ("other check", "exercises", "same check", edit(SOLUTION, "check_one", "check_two")),
    ("never run", "execution", "run it anew", forget_to_run),
    ("run twice", "execution", "run it anew", lambda n: n.cells[1].update(execution_count=7)),
    ("error stored", "execution", "ValueError", fail),
    ("on stderr", "execution", "stderr", show(EXPERIMENT, "oh", name="stderr")),
    ("address", "outputs", "address", show(EXPERIMENT, "<object at 0x7f00aa10>")),
    ("path", "outputs", "path", show(EXPERIMENT, "saved to /ho" + "me/anna/x.png")),
    ("warning", "outputs", "warning", show(EXPERIMENT, "UserWarning: deprecated")),
    ("progress", "outputs", "progress", show(EXPERIMENT, " 42%|####      | 42/100")),
    ("no alt text", "pictures", "expected what is seen", change(PICTURE, mystnb={})),
    ("short alt", "pictures", "in words", change(PICTURE, mystnb={"image": {"alt": "A plot"}})),
    (
        "alt is a file",
        "pictures",
        "names a file",
        change(PICTURE, mystnb={"image": {"alt": "one two three four five output_7.png"}}),
    ),
    ("picture in the text", "pictures", "in the text", edit(TITLE, "felt", "![x](x.png)")),
    (
        "four claims",
        "claims",
        "4 claims",
        show(CLAIMS, CLAIM * 4),
    ),
    ("unreadable", "claims", "can be read", show(CLAIMS, "claim 1-a is true")),
    ("false", "claims", "false", show(CLAIMS, CLAIM.replace("> 0", "> 2"))),
    (
        "of another",
        "claims",
        "number",
        show(CLAIMS, CLAIM.replace("1-a", "2-a")),
    ),
    ("scrolled", "stored_as_run", "screen", change(PICTURE, scrolled=True)),
    ("stub passes", "verdicts", "exercise 1.1", show(STUB, "Exercise 1.1, passed: yes")),
    ("solution fails", "verdicts", "solution 1.1", show(SOLUTION, "Exercise 1.1, not yet: no")),
]


def test_the_model_chapter_has_no_fault():
    chapter = Chapter("01_model", model_chapter())
    assert {check.__name__: check(chapter) for check in CHECKS if check(chapter)} == {}


@pytest.mark.parametrize(
    ("check", "words", "plant"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED]
)
def test_a_planted_fault_is_found(check, words, plant):
    notebook = copy.deepcopy(model_chapter())
    plant(notebook)
    (found,) = [each for each in CHECKS if each.__name__ == check]
    faults = found(Chapter("01_model", notebook))
    assert any(words in fault for fault in faults), faults


def test_no_claim_has_the_name_of_another():
    ids = Counter(
        line.split()[1] for each in all_chapters() for line in contract_outputs.claims_of(each)
    )
    assert [name for name, count in ids.items() if count > 1] == []


def test_no_concept_is_taught_twice():
    taught = Counter(concept for each in all_chapters() for concept in each.metadata["teaches"])
    assert [concept for concept, count in taught.items() if count > 1] == []


def test_nothing_is_used_before_it_is_taught():
    """A concept may be named before its chapter only where that chapter is named with it."""
    early = []
    for teacher in all_chapters():
        ahead = re.compile(rf"[Cc]hapters? (?:\d+,? (?:and |to )?)*{teacher.number}\b")
        for chapter in all_chapters():
            if chapter.number >= teacher.number:
                continue
            for concept in teacher.metadata["teaches"]:
                word = re.compile(rf"\b{re.escape(concept)}\b", re.I)
                early += [
                    f"{chapter.id} uses {concept!r}, which {teacher.id} teaches: {paragraph[:60]}"
                    for cell in chapter.markdown
                    for paragraph in prose(cell.source).split("\n\n")
                    if word.search(paragraph) and not ahead.search(cell.source)
                ]
    assert early == []


def test_nearly_every_output_is_compared():
    cells, share = contract_outputs.ignored(all_chapters())
    assert share <= contract_outputs.IGNORED_AT_MOST, cells
    assert all(len(reason.split()) >= 3 for _, reason in cells), cells


def test_what_two_chapters_define_alike_belongs_to_the_library():
    defined = {}
    for chapter in all_chapters():
        for cell in chapter.code:
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    defined.setdefault(ast.dump(node), set()).add(f"{chapter.id}: {node.name}")
    assert [sorted(places) for places in defined.values() if len(places) > 1] == []
