"""Every chapter keeps the contract of CONTRIBUTING.md, and every check of it can fail."""

import copy

import contract_book
import contract_form
import contract_kept
import contract_outputs
import pytest
from chapters import Chapter, all_chapters
from model_chapter import model_chapter
from nbformat.v4 import new_output

CHECKS = contract_form.CHECKS + contract_outputs.CHECKS + contract_kept.CHECKS


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


def hand_over(notebook):
    """The chapter writes, in other names and another style, what the exercise then asks for."""
    spoken = "seen = torch.softmax((q @ k.mT) / d**0.5, dim=-1) @ v"
    answer = "return ((query @ key.mT) / width**0.5).softmax(-1) @ value"
    edit(EXPERIMENT, "loss = 1", f"{spoken}\nloss = 1")(notebook)
    edit(SOLUTION, "return x", answer)(notebook)


TITLE, SETUP, PICTURE, QUESTION, BET, EXPERIMENT, CLAIMS = 0, 1, 2, 3, 4, 5, 12
HEADING, STUB, HINT, SOLUTION, END = 13, 14, 15, 16, 29
CLAIM = "law 1-a holds: a [measured 1, claimed > 0]\n"
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
    ("nothing to touch", "live_figures", "no live figure", edit(TITLE, ":::{live} ", "::: ")),
    ("dead link", "links", "nowhere", edit(TITLE, "felt", "[felt](99_nowhere.ipynb)")),
    ("bet missing", "predictions", "expected", drop(BET)),
    ("bet placed", "predictions", "prediction = None", edit(BET, "None", '"a"')),
    ("never judged", "predictions", "expected", edit(EXPERIMENT, "compare", "compar")),
    ("one option", "predictions", "1 options", edit(QUESTION, "(a) up (b) down", "(a) up")),
    ("option unexplained", "predictions", "says nothing", edit(QUESTION, "(b) is", "It is")),
    ("cut answer", "predictions", "within a sentence", edit(QUESTION, "(b) is", "so (b) is")),
    (
        "two predictions",
        "predictions",
        "2 predictions",
        lambda n: [n.cells.pop(9) for _ in "123"],
    ),
    ("no stub", "exercises", "expected", change(STUB, tags=[])),
    ("finished stub", "exercises", "nothing to write", edit(STUB, "...", "return x")),
    ("no heading", "exercises", "no heading", edit(HEADING, "### Exercise 1.1 ●: ", "### ")),
    ("no minutes", "exercises", "minutes", edit(HEADING, "about 5 minutes", "soon")),
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
    ("unreadable", "claims", "can be read", show(CLAIMS, "law 1-a is true")),
    ("false", "claims", "false", show(CLAIMS, CLAIM.replace("> 0", "> 2"))),
    (
        "of another",
        "claims",
        "number",
        show(CLAIMS, CLAIM.replace("1-a", "2-a")),
    ),
    ("scrolled", "stored_as_run", "screen", change(PICTURE, scrolled=True)),
    ("stub passes", "verdicts", "exercise 1.1", show(STUB, "Exercise 1.1, passed: yes")),
    ("clock compared", "clocks", "is compared", edit(PICTURE, "plot", "process_time")),
    (
        "clock claimed",
        "clocks",
        "for a claim",
        edit(CLAIMS, "check", "claims.law(perf_counter()), check"),
    ),
    (
        "clock judged",
        "clocks",
        "prediction",
        edit(EXPERIMENT, "loss = 1", "loss = cpu_milliseconds(f)"),
    ),
    ("answer not cited", "headlines", "the answer", edit(QUESTION, "{claim}`1-fact-d`", "")),
    (
        "bold not cited",
        "headlines",
        "bold",
        edit(TITLE, "felt.", "felt.\n\n**It is so big and bold.**"),
    ),
    ("bullet not cited", "headlines", "'- It goes on", edit(END, "\n  {claim}`1-fact-c`", "")),
    ("laws alone", "headlines", "2 findings", edit(END, "1-fact-c", "1-fact-d")),
    ("figure of nothing", "headlines", "shows []", change(PICTURE, softlookup={})),
    (
        "figure of a law",
        "headlines",
        "no finding",
        change(PICTURE, softlookup={"shows": ["1-fact-d"]}),
    ),
    (
        "figure of a claim that is gone",
        "headlines",
        "nothing claims",
        change(PICTURE, softlookup={"shows": ["1-fact-a", "1-fact-z"]}),
    ),
    ("figure unsaid", "headlines", "in words", change(PICTURE, softlookup={"draws": "this"})),
    ("no level", "kinds_of_exercises", "no level", edit(HEADING, " ●:", ":")),
    ("no kind", "kinds_of_exercises", "its kind", edit(HEADING, "*Build,", "*Type,")),
    ("a kind lacks", "kinds_of_exercises", "['Build']", edit(HEADING, "*Build,", "*Judge,")),
    ("copied", "copied", "100% of the solution of exercise 1.1", hand_over),
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


