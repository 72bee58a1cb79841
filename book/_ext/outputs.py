"""What a chapter printed, set by what it is.

Claims and the verdicts on exercises are sentences: they wrap, where other outputs scroll. Each
claim gets an anchor, to which the page of all claims leads.
"""

import re
from itertools import groupby

from docutils import nodes
from softlookup.course.claims import parse
from sphinx.application import Sphinx

VERDICT = re.compile(r"Exercise \d+\.\d+, (passed|not yet|to do): ")


def anchor(claim_id: str) -> str:
    """The anchor of a claim in its chapter."""
    return f"claim-{claim_id}"


def kind(line: str) -> str:
    """What a printed line is: a claim, a verdict, or anything else, which has no name."""
    if parse(line) is not None:
        return "claims"
    return "verdict" if VERDICT.match(line) else ""


def set_apart(output: nodes.literal_block) -> list[nodes.Node]:
    """The output cut into runs of lines of one kind, with the claims' anchors before them."""
    pieces: list[nodes.Node] = []
    for name, run in groupby(output.astext().splitlines(), key=kind):
        lines = list(run)
        text = "\n".join(lines)
        if not text.strip():
            continue
        claims = [claim for claim in map(parse, lines) if claim is not None]
        pieces += [nodes.target("", "", ids=[anchor(claim.id)]) for claim in claims]
        piece = nodes.literal_block(text, text, **output.attributes)
        piece["classes"] = [*output["classes"], *filter(None, [name])]
        pieces.append(piece)
    return pieces


def set_outputs(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the outputs in which there is a claim or a verdict."""
    for output in list(doctree.findall(nodes.literal_block)):
        in_output = "output" in output["classes"]
        if in_output and any(kind(line) for line in output.astext().splitlines()):
            pieces = set_apart(output)
            output.replace_self(pieces)
            # The first piece inherits the classes of what it replaces; an anchor has no look.
            for target in (piece for piece in pieces if isinstance(piece, nodes.target)):
                target["classes"] = []


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("doctree-read", set_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
