"""How much of a page fits on a slide: sentences, items of a list, lines of code and of output."""

import re
from collections.abc import Iterator
from html import escape

from bs4 import BeautifulSoup, NavigableString, PageElement, Tag

ENDED = re.compile(r"[.?!:]\s+$")
CODE_LINES, OUTPUT_LINES = 15, 9
SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=\S)")


def length(element: PageElement) -> int:
    """How many characters of text it has."""
    return len(" ".join(element.get_text().split()))


def sentences(paragraph: Tag) -> list[list[PageElement]]:
    """A paragraph's nodes, cut behind its sentences."""
    found: list[list[PageElement]] = [[]]
    for node in list(paragraph.children):
        if isinstance(node, Tag):
            found[-1].append(node)
            continue
        first, *rest = SENTENCE.split(str(node))
        found[-1].append(NavigableString(first))
        found += [[NavigableString(piece)] for piece in rest]
        if ENDED.search(str(node)):
            found.append([])
    return [each for each in found if "".join(node.get_text() for node in each).strip()]


def part_of(paragraph: Tag, limit: int, last: bool = False) -> Tag:
    """A copy of as many of its first sentences, or last, as are short enough; one at least."""
    order = sentences(paragraph)[:: -1 if last else 1]
    kept, used = order[:1], sum(map(length, order[0]))
    for piece in order[1:]:
        used += sum(map(length, piece)) + 1
        if used > limit:
            break
        kept.append(piece)
    written = [
        "".join(str(node) if isinstance(node, Tag) else escape(str(node)) for node in piece)
        for piece in kept[:: -1 if last else 1]
    ]
    return BeautifulSoup(f"<p>{' '.join(written)}</p>", "html.parser").p


def runs(items: list[Tag], limit: int) -> Iterator[list[Tag]]:
    """A list's items in runs that are short enough to be read from afar."""
    run: list[Tag] = []
    for item in items:
        if run and sum(map(length, run)) + length(item) > limit:
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def element(name: str, *children: PageElement | str, **attributes: str) -> Tag:
    """A new element."""
    made = BeautifulSoup("", "html.parser").new_tag(name, attrs=attributes)
    made.extend(children)
    return made


def lines(block: Tag) -> int:
    """How many lines a block of code or of output has."""
    return block.get_text().strip("\n").count("\n") + 1


def fits(output: Tag) -> bool:
    """Whether an output is short, and no verdict on a prediction."""
    text = output.get_text()
    return 0 < lines(output) <= OUTPUT_LINES and "Measured: (" not in text


def teaches(code: Tag, printed: list[Tag]) -> bool:
    """Whether code is short, states no claim, and defines something or has printed something."""
    text = code.get_text().strip()
    short = lines(code) <= CODE_LINES and "claims." not in text
    return short and bool(printed or re.match(r"(?:def|class) ", text))