@pytest.mark.parametrize("check", contract_book.CHECKS, ids=lambda check: check.__name__)
def test_the_chapters_keep_the_contract_together(check):
    faults = check(all_chapters())
    assert not faults, "\n".join(map(str, faults))


def two_chapters(**second):
    """Two model chapters, the second without claims, and taught other things."""
    one, other = model_chapter(), model_chapter()
    other.cells[CLAIMS].outputs = []
    other.metadata["softlookup"].update({"teaches": ["others"]} | second)
    return [Chapter("01_model", one), Chapter("02_other", other)]


def say(chapter, text):
    chapter.cells[0].source += f"\n\n{text}"


def test_two_model_chapters_have_no_fault():
    assert {
        check.__name__: faults
        for check in contract_book.CHECKS
        if (faults := check(two_chapters()))
    } == {}


def test_a_repeated_claim_is_found():
    pair = two_chapters()
    pair[1].cells[CLAIMS].outputs = pair[0].cells[CLAIMS].outputs
    assert "1-fact-a" in contract_book.claim_ids_repeat(pair)


def test_a_citation_of_no_claim_is_found():
    pair = two_chapters()
    say(pair[0], "It is so {claim}`1-fact-z`.")
    pair[1].cells[PICTURE].metadata["softlookup"]["shows"] = ["1-fact-y"]
    assert contract_book.cited_but_never_stated(pair) == [
        "01_model cites 1-fact-z, which no chapter states",
        "02_other cites 1-fact-y, which no chapter states",
    ]


def test_a_concept_taught_twice_is_found():
    assert contract_book.taught_twice(two_chapters(teaches=["models"])) == ["models"]


def test_a_concept_used_too_early_is_found_unless_its_chapter_is_named():
    pair = two_chapters()
    say(pair[0], "Others help here.")
    assert "01_model uses 'others'" in contract_book.used_out_of_turn(pair)[0]
    say(pair[0], "They come in chapters 2 and 3.")
    assert contract_book.used_out_of_turn(pair) == []


def test_a_concept_whose_chapter_is_no_prerequisite_is_found():
    pair = two_chapters()
    say(pair[1], "The models of before.")
    assert "02_other uses 'models'" in contract_book.used_out_of_turn(pair)[0]
    pair[1].metadata["prerequisites"] = ["01_model"]
    assert contract_book.used_out_of_turn(pair) == []


def test_a_function_defined_in_two_chapters_is_found():
    pair = two_chapters()
    for chapter in pair:
        chapter.cells[EXPERIMENT].source += "\n\n\ndef helper(x):\n    return x"
    assert contract_book.defined_twice(pair) == [["01_model: helper", "02_other: helper"]]


def test_a_part_in_which_nothing_is_measured_is_found():
    pair = [Chapter(name, model_chapter()) for name in ("06_feed_forward", "08_positions")]
    (fault,) = contract_book.parts_without_measurement(pair)
    assert fault.startswith("'Part II: ")
    say(pair[1], "*Measure, about 40 minutes.* How much?")
    assert contract_book.parts_without_measurement(pair) == []


def test_nearly_every_output_is_compared():
    cells, share = contract_outputs.ignored(all_chapters())
    assert share <= contract_outputs.IGNORED_AT_MOST, cells
    assert all(len(reason.split()) >= 3 for _, reason in cells), cells


def test_ignoring_too_much_is_found():
    chapter = Chapter("01_model", model_chapter())
    assert contract_outputs.ignored([chapter]) == ([], 0.0)
    chapter.cells[EXPERIMENT].metadata["tags"] = ["nbval-ignore-output"]
    cells, share = contract_outputs.ignored([chapter])
    assert cells == [("01_model", "")]
    assert share > contract_outputs.IGNORED_AT_MOST
