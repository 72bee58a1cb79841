"""Renders a student's Markdown as harmless HTML, for the feedback and for the teacher's browser.

Three defences are combined, each of which would suffice. Markdown is rendered with HTML switched
off, so that a tag in it is text. A sanitiser keeps a short list of tags and no attributes. Links
and pictures become text, so that the page makes no requests. Formulas are shown as typed.
"""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

import bleach
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from softlookup_coursework.common.display_text import readable

TAGS = frozenset(
    {"p", "br", "hr", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
EMPTY = frozenset({"br", "hr"})
# Longer text takes too long to parse.
LONGEST = 12_000
PLAIN = re.compile(r"[^A-Za-z0-9 ]")


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
        HTML of the tags in ``TAGS``, without attributes. A text of more than 12,000 characters
        is not rendered but shown as it was typed.
    """
    if len(text) > LONGEST:
        return Markup("<pre>") + escape(readable(text, 5 * LONGEST)) + Markup("</pre>")
    rendered = _parser().render(readable(text, LONGEST))
    clean = bleach.clean(rendered, tags=TAGS, attributes={}, strip=True, strip_comments=True)
    return Markup(clean)


def to_markdown(text: str) -> str:
    """Render untrusted Markdown to harmless Markdown that every program renders alike.

    nbgrader's formgrader and JupyterLab render HTML and formulas in Markdown, in a page that has
    the teacher's permissions. The result is one line of tags without attributes, in which every
    character that could have a meaning is a numeric character reference.
    """
    writer = _CharacterReferences()
    writer.feed(str(to_html(text)))
    writer.close()
    inside = "".join(writer.written)
    return f'<div class="tex2jax_ignore mathjax_ignore">{inside}</div>'


class _CharacterReferences(HTMLParser):
    """Rewrites HTML: keeps the tags, and escapes all text as numeric character references."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the bare tag, if it is allowed."""
        if tag in TAGS:
            self.preformatted += tag == "pre"
            self.written.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        """Write the bare tag, if it is allowed."""
        if tag in TAGS - EMPTY:
            self.preformatted -= tag == "pre"
            self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Write text; newlines are kept, as character references, in preformatted text only."""
        if not self.preformatted:
            data = data.replace("\n", " ")
        self.written.append(PLAIN.sub(lambda found: f"&#{ord(found[0])};", data))
