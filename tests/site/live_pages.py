"""A live figure on a page of its own, with the book's styles, used as a reader would use it.

The page is set as the directive would set it. So a figure can be tried in a browser before the
book is built, and with a mistake planted in it.
"""

import shutil
from dataclasses import dataclass
from html import escape
from pathlib import Path

from built import ROOT
from live import read_figure
from playwright.sync_api import Browser, Locator, Page
from reading import axe_faults, layout_faults, open_page, settle, taken

STATIC = ROOT / "book" / "_static"
STYLES = ("palette", "reading", "layout", "chapter", "print", "live/live")
# The outcome is told a quarter of a second after the last change. The page's own clock waits, so
# that on a busy machine, too, what was to come earlier has come.
PAUSE = "() => new Promise((done) => setTimeout(done, 300))"
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="{theme}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<link rel="icon" href="data:,">{styles}
<style>body {{ margin: 0; padding: 1rem; background: var(--page); color: var(--text); }}</style>
<script defer src="{static}/live/loader.js"></script></head>
<body><main class="bd-article"><h1>A page</h1>{before}
<{name} class="live" role="group" aria-label="{title}" data-scripts="{scripts}"{ask}>
<p class="live-title">{title}</p><div class="live-words"><p>Try it.</p></div>
<p class="live-still">This figure moves on the site, with JavaScript.</p></{name}>
</main></body></html>"""


@dataclass(frozen=True)
class Reader:
    """A reader in front of a figure.

    Attributes:
        page: the page.
        figure: the element.
        heard: what went wrong in the page: errors, and requests to other hosts.
    """

    page: Page
    figure: Locator
    heard: list[str]

    def outcome(self) -> str:
        """The sentence that tells the outcome, once it has settled."""
        self.page.evaluate(PAUSE)
        return self.figure.locator(".live-outcome").inner_text()

    def problem(self) -> str:
        """What is said of bad input."""
        return self.figure.locator(".live-problem").inner_text()

    def number(self, name: str) -> str:
        """The number that is shown under a name."""
        pair = self.figure.locator(".live-numbers dl > div", has_text=name)
        return pair.locator("dd").inner_text()

    def seen(self) -> str:
        """The picture, as it is told to those who do not see it."""
        return self.figure.locator("svg.live-picture").first.get_attribute("aria-label") or ""

    def refused(self, label: str, text: str) -> str:
        """What is said of bad input, which changes nothing and is forgotten at a new start."""
        before = self.outcome()
        typed = self.page.get_by_label(label)
        typed.fill(text)
        said = self.problem()
        assert typed.get_attribute("aria-invalid") == "true"
        assert self.outcome() == before
        self.page.get_by_role("button", name="Start again").click()
        assert self.problem() == ""
        assert self.outcome() == before
        return said

    def faults(self) -> list[str]:
        """What is wrong with the page in its present state."""
        self.page.evaluate(PAUSE)
        return [
            *taken(self.heard),
            *layout_faults(self.page),
            *axe_faults(self.page),
        ]

    def close(self) -> None:
        """Leave."""
        self.page.close()


def dead_figures(page: Page) -> list[str]:
    """What is wrong with a chapter's live figures, each asked for as a reader does."""
    figures = page.locator("[data-scripts]").all()
    if not figures:
        return ["no live figure"]
    names, silent = [], []
    for figure in figures:
        name = figure.evaluate("(each) => each.localName")
        figure.scroll_into_view_if_needed()
        if figure.get_attribute("data-ask") is not None:
            figure.locator(".live-ask").click()
        page.wait_for_selector(f"{name}[data-state=ready]")
        page.evaluate(PAUSE)
        if figure.locator(".live-outcome").inner_text() == "":
            silent.append(f"live figure, no outcome: {name}")
        names.append(name)
    return [*silent, *layout_faults(page), *axe_faults(page, ", ".join(names))]


def lone_page(
    name: str,
    folder: Path,
    theme: str = "light",
    planted: tuple[str, str, str] | None = None,
    before: str = "",
    made: Path | None = None,
) -> Path:
    """Write a page that holds one figure, with the book's own files, or copies to plant in.

    Args:
        name: the figure's.
        folder: where the page is to lie.
        theme: ``"light"`` or ``"dark"``.
        planted: a mistake: the script, the words in it, and what stands there instead.
        before: what stands before the figure.
        made: where the weights lie that are made with the book.
    """
    static = STATIC
    if planted is not None or made is not None:
        static = shutil.copytree(STATIC, folder / "_static", dirs_exist_ok=True)
    if made is not None:
        shutil.copytree(made, static / "live", dirs_exist_ok=True)
    if planted is not None:
        script, old, new = planted
        path = static / "live" / f"{script}.js"
        text = path.read_text("utf-8")
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in {script}; expected once")
        path.write_text(text.replace(old, new), "utf-8")
    figure = read_figure(name)
    at = static.as_uri()
    styles = "".join(f'<link rel="stylesheet" href="{at}/{each}.css">' for each in STYLES)
    ask = f' data-ask="{escape(figure["ask"])}"' if "ask" in figure else ""
    page = folder / f"{name}-{theme}.html"
    scripts = " ".join(figure["scripts"])
    words = {"name": name, "title": escape(figure["title"]), "scripts": scripts, "ask": ask}
    around = {"static": at, "styles": styles, "theme": theme, "before": before}
    page.write_text(PAGE.format(**around, **words), "utf-8")
    return page


def open_figure(
    browser: Browser,
    folder: Path,
    name: str,
    theme: str = "light",
    width: int = 1280,
    planted: tuple[str, str, str] | None = None,
    made: Path | None = None,
) -> Reader:
    """Open a figure's page, ask for it where it wants to be asked for, and wait until it is there.

    The arguments are those of ``lone_page``.
    """
    path = lone_page(name, folder, theme, planted, made=made)
    page, heard = open_page(browser, path, theme, width)
    figure = page.locator(name)
    if figure.get_attribute("data-ask") is not None:
        figure.locator(".live-ask").click()
    page.wait_for_selector(f"{name}:is([data-state=ready], [data-state=failed])")
    settle(page)
    return Reader(page, figure, heard)
