"""Each chapter as slides, made from its finished page.

``slides/NN_name.html`` needs nothing but the site beside it: reveal.js comes with it, and pages
open from disk. What a slide shows, ``deck.py`` decides; how it looks, ``slides.css``. The
directive ``slides`` lists the chapters' slides for teachers.
"""

import re
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from contents import Chapter, book_chapters
from deck import Deck, Slide
from docutils import nodes
from slide_words import element
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "slides"
STYLES = (
    *("vendor/reveal/reveal.css", "pygments.css", "live/live.css", "palette.css", "reading.css"),
    *("chapter.css", "claims.css", "slides/slides.css"),
)
SCRIPTS = ("vendor/reveal/reveal.js", "vendor/reveal/notes.js", "slides/slides.js")
LIVE = ("live/loader.js",)
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides — Soft Lookup</title>
<link rel="icon" href="../_static/favicon.svg">
<script>document.documentElement.dataset.theme = localStorage.getItem("theme") ||
(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");</script>
{styles}
</head>
<body>
<main><div class="reveal"><div class="slides bd-article">
{slides}
</div></div></main>
{scripts}
</body>
</html>
"""


def address(href: str, page: str) -> str:
    """A link of a chapter's page as its slides need it."""
    if href.startswith("#"):
        return f"../notebooks/{page}{href}"
    return href if re.match(r"[a-z]+:|\.\./", href) else f"../notebooks/{href}"


def written(slide: Slide, name: str, chapter: Chapter) -> Tag:
    """A slide as HTML; names of the page's parts do not go with it."""
    made = element("section", id=name, **{"class": slide.kind})
    if slide.kind == "title":
        made.append(element("p", f"Soft Lookup, chapter {chapter.number}", **{"class": "running"}))
        made.append(element("h1", slide.heading))
        link = element("a", "Read the chapter", href=f"{chapter.id}.html")
        made.append(element("p", link, **{"class": "source"}))
    else:
        heading = BeautifulSoup(f"<h2>{slide.heading}</h2>", "html.parser")
        made.append(heading)
        made.append(element("div", *slide.body, **{"class": "shown"}))
    if slide.notes:
        made.append(element("aside", *slide.notes, **{"class": "notes"}))
    for part in made.find_all(id=True):
        del part["id"]
    for link in made.find_all("a", href=True):
        link["href"] = address(str(link["href"]), f"{chapter.id}.html")
    return made


def slides_page(html: str, chapter: Chapter) -> str:
    """A chapter's slides, from its page."""
    article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
    stacks = []
    for at, stack in enumerate(filter(None, Deck(article).stacks), start=1):
        slides = [written(each, f"s{at}-{n}", chapter) for n, each in enumerate(stack, start=1)]
        stacks.append(str(slides[0] if len(slides) == 1 else element("section", *slides)))
    body = "\n".join(stacks)
    scripts = SCRIPTS + (LIVE if "data-scripts=" in body else ())
    return PAGE.format(
        title=f"{chapter.number}. {chapter.title}",
        styles="\n".join(f'<link rel="stylesheet" href="../_static/{each}">' for each in STYLES),
        scripts="\n".join(f'<script src="../_static/{each}"></script>' for each in scripts),
        slides=body,
    )


def write_slides(app: Sphinx, failed: Exception | None) -> None:
    """Write the slides of every chapter of a finished build."""
    if failed is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    for chapter in book_chapters(app):
        html = Path(app.outdir, f"{chapter.docname}.html").read_text("utf-8")
        (folder / f"{chapter.id}.html").write_text(slides_page(html, chapter), "utf-8")


def add_link(app: Sphinx, page: str, template: str, context: dict, tree: Any) -> None:
    """Offer a chapter's slides among what can be taken from its page."""
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons" and page.startswith("notebooks/"):
            name = page.removeprefix("notebooks/")
            link = {"type": "link", "url": f"../{FOLDER}/{name}.html", "text": "slides"}
            words = {"tooltip": "This chapter as slides", "icon": "fas fa-file"}
            group["buttons"].append({**link, **words, "label": "slides-button"})


class SlidesOfChapters(SphinxDirective):
    """The directive ``slides``: a list of links, one for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        up = "../" * self.env.docname.count("/")
        made = nodes.bullet_list()
        for chapter in book_chapters(self.env.app):
            words = f"{chapter.number} {chapter.title}"
            address = f"{up}{FOLDER}/{chapter.id}.html"
            link = nodes.reference("", words, internal=True, refuri=address)
            made += nodes.list_item("", nodes.paragraph("", "", link))
        return [made]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("slides", SlidesOfChapters)
    app.connect("html-page-context", add_link, priority=900)  # after the theme's own buttons
    # After the pages are repaired and lightened.
    app.connect("build-finished", write_slides, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
