"""Small marks that lead from what a reader keeps to the claim that bears it.

In prose it is the role ``{claim}`5-causal-no-leak```, with one id, or several between commas.
Beneath a figure it comes from the cell's metadata, ``"softlookup": {"shows": ["5-no-leak"]}``. The
mark says whether a law or a finding stands behind the sentence; the claim itself is its title.
"""

from claim_words import anchor
from contents import claims_by_id
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.logging import getLogger

logger = getLogger(__name__)


def marks(app: Sphinx, docname: str, ids: list[str]) -> list[nodes.Node]:
    """A link for each claim, from a page to where the claim was checked.

    Raises:
        KeyError: if there is no such claim.
    """
    known = claims_by_id(app)
    made: list[nodes.Node] = []
    for claim_id in ids:
        chapter, claim = known[claim_id]
        app.env.note_dependency(app.env.doc2path(chapter.docname))
        elsewhere = chapter.docname != docname
        page = app.builder.get_relative_uri(docname, chapter.docname) if elsewhere else ""
        link = nodes.reference(
            "",
            claim.kind,
            internal=True,
            refuri=f"{page}#{anchor(claim_id)}",
            reftitle=claim.statement,
            classes=["claim-mark", f"claim-mark-{claim.kind}"],
        )
        made += [nodes.Text("\N{NO-BREAK SPACE}"), link]
    return made


class ClaimRole(SphinxRole):
    """The role ``claim``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Make the role's nodes."""
        ids = [each.strip() for each in self.text.split(",")]
        try:
            return marks(self.env.app, self.env.docname, ids), []
        except KeyError as unknown:
            message = f"there is no claim {unknown}; expected one that a chapter states"
            logger.warning(message, location=self.get_location())
            return [], []


def mark_figures(app: Sphinx, doctree: nodes.document) -> None:
    """Set beneath each figure the claims that its cell says it shows."""
    for cell in doctree.findall(nodes.container):
        ids = cell.get("cell_metadata", {}).get("softlookup", {}).get("shows", [])
        if ids:
            line = nodes.paragraph("", "Checked:", classes=["claim-marks"])
            line += marks(app, app.env.docname, ids)
            cell += line


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_role("claim", ClaimRole())
    app.connect("doctree-read", mark_figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
