"""Where a chapter's page counts its reader's predictions, and those of the part that it ends."""

import json

from contents import Chapter, book_chapters
from docutils import nodes
from sphinx.application import Sphinx


def tally(chapter: Chapter, name_of_part: str, part: list[Chapter]) -> nodes.raw:
    """Where the page's script counts the reader's predictions; empty and unseen without it."""
    counts = {each.id: each.predictions for each in part}
    last = part[-1].id == chapter.id
    about = {"chapter": chapter.id, "part": name_of_part if last else "", "counts": counts}
    text = json.dumps(about).replace("'", "&#39;")
    return nodes.raw("", f"<div class='tally' data-about='{text}' hidden></div>", format="html")


def part_of(app: Sphinx, chapter: Chapter) -> tuple[str, list[Chapter]]:
    """The name of the part in which a chapter stands, and the chapters in that part."""
    known = {each.docname: each for each in book_chapters(app)}
    for part in app.config.external_site_map.root.subtrees:
        if chapter.docname in part.files():
            return part.caption or "", [known[name] for name in part.files()]
    raise ValueError(f"{chapter.docname} stands in no part of the book")


def add_tally(app: Sphinx, doctree: nodes.document, chapter: Chapter) -> None:
    """Make room at a chapter's end."""
    name, part = part_of(app, chapter)
    for other in part:
        app.env.note_dependency(app.env.doc2path(other.docname))
    doctree.children[-1].append(tally(chapter, name, part))
