"""Where the built site lies, and its pages as they can be read without a browser."""

import sys
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
NOTEBOOKS = ROOT / "notebooks"
EXTENSIONS = ROOT / "book" / "_ext"

for folder in (ROOT / "tools", EXTENSIONS):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def pages(site: Path = SITE) -> list[str]:
    """The names of the pages that readers open, without slides and what themes keep beside them."""
    paths = sorted(site.rglob("*.html"))
    kept = [path.relative_to(site) for path in paths]
    return [str(path) for path in kept if not path.parts[0].startswith(("_", "slides"))]


def is_chapter(page: str) -> bool:
    """Whether a page is a chapter."""
    return page.startswith("notebooks/")


@dataclass(frozen=True)
class BuiltPage:
    """A page of a built site.

    Attributes:
        path: where its file lies.
    """

    path: Path

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The parsed page."""
        return BeautifulSoup(self.path.read_text(encoding="utf-8"), "html.parser")

    @property
    def forwards(self) -> bool:
        """Whether the page only sends its reader to another."""
        return self.soup.find("meta", attrs={"http-equiv": "Refresh"}) is not None

    @cached_property
    def anchors(self) -> set[str]:
        """Everything on the page that a link can lead to."""
        return {str(element["id"]) for element in self.soup.find_all(id=True)}


@cache
def built_page(path: Path) -> BuiltPage:
    """A page, which is parsed once however many tests read it."""
    return BuiltPage(path)
