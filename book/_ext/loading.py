"""What a page loads, and when: nothing twice, nothing unused, and no script before its words.

The theme puts a dozen scripts before the page's first word, and the index of the whole book's
search among them. Scripts of their own file are deferred, which keeps their order; the index is
loaded where it is searched, on the search page. And Pygments marks every name, bracket and space
of the code, though both of its styles draw these in the colour of plain text: a third of a
chapter's page was such marks. It marks each part of a text by itself, too, in one colour.
"""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# Set inline, since the page's own settings are added to them while the page is read.
SETTINGS = re.compile(r'<script src="[^"]*_static/documentation_options\.js[^"]*"></script>')
SEARCH = re.compile(
    r'\s*<script src="[^"]*_static/searchtools\.js"></script>'
    r'\s*<script src="[^"]*_static/language_data\.js"></script>'
    r'\s*<script src="[^"]*searchindex\.js"></script>'
)
AT_ONCE = re.compile(
    r'<script (?![^>]*\b(?:defer|async)\b)([^>]*src="[^"]*\.js[^"]*"[^>]*)></script>'
)
# Names, punctuation, white space, and what Pygments calls operators and is none: the dot before a
# name, and the sign behind one that gives it its value.
PLAIN_CODE = re.compile(r'<span class="(?:[npw]">([^<]*)|o">([.=]))</span>')
# The parts of one text, which have one colour.
PARTS = r'<span class="s[12ai]">'
ONE_TEXT = re.compile(rf"({PARTS}[^<]*)</span>{PARTS}")


def drop_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Load no script of Thebe, which asks another host, and none twice, which is an error."""
    kept: dict[str, Any] = {}
    for script in context.get("script_files", []):
        key = getattr(script, "attributes", {}).get("body") or str(
            getattr(script, "filename", script)
        )
        if "thebe" not in key.lower():
            kept.setdefault(key, script)
    context["script_files"] = [*kept.values()]
    styles = context.get("css_files", [])
    context["css_files"] = [style for style in styles if "thebe" not in str(style)]


def lighten(html: str, settings: str, searches: bool) -> str:
    """A page whose words are painted before its scripts are run, and plain code without marks.

    Args:
        html: the page as the theme wrote it.
        settings: the script in which Sphinx tells the others about the book.
        searches: whether this is the page that searches.

    Raises:
        ExtensionError: if the theme has changed, so that there is nothing to lighten.
    """
    html, joined = PLAIN_CODE.sub(r"\1\2", html), 1
    while joined:
        html, joined = ONE_TEXT.subn(r"\1", html)
    html, inlined = SETTINGS.subn(lambda _: f"<script>{settings}</script>", html)
    if not inlined:
        raise ExtensionError("no page's settings were found; expected documentation_options.js")
    if searches:
        return html
    html, dropped = SEARCH.subn("", html)
    if not dropped:
        raise ExtensionError("no index of the search was found in a page; expected the theme's")
    return AT_ONCE.sub(r"<script defer \1></script>", html)


def lighten_pages(app: Sphinx, exception: Exception | None) -> None:
    """Lighten every page of a finished build."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    settings = (static / "documentation_options.js").read_text("utf-8").strip()
    for path in sorted(Path(app.outdir).rglob("*.html")):
        html = path.read_text("utf-8")
        if "documentation_options.js" in html:
            path.write_text(lighten(html, settings, path.name == "search.html"), encoding="utf-8")


def drop_unused(app: Sphinx, exception: Exception | None) -> None:
    """Publish no script that no page loads any more: icons, a kernel's, and maps for debuggers."""
    if exception is None and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        for pattern in ("scripts/fontawesome.js*", "sphinx-thebe.*", "**/*.map"):
            for path in static.glob(pattern):
                path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("html-page-context", drop_scripts, priority=900)
    app.connect("build-finished", lighten_pages, priority=700)
    app.connect("build-finished", drop_unused)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
