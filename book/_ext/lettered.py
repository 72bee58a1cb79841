"""Text cut before each of its letters in brackets, as options and reasons have them."""

import re
from collections.abc import Iterator

from docutils import nodes

LABEL = re.compile(r"(?:^|(?<=\s))(?=\([a-d]\))")
OPTION = re.compile(r"\((?P<letter>[a-d])\)")

Part = tuple[str, list[nodes.Node]]


def parts_of(paragraph: nodes.Element) -> Iterator[Part]:
    """A paragraph cut before each "(a)", "(b)", …, which may stand anywhere in its text.

    Yields:
        The option's letter, or nothing for what stands before the first, and the nodes.
    """
    letter, found = "", list[nodes.Node]()
    for child in paragraph.children:
        if not isinstance(child, nodes.Text):
            found.append(child)
            continue
        for piece in LABEL.split(str(child)):
            if match := OPTION.match(piece):
                if found:
                    yield letter, found
                letter, found = match["letter"], []
            if piece:
                found.append(nodes.Text(piece))
    if found:
        yield letter, found
