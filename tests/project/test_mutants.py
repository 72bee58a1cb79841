"""The bank of mistakes fits the library, and its runner tells what is caught from what is not.

That each mistake is caught takes minutes to try, and is what ``make mutants`` does.
"""

import ast
import os
import subprocess
import sys
from collections import Counter

import pytest
from chapters import ROOT
from mutant_bank import LIBRARY, read_bank

BANK = read_bank()
MISTAKES = [mutant for mutant in BANK if not mutant.proof]
TAUGHT = ("layers", "alternatives", "models", "running", "inside", "margins")


def test_every_entry_applies_and_changes_what_python_reads():
    for mutant in BANK:
        source = (ROOT / LIBRARY / f"{mutant.file}.py").read_text("utf-8")
        changed = ast.parse(mutant.applied(source))
        assert ast.dump(changed) != ast.dump(ast.parse(source)), mutant


def test_every_mistake_has_a_name_of_its_own_that_is_a_clause():
    named = Counter((mutant.file, mutant.belief) for mutant in BANK)
    assert [name for name, times in named.items() if times > 1] == []
    for mutant in BANK:
        assert len(mutant.belief.split()) > 2, mutant
        assert not mutant.belief.endswith("."), mutant


def test_every_equivalent_has_a_proof():
    assert [one for one in BANK if one.proof and len(one.proof.split()) < 5] == []


def test_every_taught_file_has_mistakes():
    assert len(MISTAKES) >= 120
    found = Counter(mutant.file for mutant in MISTAKES)
    taught = {
        path.relative_to(ROOT / LIBRARY).with_suffix("").as_posix()
        for folder in TAUGHT
        for path in (ROOT / LIBRARY / folder).glob("*.py")
        if path.stem != "__init__"
    }
    assert len(taught) > 30
    assert {file for file in taught if found[file] < 2} == set()


def test_every_named_test_file_exists():
    named = {test for mutant in BANK for test in mutant.tests}
    assert {test for test in named if not (ROOT / test).is_file()} == set()


SOURCE = """\
def double(x):
    return x + x


def half(x):
    return x / 2
"""
TESTS = """\
from softlookup.sums.add import double


def test_double():
    assert double(3) == 6
"""
CAUGHT = """
[[mistake]]
belief = "to double is to square"
old = "x + x"
new = "x * x"
"""
OTHERS = """
[[mistake]]
belief = "half is a third"
old = "x / 2"
new = "x / 3"

[[mistake]]
belief = "addition has to be imported"
old = "def double"
new = "import addition\\n\\n\\ndef double"

[[mistake]]
belief = "there is a variable of that name"
old = "x + x"
new = "x + y"

[[mistake]]
belief = "doubling goes on for ever"
old = "    return x + x"
new = "    while True:\\n        pass"

[[equivalent]]
belief = "a third time does no harm"
old = "x + x"
new = "x + x + x"
proof = "A sum of three is a sum of two, which is false."
"""
EQUIVALENT = """
[[equivalent]]
belief = "to double is to multiply"
old = "x + x"
new = "2 * x"
proof = "x + x and 2 x are the same number."
"""


@pytest.fixture
def project(tmp_path):
    """A library of one file, with its tests and its bank."""

    def make(bank, tests=TESTS):
        for path, text in (
            ("lib/softlookup/__init__.py", ""),
            ("lib/softlookup/sums/__init__.py", ""),
            ("lib/softlookup/sums/add.py", SOURCE),
            ("tests/sums/test_add.py", tests),
            ("tests/mutants/sums/add.toml", bank),
            ("pytest.ini", "[pytest]\n"),
        ):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return tmp_path

    return make


def run(root, *arguments):
    """Run the bank of a project in a process of its own, without the course's plugins."""
    script = (
        "import sys; from pathlib import Path; import mutants;"
        "sys.exit(mutants.main(sys.argv[2:], Path(sys.argv[1]), ()))"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "tools"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return subprocess.run(
        [sys.executable, "-c", script, str(root), *arguments],
        capture_output=True,
        text=True,
        env=environment,
    )


def test_a_caught_mistake_and_a_true_equivalent_pass(project):
    root = project(CAUGHT + EQUIVALENT)
    ran = run(root, "--verbose")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "caught: sums/add: to double is to square" in ran.stdout
    assert "test_add.py::test_double: AssertionError" in ran.stdout
    assert "caught                               1 of   1" in ran.stdout
    assert (root / "lib/softlookup/sums/add.py").read_text() == SOURCE


def test_what_survives_cannot_run_or_takes_too_long_is_not_caught(project):
    ran = run(project(CAUGHT + OTHERS), "--seconds", "20")
    assert ran.returncode == 1, ran.stderr
    for line in (
        "SURVIVED, but should be caught: sums/add: half is a third",
        "BROKEN, but should be caught: sums/add: addition has to be imported",
        "BROKEN, but should be caught: sums/add: there is a variable of that name",
        "BROKEN, but should be caught: sums/add: doubling goes on for ever\n    it took longer",
        "CAUGHT, but should be survived: sums/add: a third time does no harm",
        "caught                               1 of   5",
    ):
        assert line in ran.stdout


@pytest.mark.parametrize("tests", [TESTS.replace("== 6", "== 7"), "", "import nothing_so_named"])
def test_tests_that_do_not_pass_on_the_library_as_it_is_prove_nothing(project, tests):
    ran = run(project(CAUGHT, tests))
    assert ran.returncode == 1, ran.stderr
    assert "but should be survived: unchanged library: tests/sums/test_add.py" in ran.stdout


@pytest.mark.parametrize(
    ("bank", "words"),
    [
        (CAUGHT.replace("x + x", "x - x"), "occurs 0 times"),
        (CAUGHT.replace("x + x", "x"), "occurs 5 times"),
        (CAUGHT.replace("x * x", "x + x"), "and another text instead"),
    ],
)
def test_an_entry_that_no_longer_applies_is_told(project, bank, words):
    ran = run(project(bank))
    assert ran.returncode == 1
    assert words in ran.stdout


@pytest.mark.parametrize(
    "bank",
    [
        CAUGHT.replace("belief", "believe"),
        CAUGHT + 'proof = "mistakes have none"',
        EQUIVALENT.replace("proof", "only"),
        CAUGHT.replace("[[mistake]]", "[[mutant]]"),
    ],
)
def test_an_entry_of_another_form_is_refused(project, bank):
    with pytest.raises(ValueError, match=r"add\.toml"):
        read_bank(project(bank))
