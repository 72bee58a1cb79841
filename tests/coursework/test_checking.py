"""The command `check` passes a sound assignment, and finds each planted fault by name."""

import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from softlookup_coursework.assignments import private, source
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank, checks
from softlookup_coursework.checking.checks import CHECKS, Rendered

SOUND = source.TEMPLATE


def faults(folder, *names):
    """What the checks of these names find in an assignment; of all, if none is named."""
    work = Path(tempfile.mkdtemp(dir=folder.parent))
    with private.whole(folder.name, folder.parent) as whole:
        terms = [
            Rendered.make(whole, work / str(n) / folder.name, Term(f"check {n}")) for n in range(2)
        ]
    listed = [one for one in CHECKS if not names or one.name in names]
    assert len(listed) == (len(names) or len(CHECKS))
    return {one.name: [*one.wrong(terms, folder / "answers")] for one in listed}


@pytest.fixture
def own(tmp_path):
    """A copy of the template, to be broken."""
    return shutil.copytree(SOUND, tmp_path / SOUND.name)


def exchange(path, old, new):
    """Exchange a text that occurs in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_template_is_sound(own):
    found = faults(own)
    assert not any(found.values()), found
    kinds = [path.parent.name for path in bank.files(own / "answers")]
    assert {kind: kinds.count(kind) for kind in bank.KINDS} == {"right": 2, "wrong": 4, "own": 1}


CALL = 'answer = _tensor(weights(scores), scores.shape, "weights")'
PLANTED = {
    "hidden": ("soft_choice.ipynb", "Keep a softmax of large scores finite.",
               "powers = [base ** (score - kept[-1]) if score in kept else 0.0 for score in row]",
               "would show a line of the hidden tests"),
    "solution": ("soft_choice.ipynb", "scores.topk(« left_out »", "scores.topk(4",
                 "the_worst_get_nothing says .*get nothing; . should.*, where the term drew"),
    "stub": ("tests/visible.py", CALL, "return", "weights_have_the_base gives 1 for a stub"),
    "cheap answers": ("tests/visible.py", CALL, "return",
                      "weights_have_the_base, nothing written, is passed by nothing"),
    "last term": ("parameters.py", "    return {", "    random.seed(0)\n    return {",
                  "a term's solution earns 6 in another; expected 3 at most"),
    "right answers": ("answers/right/loops.py", "row.max()", "row.min()", "loops.py: "),
    "wrong answers": ("answers/wrong/natural_base.py", "they have the base e", "they are weighty",
                      "natural_base.py: weights_have_the_base says .* and not 'they are weighty'"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name, own):
    file, old, new, says = PLANTED[name]
    exchange(own / file, old, new)
    found = faults(own, name)[name]
    assert found
    assert re.search(says, found[0]), found


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("# earns: 4", "# earns: 3"), "it earns 4 points, and deserves 3"),
        (("# earns: 4", "# points: 4"), "expected one line `# earns: 3`"),
        (("# fails: weights_agree | NaN", ""), "weights_agree says 'weights: the answer holds NaN"),
        (("# fails: we", "# fails: the_worst_get_nothing | 0\n# fails: we"), "should say '0'"),
        (
            ("weights_agree | NaN", "weights_agre | NaN"),
            "weights_agre: there is no test of that name",
        ),
        (("** (scores", "** (stores"), "occurs 0 times in it"),
        (("# %% weights differs", "# %% widths differs"), "expected cells of the assignment"),
    ],
)
def test_a_bank_whose_marks_are_others_is_found(change, says, own):
    for path in bank.files(own / "answers"):
        if path.stem != "large_scores_overflow":
            path.unlink()
    exchange(own / "answers/wrong/large_scores_overflow.py", *change)
    (fault,) = faults(own, "wrong answers")["wrong answers"]
    assert says in fault


def test_an_empty_bank_and_a_solution_that_does_not_run_are_found(own):
    shutil.rmtree(own / "answers")
    exchange(own / "soft_choice.ipynb", "return powers / powers.sum", "return power / powers.sum")
    found = faults(own, "right answers", "wrong answers", "solution")
    assert "there are none" in found["right answers"][0]
    assert "there are none" in found["wrong answers"][0]
    assert "'power' is not defined" in found["solution"][0]
    exchange(own / "soft_choice.ipynb", '"import torch"', '"import torches"')
    assert "the solution does not run" in faults(own, "cheap answers")["cheap answers"][0]


def test_the_course_keeps_to_the_form_of_the_checks():
    assert [one.name for one in CHECKS] == [*PLANTED]
    stored = json.loads((SOUND / "soft_choice.ipynb").read_text(encoding="utf-8"))
    assert stored["metadata"]["softlookup"]["points"] == 8
    assert checks.shown(["one", "two", "three", "four"]) == "one; two; three; and 1 more"
