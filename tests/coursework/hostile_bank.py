"""The assignment that the bank is graded on, and its submissions."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

BANK = Path(__file__).parent / "bank"


def cell(source, kind="code", claims=None, metadata=None, **graded):
    """A cell of a notebook."""
    if claims:
        metadata = {
            **(metadata or {}),
            "nbgrader": {"grade_id": claims, "schema_version": 3, **graded},
        }
    return {"cell_type": kind, "source": source, "metadata": metadata or {}, "outputs": [],
            "execution_count": None}  # fmt: skip


def notebook(cells):
    """A notebook's text."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


ANSWER = """
def attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, -1) @ value
"""
WRONG = "def attention(query, key, value):\n    return torch.zeros(2, 5, 3)\n"
MODULE = """
class Scaler(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
    def forward(self, tokens):
        return tokens * self.weight
"""
SETUP = "import math\nimport torch"
LOCKED = {"locked": True, "solution": False}
TESTS = {"grade": True, **LOCKED}
ESSAY = {"grade": True, "solution": True, "locked": False, "points": 5}


def cells(answer=ANSWER, module=MODULE):
    """The assignment's cells, with a student's answers."""
    return [
        cell("# Attention", "markdown"),
        cell(SETUP, claims="setup", grade=False, **LOCKED),
        cell(answer, claims="attention", grade=False, locked=False, solution=True),
        cell("tests.rows_sum_to_one(attention)", claims="rows", points=1, **TESTS,
             metadata={"softlookup": {"tests": {"visible.rows_sum_to_one": 1}}}),
        cell("tests.scores_are_scaled(attention)", claims="scale", points=4, **TESTS,
             metadata={"softlookup": {"tests": {
                 "visible.scores_are_scaled": 2, "hidden.large_scores": 2}}}),
        cell(module, claims="module", grade=False, locked=False, solution=True),
        cell("", claims="modules", points=3, **TESTS,
             metadata={"softlookup": {"tests": {"hidden.module_agrees": 3}}}),
        cell("Because.", "markdown", claims="essay", **ESSAY),
    ]  # fmt: skip


def write_assignment(folder, forbids=("scaled_dot_product_attention",)):
    """Write the assignment into a folder; its tests are the bank's."""
    metadata = {"softlookup": {"forbids": [*forbids]}}
    stored = {**json.loads(notebook(cells())), "metadata": metadata}
    (folder / "attention.ipynb").write_text(json.dumps(stored))
    shutil.copytree(BANK / "assignment" / "tests", folder / "tests")
    (folder / "term.json").write_text(json.dumps({"parameters": {}, "seed": 20_261_121}))
    return folder


def write_submission(folder, content, files=()):
    """Write a submission as intake leaves it."""
    (folder / "files").mkdir(parents=True)
    text = content if isinstance(content, bytes) else notebook(content).encode()
    (folder / "notebook.ipynb").write_bytes(text)
    for name, file in dict(files).items():
        (folder / "files" / name).write_bytes(file)
    return folder


@dataclass(frozen=True)
class Attack:
    """An attack and its expected result.

    Attributes:
        name: of the attack.
        does: what it tries.
        verdict: the expected one.
        earns: the points that the honest answers beside it are worth.
        says: words that a message, a note or the reason must contain.
        make: makes the submission; its arguments depend on the list of attacks.
    """

    name: str
    does: str
    verdict: str
    earns: float
    says: str
    make: Callable[..., Any]


def entering(attacks):
    """A decorator that adds functions to a list of attacks, described by their docstrings."""

    def comes_to(verdict, earns=0.0, says=""):
        def enter(make):
            does = make.__doc__.strip().rstrip(".")
            attacks.append(Attack(make.__name__, does, verdict, earns, says, make))
            return make

        return enter

    return comes_to


def by_code():
    """The attacks by code, by name. Each makes a notebook's bytes from the server's port."""
    found = []
    for path in sorted((BANK / "hostile").glob("*.py")):
        source = path.read_text()
        header = dict(re.findall(r"^# (does|verdict|earns|says): (.+)$", source, re.M))
        earns = float(header.pop("earns"))
        found.append(Attack(path.stem, earns=earns, make=partial(_with_code, source), **header))
    return found


def _with_code(source, port):
    return notebook(cells(source.replace("PORT", str(port)), "pass")).encode()
