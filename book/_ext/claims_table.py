"""The directive ``claims-table``: every claim of the book, with a link to where it was checked.

Nothing is typed by hand. The chapters store what ``softlookup.course.claims.check`` printed; here
those lines are read again and set as tables.
"""

from contents import Chapter, book_chapters
from docutils import nodes
from outputs import anchor
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RELATION_SIGNS = {"<=": "≤", "<": "<", ">=": "≥", ">": ">"}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def pretty(value: float) -> str:
    """A number as people write it: ``6.1e-05`` becomes ``6.1 × 10⁻⁵``."""
    text = f"{value:.3g}"
    if "e" not in text:
        return text.replace("-", "−")
    digits, exponent = text.split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if digits == "1" else f"{digits.replace('-', '−')} × {power}"


class ClaimsTable(SphinxDirective):
    """A count, then a section with a table for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        chapters = book_chapters(self.env.app)
        total = sum(len(chapter.claims) for chapter in chapters)
        for chapter in chapters:
            self.env.note_dependency(self.env.doc2path(chapter.docname))
        count = nodes.paragraph(
            text=f"{total} claims in {len(chapters)} chapters, all of them true."
        )
        return [count, *(self._section(chapter) for chapter in chapters)]

    def _section(self, chapter: Chapter) -> nodes.section:
        section = nodes.section(ids=[f"claims-{chapter.id}"], names=[f"claims-{chapter.id}"])
        heading = f"Chapter {chapter.number}: {chapter.title}"
        number = len(chapter.claims)
        section += nodes.title(text=heading)
        section += nodes.paragraph(text=f"{number} {'claim' if number == 1 else 'claims'}.")
        if chapter.claims:
            section += self._table(chapter)
        return section

    def _table(self, chapter: Chapter) -> nodes.table:
        group = nodes.tgroup(cols=4)
        group += [nodes.colspec(colwidth=width) for width in (22, 50, 14, 14)]
        head, body = nodes.thead(), nodes.tbody()
        head += _row(
            *(nodes.Text(text) for text in ("Claim", "What is claimed", "Measured", "Bound"))
        )
        page = self.env.app.builder.get_relative_uri(self.env.docname, chapter.docname)
        for claim in chapter.claims:
            link = nodes.reference(
                "",
                claim.id,
                internal=True,
                refuri=f"{page}#{anchor(claim.id)}",
                classes=["claim-id"],
            )
            body += _row(
                link,
                nodes.Text(claim.statement),
                nodes.Text(pretty(claim.measured)),
                nodes.Text(f"{RELATION_SIGNS[claim.relation]} {pretty(claim.bound)}"),
            )
        group += [head, body]
        return nodes.table("", group, classes=["claims-table"])


def _row(*cells: nodes.Node) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        row += nodes.entry("", nodes.paragraph("", "", cell))
    return row


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("claims-table", ClaimsTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
