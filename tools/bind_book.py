"""Printed pages, bound into one PDF: bookmarks, page labels, links that lead within the file."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NullObject,
    TextStringObject,
)

TITLE = "Soft Lookup"
# A link within the book, until it is known on which page its end lies.
INSIDE = "book:"
# Above whatever stands on a page.
TOP = 900.0


@dataclass(frozen=True)
class Entry:
    """A page in the table of contents: its part's caption, its name, and how deep it stands."""

    part: str
    docname: str
    depth: int


@dataclass
class Printed:
    """A page of the site, on paper."""

    entry: Entry
    title: str
    reader: PdfReader
    first: int
    ends: dict[str, tuple[int, float]] = field(default_factory=dict)


def rewrite_links(reader: PdfReader, docname: str, site: Path) -> None:
    """Let a page's links say where in the book they lead; one to a file beside it leads nowhere."""
    for page in reader.pages:
        for annotation in (each.get_object() for each in page.get("/Annots", [])):
            action = annotation.get("/A", {})
            address = ""
            if "/Dest" in annotation:
                address = f"{INSIDE}{docname}#{str(annotation['/Dest']).removeprefix('/')}"
                del annotation["/Dest"]
            elif str(action.get("/URI", "")).startswith("file:"):
                parts = urlsplit(str(action["/URI"]))
                path = Path(unquote(parts.path))
                inside = path.suffix == ".html" and path.is_relative_to(site.resolve())
                name = str(path.relative_to(site.resolve()).with_suffix("")) if inside else ""
                address = f"{INSIDE}{name}#{parts.fragment}"
            if address:
                uri = {"/S": NameObject("/URI"), "/URI": TextStringObject(address)}
                annotation[NameObject("/A")] = DictionaryObject(
                    {NameObject(key): value for key, value in uri.items()}
                )


def lead_inside(writer: PdfWriter, front: int, printed: list[Printed]) -> None:
    """Give the links within the book their ends."""
    by_name = {made.entry.docname: made for made in printed}
    ends = [page.indirect_reference for page in writer.pages]
    for page in writer.pages:
        kept = ArrayObject()
        for each in page.get("/Annots", []):
            annotation = each.get_object()
            address = str(annotation.get("/A", {}).get("/URI", ""))
            name, _, anchor = address.removeprefix(INSIDE).partition("#")
            made = by_name.get(name)
            if not address.startswith(INSIDE):
                kept.append(each)
            elif made is not None:
                at, top = made.ends.get(unquote(anchor), (0, TOP))
                end = [ends[front + made.first + at], NameObject("/XYZ"), NullObject()]
                end += [FloatObject(top), NullObject()]
                annotation[NameObject("/Dest")] = ArrayObject(end)
                del annotation["/A"]
                kept.append(each)
        page[NameObject("/Annots")] = kept


def heading(words: str) -> str:
    """A heading, once: one that was moved to the next page is named twice by the browser."""
    half = words[: len(words) // 2]
    return half if half and half * 2 == words else words


def add_bookmarks(writer: PdfWriter, front: int, printed: list[Printed]) -> None:
    """Bookmarks for parts, pages, and the sections of each page."""
    above: list = [None]
    part = ""
    for made in printed:
        start = front + made.first
        if made.entry.part != part:
            part = made.entry.part
            above[:] = [writer.add_outline_item(title=part, page_number=start)]
        del above[max(1, made.entry.depth) :]
        own = writer.add_outline_item(title=made.title, page_number=start, parent=above[-1])
        above.append(own)

        def add(outline: list, parent: object, made: Printed = made, start: int = start) -> None:
            last = parent
            for item in outline:
                if isinstance(item, list):
                    add(item, last)
                    continue
                at = made.reader.get_destination_page_number(item) or 0
                last = writer.add_outline_item(
                    title=heading(item.title), page_number=start + at, parent=parent
                )

        sections = [item for item in made.reader.outline if isinstance(item, list)]
        for section in sections[:1]:
            add(section, own)


def bind(front: PdfReader, printed: list[Printed], site: Path) -> PdfWriter:
    """All pages in one file."""
    writer = PdfWriter()
    writer.append(front, import_outline=False)
    for made in printed:
        rewrite_links(made.reader, made.entry.docname, site)
        writer.append(made.reader, import_outline=False)
    before = len(front.pages)
    lead_inside(writer, before, printed)
    add_bookmarks(writer, before, printed)
    writer.set_page_label(0, before - 1, style="/r")
    writer.set_page_label(before, len(writer.pages) - 1, style="/D", start=1)
    writer.metadata = {"/Title": TITLE}
    writer.page_mode = "/UseOutlines"
    # Each chapter came with its own copy of the fonts.
    writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    return writer
