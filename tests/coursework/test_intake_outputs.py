"""A notebook that is large by its outputs is taken without them, and nothing else of it changes."""

import json

import pytest
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.intake import outputs
from softlookup_coursework.intake.collect import Taken, collect
from softlookup_coursework.intake.notebook import parse
from softlookup_coursework.intake.outputs import without_outputs
from test_intake import GOOD, archive, folder

TRAP = 'x = {"outputs": ["]"]}  # \\" \\\\ "outputs": [{'


def drawn(text="x"):
    """A notebook with outputs of every kind, and with what only looks like them."""
    shown = {
        "output_type": "display_data",
        "data": {"text/html": [TRAP, text, 1.5, None, {"a": []}]},
    }
    cells = [
        {"cell_type": "code", "source": TRAP, "outputs": [shown, [[]], {}], "metadata": {}},
        {"cell_type": "code", "outputs": [], "source": [TRAP, "]"], "execution_count": None},
        {"outputs": [shown], "cell_type": "markdown", "source": "outputs", "outputs2": [1],
         "metadata": {"outputs": [1], "nbgrader": {"grade_id": "outputs", "outputs": [[2]]}}},
        {"cell_type": "raw", "source": "", "outputs": {"outputs": [3]}},
        {"cell_type": "raw", "source": "", "outputs": "outputs"},
    ]  # fmt: skip
    return {"nbformat": 4, "cells": cells, "outputs": [4], "metadata": {"a": [{"outputs": [5]}]}}


def emptied(notebook):
    for cell in notebook["cells"]:
        if isinstance(cell.get("outputs"), list):
            cell["outputs"] = []
    return notebook


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_nothing_but_the_lists_of_outputs_is_left_out(mark, plain, indent):
    text = json.dumps(drawn("Grüße 🎉"), indent=indent, ensure_ascii=plain)
    left = without_outputs(mark + text.encode())
    assert json.loads(left.decode("utf-8-sig")) == emptied(drawn())
    assert left.startswith(mark)
    assert without_outputs(left) == left


@pytest.mark.parametrize("make", [archive, folder])
def test_a_notebook_that_is_large_by_its_outputs_is_taken(make, tmp_path):
    limits = IntakeLimits()
    content = json.dumps(drawn("x" * limits.notebook_bytes)).encode()
    source = make(tmp_path / "in", {"ada/attention.ipynb": content, "ben/attention.ipynb": GOOD})
    rows = collect(source, "attention", tmp_path / "out")
    assert [(row.student, row.taken, row.why) for row in rows] == [
        ("ada", Taken.TAKEN, ""), ("ben", Taken.TAKEN, ""),
    ]  # fmt: skip
    stored = (tmp_path / "out/ada/notebook.ipynb").read_bytes()
    assert parse(stored, limits) == parse(json.dumps(drawn()).encode(), limits)


@pytest.mark.parametrize("make", [archive, folder])
def test_a_notebook_that_is_large_by_what_it_says_is_told_what_to_do(make, tmp_path):
    stored = drawn() | {"more": "x" * IntakeLimits().notebook_bytes}
    files = {"ada/attention.ipynb": json.dumps(stored).encode(), "ben/attention.ipynb": GOOD}
    (row, _) = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert (row.taken, row.why) == (
        Taken.REFUSED,
        "the notebook is larger than 10,485,760 bytes; clear its outputs, save it, and hand it in "
        "again",
    )


@pytest.mark.parametrize(
    "content",
    [b"", b"\"", b"\\", b"]", b'{"cells":[{"outputs":[', b'{"cells":[{"outputs":["\\', b"[" * 4099,
     b'"\\"' * 997, b'{"cells":[{"outputs"', b'{"cells":[{"outputs": 7}]}', b"\xff\xfe\x00",
     json.dumps(drawn()).encode("utf-16")],
)  # fmt: skip
def test_what_is_no_notebook_is_left_as_it_is(content):
    assert without_outputs(content) == content


def test_no_more_is_looked_at_than_takes_seconds(monkeypatch):
    content = json.dumps(drawn()).encode()
    signs = sum(content.count(sign) for sign in (b'"', b"[", b"]", b"{", b"}"))
    monkeypatch.setattr(outputs, "MOST_SIGNS", signs // 3)
    assert without_outputs(content) == content
