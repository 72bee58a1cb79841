"""The directive ``claims-table``: every claim of the book, with a link to where it was checked.

Nothing is typed by hand. The chapters store what ``softlookup.course.claims`` printed; here those
lines are read again and set as tables: for each chapter its findings, with what was varied and what
the rivals gave, then its laws.
"""

from collections import Counter
from collections.abc import Iterable

from claim_words import RELATION_SIGNS, anchor, pretty, spread
from contents import Chapter, book_chapters
from docutils import nodes
from softlookup.course.claims import Claim
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

KINDS = (("finding", "findings"), ("law", "laws"))


def counted(claims: Iterable[Claim]) -> str:
    """How many claims there are of each kind, in words: "3 findings and 2 laws"."""
    numbers = Counter(claim.kind for claim in claims)
    parts = [
        f"{number} {kind if number == 1 else plural}"
        for kind, plural in KINDS
        if (number := numbers[kind])
    ]
    return " and ".join(parts)


class ClaimsTable(SphinxDirective):
    """A count, then a section with a table for each kind of each chapter's claims."""

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        chapters = book_chapters(self.env.app)
        for chapter in chapters:
            self.env.note_dependency(self.env.doc2path(chapter.docname))
        total = counted(claim for chapter in chapters for claim in chapter.claims)
        count = nodes.paragraph(text=f"{total} in {len(chapters)} chapters, all of them true.")
        return [count, *(self._section(chapter) for chapter in chapters)]

    def _section(self, chapter: Chapter) -> nodes.section:
        section = nodes.section(ids=[f"claims-{chapter.id}"], names=[f"claims-{chapter.id}"])
        section += nodes.title(text=f"Chapter {chapter.number}: {chapter.title}")
        section += nodes.paragraph(text=f"{counted(chapter.claims) or 'No claims'}.")
        for kind, _ in KINDS:
            claims = [claim for claim in chapter.claims if claim.kind == kind]
            if claims:
                section += self._table(chapter, claims)
        return section

    def _table(self, chapter: Chapter, claims: list[Claim]) -> nodes.table:
        headings = {"finding": "Finding", "law": "Law"}
        head, body = nodes.thead(), nodes.tbody()
        columns = (headings[claims[0].kind], "What is claimed", "Measured", "Bound")
        head += _row(*([nodes.Text(text)] for text in columns))
        page = self.env.app.builder.get_relative_uri(self.env.docname, chapter.docname)
        for claim in claims:
            link = nodes.reference(
                "",
                claim.id,
                internal=True,
                refuri=f"{page}#{anchor(claim.id)}",
                classes=["claim-id"],
            )
            body += _row(
                [link],
                [nodes.Text(claim.statement), *_rivals(claim)],
                [nodes.Text(spread(claim.measured)), *_over(claim)],
                [nodes.Text(f"{RELATION_SIGNS[claim.relation]} {pretty(claim.bound)}")],
            )
        group = nodes.tgroup(cols=4)
        group += [nodes.colspec(colwidth=width) for width in (22, 50, 14, 14)]
        group += [head, body]
        return nodes.table("", group, classes=["claims-table"])


def _rivals(claim: Claim) -> list[nodes.Node]:
    """What was run in the finding's place, each beneath the finding."""
    return [
        nodes.inline("", f"Rival: {rival.name}, {spread(rival.measured)}", classes=["rival"])
        for rival in claim.rivals
    ]


def _over(claim: Claim) -> list[nodes.Node]:
    """What was varied, beneath what was measured."""
    return [nodes.inline("", f"over {claim.over}", classes=["over"])] if claim.over else []


def _row(*cells: list[nodes.Node]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        row += nodes.entry("", nodes.paragraph("", "", *cell))
    return row


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("claims-table", ClaimsTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
