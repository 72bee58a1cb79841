"""Code that checks and code that draws is folded; the code that teaches stands open.

A cell often trains a model, draws a curve and checks a claim. On the site its source is cut between
statements: those that state claims or judge predictions, and those that draw, fold away, each run
under a line of its own. A cell that its chapter hides as a whole stays so.
"""

import ast
from collections.abc import Iterator
from itertools import groupby

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx

# It stands with what is before it, and would say nothing in a block of its own.
SHOWS = "plt.show()"
CHECKS = ("claims.law", "claims.finding", "predictions.compare")
PROMPTS = {"check": "Show how it was checked", "drawing": "Show how it was drawn"}
HIDING = {"check": "Hide how it was checked", "drawing": "Hide how it was drawn"}


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def kinds(statements: list[ast.stmt]) -> Iterator[str]:
    """What each statement is for: a check, a drawing, or anything else, which has no name."""
    drawn: set[str] = set()
    kind = ""
    for statement in statements:
        source = ast.unparse(statement)
        if isinstance(statement, ast.Expr) and source.startswith(CHECKS):
            kind = "check"
        elif isinstance(statement, ast.Assign) and "style.canvas(" in source:
            drawn |= {name for target in statement.targets for name in _names(target)}
            kind = "drawing"
        elif source != SHOWS:
            kind = "drawing" if _names(statement) & drawn else ""
        yield kind


def pieces(source: str) -> list[tuple[str, str]]:
    """The source cut between statements: for each run of one kind its kind and its lines.

    Comments and empty lines belong to the statement behind them.
    """
    statements = ast.parse(source).body
    if not statements:
        return [("", source)]
    lines = source.splitlines()
    cut: list[tuple[str, str]] = []
    start = 0
    ends = [statement.end_lineno or 0 for statement in statements[:-1]] + [len(lines)]
    placed = zip(kinds(statements), ends, strict=True)
    for kind, run in groupby(placed, key=lambda pair: pair[0]):
        end = max(end for _, end in run)
        cut.append((kind, "\n".join(lines[start:end]).strip("\n")))
        start = end
    return cut


def fold(code: nodes.literal_block) -> list[nodes.Node]:
    """A cell's code as blocks, of which those that check and draw are folded."""
    blocks: list[nodes.Node] = []
    for kind, text in pieces(code.astext()):
        block = nodes.literal_block(text, text, **code.attributes)
        if not kind:
            blocks.append(block)
            continue
        hidden = HideCodeCellNode(prompt_show=PROMPTS[kind], prompt_hide=HIDING[kind])
        hidden["classes"].append("above-input")
        hidden += block
        blocks.append(hidden)
    return blocks


def set_folds(app: Sphinx, doctree: nodes.document) -> None:
    """Fold what checks and draws, in the cells that stand open."""
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") != "cell_code" or cell.get("hide_mode") or not cell.children:
            continue
        code = cell.children[0]
        if code.get("nb_element") != "cell_code_source" or not len(code):
            continue
        found = code.children[0]
        tags = cell.get("cell_metadata", {}).get("tags", [])
        # The stub of an exercise ends in its check, which the learner is to see.
        if isinstance(found, nodes.literal_block) and not any("exercise:" in tag for tag in tags):
            blocks = fold(found)
            if len(blocks) > 1 or not isinstance(blocks[0], nodes.literal_block):
                code[:] = blocks


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("doctree-read", set_folds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
