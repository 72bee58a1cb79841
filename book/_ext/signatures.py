"""Signatures in the reference as they stand in the source.

``jaxtyping`` keeps shapes such as ``Float[Tensor, "queries keys"]`` in classes that Sphinx would
print by their internal names. The source says them best, so it is what is shown.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.addnodes import desc_signature, pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def written_signature(thing: Callable[..., Any]) -> tuple[str, str] | None:
    """The parameters and the result of a function or method as its author wrote them.

    Returns:
        The parameters in brackets and the annotation of the result, or None where there is
        no source.
    """
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(thing)))
        function = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    positional = function.args.posonlyargs + function.args.args
    if positional and positional[0].arg in ("self", "cls"):
        positional[0].arg = ""
    parameters = ast.unparse(function.args).lstrip(" ,").replace("'", '"')
    result = ast.unparse(function.returns).replace("'", '"') if function.returns else ""
    return f"({parameters})", result


def process(
    app: Sphinx,
    what: str,
    name: str,
    thing: Any,
    options: Any,
    signature: str | None,
    result: str | None,
) -> tuple[str, str] | None:
    """Replace what autodoc made; for a class, its construction is its signature."""
    if what == "class":
        written = (
            None if hasattr(thing, "__dataclass_fields__") else written_signature(thing.__init__)
        )
        return (written[0], "") if written else None
    if what in ("function", "method"):
        return written_signature(thing)
    return None


def leave_unlinked(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Set types of other libraries, such as ``Tensor``, without a link.

    Only what a signature or a field names is let go: a reference that a page's author wrote
    and that leads nowhere still fails the build.
    """
    from_annotation = node.get("refdomain") == "py" and not node.get("refexplicit")
    if from_annotation and node.get("reftype") in ("class", "exc", "obj"):
        return content
    return None


def quote_as_written(app: Sphinx, doctree: nodes.document) -> None:
    """Give shapes back their double quotes, which Sphinx prints as single ones."""
    for signature in doctree.findall(desc_signature):
        for text in list(signature.findall(nodes.Text)):
            if len(text) > 1 and text.startswith("'") and text.endswith("'"):
                text.parent.replace(text, nodes.Text(f'"{text[1:-1]}"'))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("missing-reference", leave_unlinked)
    app.connect("doctree-read", quote_as_written)
    app.connect("autodoc-process-signature", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
