"""Renders a student's Markdown as harmless HTML, for the feedback and for the teacher's browser.

Only ``limited`` calls this, in a process whose time and memory are limited.

Three defences are combined, each of which would suffice. Markdown is rendered with HTML switched
off, so that a tag in it is text. A sanitiser keeps a short list of tags and no attributes. Links
and pictures become text, so that the page makes no requests. Formulas are shown as typed.
"""

from collections.abc import Sequence
from typing import Any

import bleach
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from softlookup_coursework.common.display_text import readable
from softlookup_coursework.feedback.as_typed import TAGS, references, typed

# Longer text takes too long to parse, and larger tables take too long to be drawn.
LONGEST, MOST_TABLE_CELLS = 12_000, 2_000
# The line beneath a table's header consists of these, in quotations and lists too.
DELIMITERS = frozenset("-:| \t>*+.)0123456789")


class _Renderer(RendererHTML):
    """Renders links, pictures and headings as text."""

    def heading_open(self, *_: Any) -> str:
        """Open a bold paragraph: a heading in an answer is not a heading of the page."""
        return "<p><strong>"

    def heading_close(self, *_: Any) -> str:
        """Close the bold paragraph."""
        return "</strong></p>\n"

    def link_open(self, *_: Any) -> str:
        """Render nothing: a link is its text."""
        return ""

    def link_close(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        """Render the address after the text, unless the text is the address."""
        opened, inside = "", ""
        for token in reversed(tokens[:place]):
            if token.type == "link_open":
                opened = str(token.attrGet("href") or "")
                break
            inside = token.content + inside
        return "" if inside == opened else f" ({escape(opened)})"

    def image(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        """Render a picture's alternative text."""
        return f"[picture: {escape(tokens[place].content)}]"


def _parser() -> MarkdownIt:
    settings = {"html": False, "maxNesting": 12, "linkify": False, "typographer": False}
    parser = MarkdownIt("commonmark", settings, renderer_cls=_Renderer)
    # Reference definitions are useless without links, and a thousand of them take seconds to parse.
    return parser.enable(["table", "strikethrough"]).disable("reference")


def to_html(text: str) -> Markup:
    """Render untrusted Markdown.

    Returns:
        HTML of the tags in ``TAGS``, without attributes. A text of more than 12,000 characters is
        not rendered but shown as it was typed, and so are tables of more than 2,000 cells.
    """
    if len(text) > LONGEST:
        return typed("html", text, f"it has more than {LONGEST:,} characters")
    if table_cells(text) > MOST_TABLE_CELLS:
        return typed("html", text, f"its table would have more than {MOST_TABLE_CELLS:,} cells")
    rendered = _parser().render(readable(text, LONGEST))
    clean = bleach.clean(rendered, tags=TAGS, attributes={}, strip=True, strip_comments=True)
    return Markup(clean)


def table_cells(text: str) -> int:
    """The cells that a text's tables may have at most, were all lines rows of the widest one.

    A row is filled up to the width of its table, so that few characters make many cells.
    """
    lines = text.splitlines()
    widths = [line.count("|") + 1 for line in lines if "|" in line and set(line) <= DELIMITERS]
    return max(widths, default=0) * len(lines)


def to_markdown(text: str) -> str:
    """Render untrusted Markdown to harmless Markdown that every program renders alike."""
    return references(to_html(text))


def highlighted(source: str) -> Markup:
    """Python, with its parts coloured."""
    coloured = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    # Pygments escapes the code that it highlights.
    return Markup(coloured)
