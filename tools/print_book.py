"""Print the whole book into one PDF, by the browser that the tests drive.

    python tools/print_book.py

Each page of the built site is printed in the order of the table of contents; page numbers run
through. Bookmarks lead to parts, chapters and sections, a table of contents stands in front, and
links between pages lead within the file. Code that imports, checks and draws is left to the site.
"""

import io
import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import unquote

import browser as browsers
import yaml
from bind_book import INSIDE, TITLE, Entry, Printed, bind
from playwright.sync_api import Page, sync_playwright
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
OUTPUT = ROOT / "_build" / "soft-lookup.pdf"
# Nothing fades in, and paper is light.
CONTEXT = {"color_scheme": "light", "reduced_motion": "reduce"}
STYLE = """
@page {{ size: A4; margin: 22mm 18mm 20mm;
  @top-left {{ content: {title}; font: 8.5pt sans-serif; color: #555; }}
  @bottom-center {{ content: {number}; font: 8.5pt sans-serif; color: #555; }} }}
html {{ counter-reset: page {pages_before}; }}
@media print {{
  .cell.tag_predict, .cell:not([class*="tag_solution"]) details.hide, .article-footer,
  .bd-header, .skip-link, .predict + .outcome, .live-still {{ display: none !important; }}
  .bd-main .bd-content, .bd-main .bd-content .bd-article-container {{ margin: 0 !important;
    padding: 0 !important; }}
  .bd-article a.external[href^="http"]::after {{ content: none !important; }}
  .bd-article a {{ text-decoration: none; }}
}}
"""
# What says "hide" on a page says what it is on paper; ends of links from other pages are named.
PREPARE = """(wanted) => {
  for (const words of document.querySelectorAll("details.hide p.expanded"))
    words.textContent = words.textContent.replace(/^Hide (the )?/, "").replace(/^./, (c) =>
      c.toUpperCase());
  const ends = document.createElement("nav");
  ends.style.cssText = "position: absolute; top: 0; font-size: 1px; opacity: 0";
  for (const id of wanted.filter((id) => document.getElementById(id))) {
    const link = document.createElement("a");
    link.href = `#${encodeURIComponent(id)}`;
    link.textContent = ".";
    ends.append(link);
  }
  document.body.append(ends);
  return document.querySelector("article h1").innerText.replace(/#$/, "").trim();
}"""


def entries(toc: dict) -> Iterator[Entry]:
    """The pages of a book, in the order of its ``_toc.yml``."""

    def within(chapters: list[dict], part: str, depth: int) -> Iterator[Entry]:
        for chapter in chapters:
            yield Entry(part, chapter["file"], depth)
            yield from within(chapter.get("sections", []), part, depth + 1)

    yield Entry("", toc["root"], 0)
    for part in toc.get("parts", [{"chapters": toc.get("chapters", [])}]):
        yield from within(part["chapters"], part.get("caption", ""), 1 if "caption" in part else 0)


def wanted_ends(site: Path, docnames: list[str]) -> dict[str, set[str]]:
    """For each page the anchors to which others lead."""
    wanted: dict[str, set[str]] = {docname: set() for docname in docnames}
    for docname in docnames:
        html = (site / f"{docname}.html").read_text("utf-8")
        for path, anchor in re.findall(r'href="([^"#:]+\.html)#([^"]+)"', html):
            target = ((site / docname).parent / path).resolve()
            name = str(target.relative_to(site.resolve()).with_suffix(""))
            if name in wanted:
                wanted[name].add(unquote(anchor))
    return wanted


def pdf_of(page: Page, title: str, number: str, pages_before: int) -> PdfReader:
    """What the browser prints of the page that it has open."""
    quoted = '"' + title.replace("\\", r"\\").replace('"', r"\"") + '"'
    style = STYLE.format(title=quoted, number=number, pages_before=pages_before)
    page.add_style_tag(content=style)
    made = page.pdf(outline=True, tagged=True, prefer_css_page_size=True, print_background=True)
    return PdfReader(io.BytesIO(made))


def print_site(page: Page, site: Path, book: list[Entry]) -> list[Printed]:
    """Print all pages; each begins its numbers where the one before it ended."""
    wanted = wanted_ends(site, [entry.docname for entry in book])
    printed, pages = list[Printed](), 0
    # Live figures cannot be touched on paper: their words stand for them.
    page.route("**/live/loader.js*", lambda route: route.abort())
    for entry in book:
        page.goto((site / f"{entry.docname}.html").as_uri())
        page.wait_for_load_state("networkidle")
        title = page.evaluate(PREPARE, sorted(wanted[entry.docname]))
        made = Printed(entry, title, pdf_of(page, title, "counter(page)", pages), pages)
        made.ends = {
            unquote(name.removeprefix("/")): (
                made.reader.get_destination_page_number(end) or 0,
                float(end.get("/Top") or 0),
            )
            for name, end in made.reader.named_destinations.items()
        }
        printed.append(made)
        pages += len(made.reader.pages)
    return printed


def contents_page(page: Page, site: Path, printed: list[Printed]) -> PdfReader:
    """The table of contents, in the book's own style."""
    lines, part = [], ""
    for made in printed:
        if made.entry.part != part:
            part = made.entry.part
            lines.append(f"<h2>{escape(part)}</h2>")
        lines.append(
            f'<p style="margin: .2em 0 .2em {max(0, made.entry.depth - 1) * 1.5}em; display: flex">'
            f'<a href="{INSIDE}{made.entry.docname}" style="flex: 1">{escape(made.title)}</a>'
            f"<span>{made.first + 1}</span></p>"
        )
    page.goto((site / f"{printed[0].entry.docname}.html").as_uri())
    body = f'<main class="bd-main bd-article"><h1>{TITLE}</h1>{"".join(lines)}</main>'
    page.evaluate("(body) => { document.body.innerHTML = body; }", body)
    return pdf_of(page, "", "none", 0)


def print_book(page: Page, site: Path, toc: dict, output: Path) -> int:
    """Print a built site, and say how many pages it has on paper."""
    printed = print_site(page, site, list(entries(toc)))
    writer = bind(contents_page(page, site, printed), printed, site)
    output.parent.mkdir(parents=True, exist_ok=True)
    writer.write(output)
    return len(writer.pages)


def main() -> None:
    """Print the book."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    executable = browsers.find_browser()
    if executable is None:
        sys.exit(f"no Chromium or Chrome was found. {browsers.ADVICE}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(executable), args=browsers.arguments()
        )
        pages = print_book(browser.new_page(**CONTEXT), SITE, toc, OUTPUT)
        browser.close()
    size = OUTPUT.stat().st_size / 1e6
    print(f"The book is printed: {OUTPUT.relative_to(ROOT)}, {pages} pages, {size:.1f} MB.")


if __name__ == "__main__":
    main()
