"""The project's own files: its commands, its licences, and nothing that holds here only."""

import importlib.util
import itertools
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from chapters import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.M))
LARGEST = 2_000_000
# Written in pieces, so that this file does not hold what it looks for.
HERE_ONLY = {
    "a path of one machine": re.compile(r"(?<![\w.:/])/(?:home|Users|root|private)" + r"/[\w.-]+"),
    "a registry's address": re.compile(
        r"https?://(?:registry|files|deb|repo|mirror)\." + r"|https?://" + r"pypi\.org"
    ),
}


def files():
    """What is, or would be, in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no checkout of the repository")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def text_of(path):
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


def test_help_names_every_target():
    shown = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    assert set(re.findall(r"^  make (\w+) +\S", shown.stdout, re.M)) == TARGETS
    phony = set(re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.M)[1].split())
    assert phony == TARGETS


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "CONTRIBUTING.md", ".ci/run"),
        *(".github/workflows/book.yml", ".github/workflows/mutants.yml"),
    ],
)
def test_every_command_that_is_named_is_a_target(name):
    commands = set(re.findall(r"(?:^|`|run: |\s\s)make ([a-z]+)\b", text_of(ROOT / name), re.M))
    assert commands <= TARGETS
    if name != "CONTRIBUTING.md":
        assert commands


FOLDERS = {path.parent.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")}
SLOW = {folder for folder in FOLDERS if folder.parts[1:2] in [("site",), ("coursework",)]}
PARTS = ("library", "chapters", "banks", "site")


def collected(tree, arguments):
    """The folders whose tests pytest collects in a tree."""
    ours = {"-n", "2", "3", "--changed"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-c", "/dev/null"]
        + ["--rootdir", str(tree)]
        + [word for word in arguments if word not in ours],
        cwd=tree,
        # Plugins collect nothing here, and take seconds to import.
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"^(\S+)/test_\w+\.py::", run.stdout, re.M)
    assert found, run.stdout + run.stderr
    return found


@pytest.fixture(scope="module")
def collected_by(tmp_path_factory):
    """The folders of tests that a target collects, tried on a tree of the same folders."""
    tree = tmp_path_factory.mktemp("tree")
    (tree / "notebooks").mkdir()
    for folder in FOLDERS:
        (tree / folder).mkdir(parents=True, exist_ok=True)
        name = "_".join(("test", *folder.parts))
        (tree / folder / f"{name}.py").write_text("def test_it(): pass\n", "utf-8")

    def collect(*target):
        made = subprocess.run(
            ["make", "--dry-run", "--no-print-directory", *target],
            cwd=ROOT,
            env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")},
            capture_output=True,
            text=True,
            check=True,
        )
        commands = [line.split() for line in made.stdout.splitlines() if "/pytest " in line]
        assert commands, made.stdout
        found = [name for _, *arguments in commands for name in collected(tree, arguments)]
        assert len(found) == len(set(found))
        return {Path(name) for name in found}

    return collect


def test_check_leaves_out_nothing_but_what_is_slow(collected_by):
    assert collected_by("check") == FOLDERS - SLOW


def test_the_parts_together_are_everything(collected_by):
    parts = [collected_by("test", f"PART={part}") for part in PARTS]
    assert set().union(*parts) == FOLDERS == collected_by("test")
    assert sum(map(len, parts)) == len(FOLDERS)


def test_nothing_holds_on_one_machine_only():
    found = []
    for path in files():
        text = text_of(path)
        for what, pattern in HERE_ONLY.items():
            match = pattern.search(text or "")
            if match:
                found.append(f"{path.relative_to(ROOT)}: {what}: {match[0]}")
    assert found == []


def test_what_holds_on_one_machine_only_would_be_found():
    planted = "see /ho" + "me/anna/x and /ro" + "ot/y, from https://py" + "pi.org/simple"
    assert all(pattern.search(planted) for pattern in HERE_ONLY.values())
    assert not HERE_ONLY["a path of one machine"].search("https://example.org/home/anna")


def test_no_file_is_too_large():
    sizes = {str(path.relative_to(ROOT)): path.stat().st_size for path in files()}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


def test_text_ends_with_one_newline_and_has_no_carriage_return():
    untidy = []
    for path in files():
        text = text_of(path)
        # What others wrote is kept as they wrote it.
        if (
            not text
            or path.parent.name in {"temml", "reveal"}
            or path.suffix in {".svg", ".js", ".css"}
        ):
            continue
        if "\r" in text or not text.endswith("\n") or text.endswith("\n\n"):
            untidy.append(str(path.relative_to(ROOT)))
    assert untidy == []


def test_nothing_that_is_made_is_kept():
    made = re.compile(r"(?:^|/)(?:_build|\.venv|__pycache__|\.ipynb_checkpoints)/|\.(?:pyc|tmp)$")
    names = [str(path.relative_to(ROOT)) for path in files()]
    assert [name for name in names if made.search(name)] == []
    assert any(name.startswith("lib/softlookup/") for name in names)


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("vendor.github-workflows", ".github/workflows/book.yml"),
        ("vendor.github-workflows", ".github/workflows/mutants.yml"),
        ("vendor.citation-file-format", "CITATION.cff"),
    ],
)
def test_the_file_keeps_its_published_schema(schema, name):
    checked = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema),
            *("--force-filetype", "yaml", str(ROOT / name)),
        ],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_schema_finds_a_fault(tmp_path):
    broken = tmp_path / "broken.yml"
    broken.write_text("on: push\njobs:\n  check:\n    steps: []\n    runs_on: x\n")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    checked = subprocess.run(
        [*command, "vendor.github-workflows", str(broken)], capture_output=True
    )
    assert checked.returncode == 1


def test_the_workflow_checks_linux_and_macos_and_publishes_what_was_checked():
    jobs = yaml.safe_load(text_of(ROOT / ".github/workflows/book.yml"))["jobs"]
    runs = runs_of(jobs["check"]["strategy"]["matrix"])
    assert {name.partition("-")[0] for _, name, _ in runs} == {"ubuntu", "macos"}
    commands = [step["run"] for step in jobs["check"]["steps"] if "run" in step]
    assert commands[-1] == "make test PART=${{ matrix.part }}"
    assert jobs["publish"]["needs"] == ["check", "environment"]
    assert "default_branch" in jobs["publish"]["if"]
    (upload,) = [
        step for step in jobs["publish"]["steps"] if "upload-pages" in step.get("uses", "")
    ]
    assert upload["with"]["path"] == re.search(r"^SITE := (.+)$", MAKEFILE, re.M)[1]


def runs_of(matrix):
    """The runs of a matrix: part, system, Python."""
    product = itertools.product(matrix["part"], matrix["os"], matrix["python"])
    more = [(each["part"], each["os"], each["python"]) for each in matrix["include"]]
    return [*product, *more]


def test_the_parts_are_the_whole_and_those_that_depend_on_no_python_run_once():
    jobs = yaml.safe_load(text_of(ROOT / ".github/workflows/book.yml"))["jobs"]
    runs = runs_of(jobs["check"]["strategy"]["matrix"])
    parts = {
        name: arguments.split()
        for name, arguments in re.findall(r"^TESTS_(\w+) := (.+)$", MAKEFILE, re.M)
    }
    whole = {each.removeprefix("--ignore=") for each in parts.pop("all")}
    assert {part for part, *_ in runs} == set(parts)
    count = {part: sum(part == run[0] for run in runs) for part in parts}
    assert count == {"library": 4, "chapters": 4, "banks": 1, "site": 1}
    # What the part of the library leaves out is what the other parts run.
    left_out = {each.removeprefix("--ignore=") for each in parts["library"] if "=" in each}
    assert [each for each in parts.pop("library") if "=" not in each] == ["tests"]
    others = set(itertools.chain.from_iterable(parts.values()))
    assert others == left_out | whole - {"tests"}


def test_a_real_solver_reads_the_environment_for_conda():
    jobs = yaml.safe_load(text_of(ROOT / ".github/workflows/book.yml"))["jobs"]
    _, solve, try_it = jobs["environment"]["steps"]
    assert solve["uses"].startswith("mamba-org/setup-micromamba@")
    assert (ROOT / solve["with"]["environment-file"]).exists()
    # Without a login shell the environment is not active, and the system's Python would answer.
    assert try_it["shell"] == "bash -el {0}"
    modules = re.fullmatch(r'python -c "import ([\w., ]+)"', try_it["run"])[1].split(", ")
    assert all(importlib.util.find_spec(module) for module in modules)


def test_the_bank_of_mistakes_is_tried_every_week():
    workflow = yaml.safe_load(text_of(ROOT / ".github/workflows/mutants.yml"))
    # YAML reads the key "on" as true.
    (schedule,) = workflow[True]["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", schedule["cron"])
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make mutants"]


def test_licences_are_stated_alike_everywhere():
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    citation = yaml.safe_load(text_of(ROOT / "CITATION.cff"))
    assert project["license"] == "MIT"
    assert citation["license"] == ["MIT", "CC-BY-4.0"]
    assert citation["version"] == project["version"]
    assert text_of(ROOT / "LICENSE").startswith("MIT License\n")
    assert "creativecommons.org/licenses/by/4.0/" in text_of(ROOT / "LICENSE-TEXT")


def test_the_package_states_the_version_of_the_project():
    import softlookup

    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    assert softlookup.__version__ == project["version"]


def test_the_script_for_ci_is_sound():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111 == 0o111
    assert script.read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in script.read_text("utf-8")
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
