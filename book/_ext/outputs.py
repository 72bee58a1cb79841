"""What a chapter printed, set by what it is.

Claims are drawn, each under an anchor to which marks and the page of all claims lead. Claims and
the verdicts on exercises are sentences: they wrap, where other outputs scroll.
"""

import re
from itertools import groupby

from claim_drawn import drawn
from docutils import nodes
from softlookup.course.claims import parse
from sphinx.application import Sphinx

VERDICT = re.compile(r"Exercise \d+\.\d+, (passed|not yet|to do): ")


def kind(line: str) -> str:
    """What a printed line is: a claim, a verdict, or anything else, which has no name."""
    if parse(line) is not None:
        return "claims"
    return "verdict" if VERDICT.match(line) else ""


def set_apart(output: nodes.literal_block) -> list[nodes.Node]:
    """The output cut into runs of lines of one kind: claims drawn, the rest as it was printed."""
    pieces: list[nodes.Node] = []
    for name, run in groupby(output.astext().splitlines(), key=kind):
        lines = list(run)
        text = "\n".join(lines)
        if not text.strip():
            continue
        if name == "claims":
            claims = filter(None, map(parse, lines))
            pieces.append(nodes.container("", *map(drawn, claims), classes=["claims"]))
            continue
        piece = nodes.literal_block(text, text, **output.attributes)
        piece["classes"] = [*output["classes"], *filter(None, [name])]
        pieces.append(piece)
    return pieces


def set_outputs(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the outputs in which there is a claim or a verdict."""
    for output in list(doctree.findall(nodes.literal_block)):
        in_output = "output" in output["classes"]
        if in_output and any(kind(line) for line in output.astext().splitlines()):
            parent, place = output.parent, output.parent.index(output)
            parent[place : place + 1] = set_apart(output)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("doctree-read", set_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
