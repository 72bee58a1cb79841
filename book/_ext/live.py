"""The directive ``live``: a figure that the reader can touch, where the chapter asks its question.

    :::{live} soft-dictionary
    What to try, and what to notice.
    :::

Its words stand in the page whatever happens; with JavaScript the figure takes its place beneath
them. What a figure is called and which scripts it needs stands in ``_static/live/figures``; names
of several scripts at once are in ``groups.json``. A page without a live figure loads nothing of it.
"""

import json
from html import escape
from pathlib import Path

import gpt_script
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

LIVE = Path(__file__).parents[1] / "_static" / "live"

STILL = (
    "This figure moves on the site, with JavaScript. The text and pictures around it say the same."
)


class LiveFigure(nodes.General, nodes.Element):
    """A live figure, with the words that stand in it."""


def read_figure(name: str, folder: Path = LIVE) -> dict:
    """What is known of a figure: its title, its scripts in order, and what asks for it.

    Raises:
        ValueError: if there is no such figure, or no such script.
    """
    described = folder / "figures" / f"{name}.json"
    if not described.exists():
        known = sorted(path.stem for path in (folder / "figures").glob("*.json"))
        raise ValueError(f"there is no live figure {name!r}; expected one of {known}")
    figure = json.loads(described.read_text("utf-8"))
    groups = json.loads((folder / "groups.json").read_text("utf-8"))
    scripts = [each for wanted in figure["scripts"] for each in groups.get(wanted, [wanted])]
    figure["scripts"] = list(dict.fromkeys(scripts))
    # What is made when the book is built is not there yet.
    made = figure.get("made", [])
    missing = [
        each
        for each in figure["scripts"]
        if each not in made and not (folder / f"{each}.js").exists()
    ]
    if missing:
        raise ValueError(f"{described.name} names {missing}; expected scripts of {folder.name}/")
    return figure


class Live(SphinxDirective):
    """The directive ``live``."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        name = self.arguments[0]
        self.env.note_dependency(str(LIVE / "figures" / f"{name}.json"))
        self.env.note_dependency(str(LIVE / "groups.json"))
        try:
            figure = read_figure(name)
        except ValueError as error:
            raise self.error(str(error)) from error
        if not self.content:
            raise self.error(f"the live figure {name} says nothing; expected what to try")
        title = nodes.paragraph(text=figure["title"], classes=["live-title"])
        words = nodes.container(classes=["live-words"])
        words += self.parse_content_to_nodes()
        still = nodes.paragraph(text=STILL, classes=["live-still"])
        return [LiveFigure("", title, words, still, name=name, **figure)]


def visit_html(translator: nodes.NodeVisitor, node: LiveFigure) -> None:
    """Open the custom element."""
    attributes = {
        "class": "live",
        "role": "group",
        "aria-label": node["title"],
        "data-scripts": " ".join(node["scripts"]),
    }
    if "ask" in node:
        attributes["data-ask"] = node["ask"]
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    translator.body.append(f"<{node['name']}{written}>\n")


def depart_html(translator: nodes.NodeVisitor, node: LiveFigure) -> None:
    """Close it."""
    translator.body.append(f"</{node['name']}>\n")


def visit_other(translator: nodes.NodeVisitor, node: LiveFigure) -> None:
    """On paper and elsewhere there are only its words."""


def add_scripts(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Add the loader and the style to a page that has a live figure."""
    if doctree is not None and any(doctree.findall(LiveFigure)):
        app.add_js_file("live/loader.js", loading_method="defer")
        app.add_css_file("live/live.css")


def make_weights(app: Sphinx, failed: Exception | None) -> None:
    """Make the weights that the repository holds in another form already."""
    if failed is None and app.builder.format == "html":
        gpt_script.write(Path(app.outdir, "_static", "live"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    other = (visit_other, visit_other)
    app.add_node(LiveFigure, html=(visit_html, depart_html), latex=other, text=other, man=other)
    app.add_directive("live", Live)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", make_weights, priority=100)  # before the pages are repaired
    return {"parallel_read_safe": True, "parallel_write_safe": True}
