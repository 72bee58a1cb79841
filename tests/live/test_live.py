"""The live figures' JavaScript: its own tests in Node, its types, its form, and what it ships."""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import unicodedata

import pytest
from chapters import ROOT
from softlookup.data import edition
from softlookup.pretrained.small_gpt import load_small_gpt

sys.path += [str(ROOT / "tools"), str(ROOT / "book" / "_ext")]

import gpt_script  # isort: skip
import node  # isort: skip

HERE = ROOT / "tests" / "live"
LIVE = ROOT / "book" / "_static" / "live"
MODULES = HERE / "node_modules"
LONGEST = 250
TESTS = sorted(path.name for path in HERE.glob("*.test.js"))


@pytest.fixture(scope="module")
def modules():
    """What npm has installed."""
    if not MODULES.exists():
        pytest.fail("tests/live/node_modules is missing: run make check, or npm ci in tests/live")
    return MODULES


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The weights that are made when the book is built."""
    folder = tmp_path_factory.mktemp("made")
    gpt_script.write(folder)
    return folder


def run(*words, **options):
    """Run a command of Node in the folder of these tests."""
    called = [*node.command("node"), *map(str, words)]
    return subprocess.run(called, cwd=HERE, capture_output=True, text=True, **options)


def test_there_are_tests_for_the_maths():
    assert "maths.test.js" in TESTS


@pytest.mark.parametrize("name", TESTS)
def test_the_figures_compute_what_pytorch_computes(name, made):
    ran = run("--test", name, env=os.environ | {"LIVE_MADE": str(made)})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (passed,) = re.findall(r"^(?:# |ℹ )pass (\d+)$", ran.stdout, re.M)
    assert int(passed) > 0


def many_texts():
    """Each line of the edition, and strings of characters from all of Unicode."""
    chance = random.Random(0)
    assigned = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in {"Cn", "Cs", "Co"}
    ]
    common = " \t\n.,'’aé1½Ω注\u00a0🙂\u0301"
    strange = [
        "".join(chance.choice(assigned if chance.random() < 0.3 else common) for _ in range(30))
        for _ in range(3000)
    ]
    return [*edition.text().split("\n"), *strange]


def test_many_texts_become_the_librarys_tokens(made):
    texts, tokens = many_texts(), load_small_gpt().tokens
    encoded = run(
        "encode.js", input=json.dumps(texts), env=os.environ | {"LIVE_MADE": str(made)}
    ).stdout
    for text, (ids, decoded) in zip(texts, json.loads(encoded), strict=True):
        assert ids == tokens.encode(text).tolist(), repr(text)
        assert decoded == text


def test_the_types_fit(modules):
    ran = run(modules / "typescript/bin/tsc", "--project", "tsconfig.json")
    assert ran.returncode == 0, ran.stdout


def test_a_type_that_does_not_fit_is_found(modules, tmp_path):
    sources = [*LIVE.glob("maths/*.js")]
    wrong = tmp_path / "wrong.js"
    wrong.write_text('SoftLookup.attention.softmax("words", "more").toFixed();\n')
    flags = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "ES2022"]
    ran = run(modules / "typescript/bin/tsc", *flags, *sources, wrong)
    assert ran.returncode != 0
    assert {line.partition("(")[0].rpartition("/")[2] for line in ran.stdout.splitlines()} == {
        "wrong.js"
    }, ran.stdout


def test_the_form_is_biomes(modules):
    ran = run(modules / "@biomejs/biome/bin/biome", "ci", "--error-on-warnings", LIVE, ".")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_ships_of_d3_is_what_npm_has(modules):
    """To the byte, and of the version that the lock names."""
    shipped = sorted(LIVE.glob("vendor/d3-*.min.js"))
    assert shipped
    for path in shipped:
        name = path.name.removesuffix(".min.js")
        original = modules / name / "dist" / path.name
        assert digest(path) == digest(original), path.name
        licence = "LICENSE-d3-path" if name == "d3-path" else "LICENSE"
        assert digest(LIVE / "vendor" / licence) == digest(modules / name / "LICENSE")
    names = {path.name.removesuffix(".min.js") for path in shipped}
    wanted = json.loads((HERE / "package.json").read_text())["devDependencies"]
    assert names == {name for name in wanted if name.startswith("d3-")}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


def test_what_ships_of_reveal_is_what_npm_has(modules):
    shipped = ROOT / "book" / "_static" / "vendor" / "reveal"
    originals = {
        "reveal.js": "dist/reveal.js",
        "reveal.css": "dist/reveal.css",
        "notes.js": "dist/plugin/notes.js",
        "LICENSE": "LICENSE",
    }
    assert {path.name for path in shipped.iterdir()} == set(originals)
    for name, original in originals.items():
        assert digest(shipped / name) == digest(modules / "reveal.js" / original), name


def test_the_lock_serves_every_system_and_names_no_registry():
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    packages = lock["packages"]
    wanted = packages["node_modules/@biomejs/biome"]["optionalDependencies"]
    assert {f"node_modules/{name}" for name in wanted} <= set(packages)
    assert all("integrity" in each for path, each in packages.items() if path)
    assert not any("resolved" in each for each in packages.values())


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def own_scripts():
    return [path for path in LIVE.rglob("*.js") if path.parent.name not in {"vendor", "weights"}]


@pytest.mark.parametrize("path", own_scripts(), ids=lambda path: path.stem)
def test_a_script_can_be_read_in_a_sitting(path):
    text = path.read_text("utf-8")
    assert text.startswith("// ")
    assert text.count("\n") <= LONGEST
    assert '"use strict";' in text
    # From disk neither modules nor requests work; and nothing is asked of another host.
    for word in ("fetch(", "XMLHttpRequest", 'import("http', "https://", "http://", "setInterval"):
        assert word not in text.replace("http://www.w3.org/2000/svg", ""), word


@pytest.mark.parametrize("path", sorted(LIVE.glob("weights/*.js")), ids=lambda path: path.stem)
def test_the_weights_of_a_chapter_are_light(path):
    assert path.stat().st_size < 400_000
    assert path.read_text("utf-8").startswith("// Made by tools/export_live.py")


def test_every_figure_has_its_scripts_and_a_test():
    for described in LIVE.glob("figures/*.json"):
        assert described.with_suffix(".js").exists()
        figure = json.loads(described.read_text("utf-8"))
        assert figure["title"]
        assert f"{described.stem}.test.js" in TESTS
        module = described.stem.replace("-", "_")
        assert (ROOT / "tools" / "live_figures" / f"{module}.py").exists()
