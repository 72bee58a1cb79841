"""Writes ``bank/verdicts.md``, the tables of all attacks, from what the tests assert.

::

    python tests/coursework/hostile_table.py
"""

import hostile_archives
import hostile_bank as bank
import hostile_files
import hostile_malformed
import hostile_notebooks

PAGE = bank.BANK / "verdicts.md"
SCORED = ("verdict", "points")


def text():
    """The page."""
    parts = [
        "# What each attack comes to",
        "Points that an attack earns are for honest answers beside it. The assignment's tests "
        "give 8.",
        "## By code",
        table("The code", bank.by_code()),
        "<!-- by other means -->",
        "## By the notebook",
        table("The notebook", [*hostile_notebooks.MADE, *hostile_malformed.MADE]),
        "## By files",
        table("The file", hostile_files.MADE),
        "## By the archive",
        table("The archive or its member", hostile_archives.MADE, ("comes to", "why")),
    ]
    return "\n\n".join(parts) + "\n"


def table(what, attacks, columns=SCORED):
    """A table in Markdown."""
    lines = [f"| {what} | {' | '.join(columns)} |", "| --- | --- | --- |"]
    for attack in attacks:
        does = attack.does[0].lower() + attack.does[1:]
        outcome = (
            (attack.verdict, f"{attack.earns:g}")
            if columns == SCORED
            else (attack.verdict, attack.says)
        )
        cells = [cell.replace("|", "\\|").replace("``", "`") for cell in (does, *outcome)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
