"""Shows a text as it was typed, where rendering it would take too much; and says so.

And the form in which a teacher's browser shows what a student wrote: see ``references``.
"""

import re
from html.parser import HTMLParser

from markupsafe import Markup, escape

from softlookup_coursework.common.display_text import readable

TAGS = frozenset(
    {"p", "br", "hr", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
EMPTY = frozenset({"br", "hr"})
# What is shown of a text, in characters.
LONGEST = 60_000
PLAIN = re.compile(r"[^A-Za-z0-9 ]")


def typed(form: str, text: str, why: str) -> Markup:
    """A text as it was typed, with a sentence before it that says why.

    Args:
        form: as in ``rendering.Renderer``.
        text: anything at all.
        why: a clause that begins with ``it`` or ``its``.
    """
    shown = escape(readable(text, LONGEST))
    if form == "code":
        return shown
    said = Markup("<p><em>({}: {}.)</em></p>\n").format("This text is shown as it was typed", why)
    html = said + Markup("<pre>") + shown + Markup("</pre>")
    return Markup(references(html)) if form == "markdown" else html


def left_out(form: str, why: str) -> Markup:
    """A sentence in a text's place."""
    said = Markup("<p><em>({}: {}.)</em></p>").format("A text was left out here", why)
    return Markup(references(said)) if form == "markdown" else said


def references(html: str) -> str:
    """Harmless HTML as one line of Markdown that every program renders alike.

    nbgrader's formgrader and JupyterLab render HTML and formulas in Markdown, in a page that has
    the teacher's permissions. The result is one line of tags without attributes, in which every
    character that could have a meaning is a numeric character reference.
    """
    writer = _CharacterReferences()
    writer.feed(str(html))
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
