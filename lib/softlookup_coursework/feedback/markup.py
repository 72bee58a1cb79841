"""A student's Markdown as HTML that can do nothing: for the feedback and for the teacher's browser.

Three things each suffice, and all three are done. Markdown is rendered with HTML switched off, so
that a tag in it is text. The result goes through a sanitiser, which keeps a short list of tags
and no attribute at all. Links and pictures become their words and addresses, since a page that
asks for nothing cannot be made to ask. Formulas are shown as they were typed.
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

from softlookup_coursework.common.readable import readable

TAGS = frozenset(
    {"p", "br", "hr", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
EMPTY = frozenset({"br", "hr"})
# Past this, parsing takes longer than anybody reads.
LONGEST = 12_000
PLAIN = re.compile(r"[^A-Za-z0-9 ]")


class _Renderer(RendererHTML):
    """Renders what may act as what it says."""

    def heading_open(self, *_: Any) -> str:
        """A heading in an answer is no heading of the page."""
        return "<p><strong>"

    def heading_close(self, *_: Any) -> str:
        """Close what a heading became."""
        return "</strong></p>\n"

    def link_open(self, *_: Any) -> str:
        """A link is its words."""
        return ""

    def link_close(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        """And its address, unless the words are the address."""
        opened, inside = "", ""
        for token in reversed(tokens[:place]):
            if token.type == "link_open":
                opened = str(token.attrGet("href") or "")
                break
            inside = token.content + inside
        return "" if inside == opened else f" ({escape(opened)})"

    def image(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        """A picture is what it is called."""
        return f"[picture: {escape(tokens[place].content)}]"


def _parser() -> MarkdownIt:
    settings = {"html": False, "maxNesting": 12, "linkify": False, "typographer": False}
    parser = MarkdownIt("commonmark", settings, renderer_cls=_Renderer)
    # A thousand definitions of addresses that nobody can follow would take seconds to parse.
    return parser.enable(["table", "strikethrough"]).disable("reference")


def to_html(text: str) -> Markup:
    """Render Markdown that anybody may have written.

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
    """Render Markdown to a Markdown that every program shows alike, and in which nothing acts.

    nbgrader's formgrader and JupyterLab render Markdown with HTML in it, and set formulas, in a
    page that has the teacher's rights. What they get from here is one line of tags without
    attributes, between which every character that could mean something is written as a number.
    """
    writer = _Numbers()
    writer.feed(str(to_html(text)))
    writer.close()
    inside = "".join(writer.written)
    return f'<div class="tex2jax_ignore mathjax_ignore">{inside}</div>'


class _Numbers(HTMLParser):
    """Writes HTML again: the tags as they are, and no other character that has a meaning."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the bare tag, if it is one of ours."""
        if tag in TAGS:
            self.preformatted += tag == "pre"
            self.written.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        """Write the bare tag, if it is one of ours."""
        if tag in TAGS - EMPTY:
            self.preformatted -= tag == "pre"
            self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Write text; a line ends only where lines matter, and then by its number."""
        if not self.preformatted:
            data = data.replace("\n", " ")
        self.written.append(PLAIN.sub(lambda found: f"&#{ord(found[0])};", data))
