"""The commands ``template`` and ``check``: a private assignment, begun and tried."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.commands.options import NEEDS_A_HUMAN, short
from softlookup_coursework.commands.tables import say, table
from softlookup_coursework.common.usage_error import UsageError


def template(
    folder: Annotated[Path, typer.Argument(help="The assignment's folder, to be made.")],
) -> None:
    """Begin an assignment of your own: a small complete one, to be rewritten.

    Example: softlookup-coursework template private/soft_choice
    """
    from softlookup_coursework.assignments.source import TEMPLATE

    if not folder.name.isidentifier():
        raise UsageError(
            f"{folder.name}: expected a name of letters, digits and _, such as soft_choice"
        )
    if folder.exists():
        raise UsageError(f"{folder} exists; give a folder that is not there yet")
    if not TEMPLATE.is_dir():
        raise UsageError(f"there is no {TEMPLATE}; work in a clone of the course")
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / f"{TEMPLATE.name}.ipynb").rename(folder / f"{folder.name}.ipynb")
    say(f"{short(folder.resolve())} is an assignment. Rewrite it, and check it.")


def check(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="A private assignment's folder.")
    ],
    terms: Annotated[int, typer.Option(min=2, help="In how many terms the solution is tried.")] = 3,
) -> None:
    """Check an assignment of your own as the course checks its own; nothing is released.

    It runs your solution and your tests on this machine, as `release` does with your permissions.

    Example: softlookup-coursework check private/soft_choice
    """
    from softlookup_coursework.assignments import private, source
    from softlookup_coursework.assignments.term import Term
    from softlookup_coursework.checking.checks import CHECKS, Rendered, shown

    folder = folder.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        try:
            with private.whole(folder.name, folder.parent) as whole:
                rendered = [
                    Rendered.make(whole, Path(temporary, str(number), folder.name), term)
                    for number, term in enumerate(Term(f"check {n}") for n in range(terms))
                ]
        except ValueError as error:
            raise UsageError(str(error)) from error
        described = source.describe(rendered[0].folder / f"{folder.name}.ipynb")
        rows = []
        for one in CHECKS:
            faults = list(one.wrong(rendered, folder / "answers"))
            found, remedy = (shown(faults), one.remedy) if faults else (one.asks, "")
            rows.append((one.name, "NO" if faults else "yes", found, remedy))
    table(described.title, ["what", "fine", "found", "what to do"], rows)
    if any(row[1] == "NO" for row in rows):
        raise typer.Exit(NEEDS_A_HUMAN)
