"""Repair what the theme gets wrong for readers who use no mouse, no eyes, or no network.

Pages are repaired after they are written. Each repair says why it is needed, and the build
fails if one finds nothing to repair in the whole book: then the theme has changed, and the
repair has to go or to be made anew.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

PREFERRED = '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'


@dataclass(frozen=True)
class Repair:
    """A replacement in the pages' HTML.

    Attributes:
        why: what a reader would suffer without it.
        pattern: what is wrong, as a regular expression.
        right: what stands there instead, or a function of the match.
    """

    why: str
    pattern: str
    right: str | Callable[[re.Match[str]], str]


def _as_lines(match: re.Match[str]) -> str:
    """A signature's parameters as spans instead of a list of definitions without terms."""
    inner = re.sub(
        r"<(/?)dd>",
        lambda tag: f"<{tag[1]}span>".replace("<span", '<span class="sig-line"'),
        match[2],
    )
    return f'{match[1]}<span class="sig-lines">{inner}</span>'


REPAIRS = (
    Repair(
        "without JavaScript neither the light nor the dark colours apply",
        r'(<html [^>]*)data-theme="auto"',
        r'\1data-theme="light"',
    ),
    Repair(
        "the page flashes in no colours at all until the theme's script has run",
        r'dataset\.theme = localStorage\.getItem\("theme"\) \|\| "auto"',
        'dataset.theme = localStorage.getItem("theme") || ' + PREFERRED,
    ),
    Repair(
        "1.5 MB of icons are loaded for a dozen of them, which our style sheet has",
        r"\s*<!-- So that users can add custom icons -->\s*<script[^>]*fontawesome[^>]*></script>",
        "",
    ),
    Repair(
        "the settings of a kernel that is never started stand in every page",
        r'\s*<script type="text/x-thebe-config">.*?</script>\s*<script>kernelName = [^<]*</script>',
        "",
    ),
    Repair(
        "the book's name lies outside every landmark",
        r'(<div class="sidebar-primary-items__start sidebar-primary__section")>',
        r'\1 role="navigation" aria-label="Book">',
    ),
    Repair(
        "the arrow that unfolds the pages below another has no name",
        r'<summary>(?=\s*<span class="toctree-toggle")',
        '<summary aria-label="Pages below">',
    ),
    Repair(
        "a list of definitions must have terms; a signature's parameters have none",
        r'(<span class="sig-paren">\(</span>)\s*<dl>(.*?)</dl>\s*',
        _as_lines,
    ),
    Repair(
        "a corner of a table that is empty is announced as a heading without words",
        r'<th class="head[^"]*"><p></p></th>',
        "<td></td>",
    ),
    Repair(
        "a reference's role is not allowed where Sphinx puts it",
        r'(<div class="citation" id="[^"]*") role="doc-biblioentry"',
        r'\1 role="listitem"',
    ),
)


def repair(html: str, used: set[str]) -> str:
    """A page's HTML with all repairs made; the reasons of those that were needed join ``used``."""
    for repair in REPAIRS:
        html, count = re.subn(repair.pattern, repair.right, html, flags=re.DOTALL)
        if count:
            used.add(repair.why)
    return html


def repair_pages(app: Sphinx, exception: Exception | None) -> None:
    """Repair every page of a finished build.

    Raises:
        ExtensionError: if a repair found nothing to repair.
    """
    if exception is not None or app.builder.format != "html":
        return
    used: set[str] = set()
    for path in sorted(Path(app.outdir).rglob("*.html")):
        path.write_text(repair(path.read_text(encoding="utf-8"), used), encoding="utf-8")
    idle = [repair.why for repair in REPAIRS if repair.why not in used]
    if idle:
        raise ExtensionError(f"these repairs found nothing to repair: {idle}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("build-finished", repair_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
