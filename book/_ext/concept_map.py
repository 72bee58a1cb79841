"""The directive ``concept-map``: the chapters, what each teaches, and what it builds on.

An inline drawing with links, made from the chapters' metadata. Chapters stand on a line, in
the book's order; an arc joins each to a chapter that it builds on. Where one chapter builds on
another by way of a third, that is seen already, and no arc is drawn.
"""

from html import escape
from itertools import count
from textwrap import wrap

from contents import Chapter, book_chapters
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# All lengths are in the drawing's own units; the style sheet scales it to the page.
WIDTH, LINE_X, TEXT_X = 460, 74, 104
TOP, TITLE_HEIGHT, CONCEPT_HEIGHT, GAP = 22, 25, 19, 26
CHARACTERS = 46


def concept_lines(chapter: Chapter) -> list[str]:
    """The chapter's concepts as lines that fit beside it."""
    return wrap(", ".join(chapter.teaches), CHARACTERS)


def description(chapter: Chapter, by_id: dict[str, Chapter]) -> str:
    """What the drawing says of a chapter, in words, for those who do not see it.

    Raises:
        ValueError: if the chapter builds on one that is not in the book.
    """
    unknown = [id for id in chapter.prerequisites if id not in by_id]
    if unknown:
        raise ValueError(f"{chapter.id} builds on {unknown[0]}; expected one of {[*by_id]}")
    numbers = [str(by_id[id].number) for id in chapter.prerequisites]
    joined = " and ".join(filter(None, [", ".join(numbers[:-1]), *numbers[-1:]]))
    word = "chapter" if len(numbers) == 1 else "chapters"
    needs = f"builds on {word} {joined}" if numbers else "builds on no other chapter"
    return (
        f"Chapter {chapter.number}, {chapter.title}: {needs}; teaches {', '.join(chapter.teaches)}"
    )


def direct(chapters: list[Chapter]) -> dict[str, list[str]]:
    """For each chapter those that it builds on, less what these build on themselves."""
    below: dict[str, set[str]] = {}
    for chapter in chapters:
        needs = chapter.prerequisites
        below[chapter.id] = {*needs}.union(*(below[id] for id in needs))
    return {
        chapter.id: [
            id
            for id in chapter.prerequisites
            if not any(id in below[other] for other in chapter.prerequisites)
        ]
        for chapter in chapters
    }


def draw(chapters: list[Chapter], links: dict[str, str]) -> str:
    """The drawing.

    Args:
        chapters: in the book's order.
        links: for each chapter's id, the address of its page.

    Returns:
        An ``svg`` element.
    """
    by_id = {chapter.id: chapter for chapter in chapters}
    heights: dict[str, float] = {}
    y = float(TOP)
    for chapter in chapters:
        heights[chapter.id] = y
        y += TITLE_HEIGHT + CONCEPT_HEIGHT * len(concept_lines(chapter)) + GAP
    all_words = {chapter.id: description(chapter, by_id) for chapter in chapters}
    joined = direct(chapters)
    arcs, entries = [], []
    for chapter in chapters:
        words = all_words[chapter.id]
        below = heights[chapter.id]
        for id in joined[chapter.id]:
            above = heights[id]
            chapters_between = chapter.number - by_id[id].number
            # Longer arcs reach farther out, and none beyond the drawing's edge.
            reach = (LINE_X + 21) * chapters_between / (chapters_between + 4)
            arcs.append(
                f'<path d="M{LINE_X} {above:g} C{LINE_X - reach} {above:g} '
                f'{LINE_X - reach} {below:g} {LINE_X} {below:g}"/>'
            )
        concepts = "".join(
            f'<text class="concepts" x="{TEXT_X}" y="{height:g}">{escape(line)}</text>'
            for height, line in zip(
                count(below + TITLE_HEIGHT + 4, CONCEPT_HEIGHT),
                concept_lines(chapter),
                strict=False,
            )
        )
        entries.append(
            f'<a href="{escape(links[chapter.id])}" aria-label="{escape(words)}">'
            f'<circle cx="{LINE_X}" cy="{below:g}" r="15"/>'
            f'<text class="number" x="{LINE_X}" y="{below + 5.5:g}">{chapter.number}</text>'
            f'<text class="title" x="{TEXT_X}" y="{below + 6:g}">{escape(chapter.title)}</text>'
            f"{concepts}</a>"
        )
    return (
        f'<svg class="concept-map" viewBox="0 0 {WIDTH} {y - GAP + 6:g}" role="group" '
        'aria-label="Concept map: the chapters and what each builds on">'
        f'<g class="arcs" aria-hidden="true">{"".join(arcs)}</g>{"".join(entries)}</svg>'
    )


class ConceptMap(SphinxDirective):
    """The drawing, as raw HTML."""

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        chapters = book_chapters(self.env.app)
        for chapter in chapters:
            self.env.note_dependency(self.env.doc2path(chapter.docname))
        address = self.env.app.builder.get_relative_uri
        links = {chapter.id: address(self.env.docname, chapter.docname) for chapter in chapters}
        return [nodes.raw("", draw(chapters, links), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("concept-map", ConceptMap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
