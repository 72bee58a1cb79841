"""Freeze an edition: the prose of this book as one text, which its language models learn.

    python tools/freeze_edition.py

The text is ``lib/softlookup/data/edition.txt``, and every number that the book prints of a
language model rests on its bytes. So nothing makes it by itself, and it does not follow the
chapters: it is what they said on the day it was frozen. Freeze a new edition when the prose has
changed so much that the models no longer sound like it. Then enter the digest that is printed
here in ``softlookup.data.edition``, run ``benchmarks/gpt_against_n_grams.py``, then
``benchmarks/tuned_gpt.py``, and the chapters that train on the text, and go through their numbers.

What is kept is prose in reading order, titles and headings with it: first the pages about the
course, then its chapters, so that the last fifth, by which models are chosen and on which they are
tested, comes from chapters.
What is left out: code in blocks, displayed formulas, tables, images, directives' fences and
options, addresses, citation keys, and raw HTML. A formula within a sentence is kept, as plain text.

Unicode is put into form NFC; quotation marks, dashes, dots and spaces become those of ASCII; a
paragraph is one line, with single spaces. A paragraph with a character that occurs fewer than
``RARE`` times on the whole is left out. An empty line ends a paragraph, two end a page. All this
is done here and once, since the tables of Unicode differ between Python's releases.
"""

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

ROOT = Path(__file__).resolve().parent.parent
EDITION = ROOT / "lib" / "softlookup" / "data" / "edition.txt"
PAGES = (
    "book/index.md",
    "book/how_tested.md",
    "CONTRIBUTING.md",
    "book/teaching/adopting.md",
    "book/teaching/running.md",
    "book/teaching/scale.md",
    "book/teaching/threat_model.md",
    "book/notation.md",
    "book/glossary.md",
    "book/confusions.md",
)
RARE = 10

PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’‚", "'"),
        **dict.fromkeys("‐‑‒–—−", "-"),
        "…": "...",
        "²": "^2",
        "⁻": "^-",
        "ᵀ": "^T",
    }
)
# What a formula's command becomes; any other becomes its name.
COMMANDS = {
    **{"cdot": "·", "times": "×", "le": "≤", "ge": "≥", "sqrt": "√", "infty": "∞", "to": "→"},
    **{"alpha": "α", "gamma": "γ", "sigma": "σ", "ell": "l", "mid": "|", "pm": "+-", "top": "T"},
    **{"langle": "(", "rangle": ")", "varepsilon": "eps"},
    **dict.fromkeys(("dots", "ldots", "cdots"), "..."),
    **dict.fromkeys(("quad", "qquad"), " "),
    **dict.fromkeys(("left", "right", "bigl", "bigr", "text", "operatorname", "mathrm"), ""),
    **dict.fromkeys(("mathbb", "mathcal", "hat", "widehat", "bar", "tilde"), ""),
}


def formula(source: str) -> str:
    r"""A formula within a sentence as plain text: ``d_\text{model}`` becomes d_model."""
    source = re.sub(r"\\[td]?frac(?:\{([^{}]*)\}\{([^{}]*)\}|(\d)(\d))", r"\1\3/\2\4", source)
    source = re.sub(r"\\[,;:!> ]", " ", source)
    source = re.sub(r"\\sqrt +", r"\\sqrt", source)
    source = re.sub(r"\\([A-Za-z]+)", lambda found: COMMANDS.get(found[1], found[1]), source)
    return re.sub(r"[{}\\&]", "", source)


def sentences(inline: Token) -> str:
    """A paragraph or a heading without its markup."""
    found, role = [], ""
    for token in inline.children or []:
        if token.type == "math_inline":
            found.append(formula(token.content))
        elif token.type in ("softbreak", "hardbreak"):
            found.append(" ")
        elif token.type == "code_inline" and role in ("cite", "claim"):
            found = ["".join(found).rstrip()]
        elif token.type == "code_inline":
            found.append(token.content)
        elif token.type == "text":
            found.append(re.sub(r"\{[a-z:-]+\}$|https?://\S+", "", token.content))
        before = re.search(r"\{([a-z:-]+)\}$", token.content) if token.type == "text" else None
        role = before[1].split(":")[0] if before else ""
    return "".join(found)


def glossary(source: str) -> str:
    """The entries of a glossary as Markdown: a term, then what it means."""
    return re.sub(r"^(\S.*)\n +", r"\1\n\n", source, flags=re.MULTILINE)


def paragraphs(markdown: str) -> Iterator[str]:
    """The paragraphs and headings of a page in MyST Markdown."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.use(colon_fence_plugin).use(dollarmath_plugin)
    in_table, begins_item = False, False
    for token in parser.parse(markdown):
        if token.type in ("table_open", "table_close"):
            in_table = token.type == "table_open"
        elif token.type == "list_item_open":
            begins_item = True
        elif token.type == "colon_fence":
            yield from paragraphs(re.sub(r"^:[a-z-]+:.*$", "", token.content, flags=re.MULTILINE))
        elif token.type == "fence" and token.info.strip() == "{glossary}":
            yield from paragraphs(glossary(token.content))
        elif token.type == "inline" and not in_table:
            yield ("- " if begins_item else "") + sentences(token)
            begins_item = False


def normalised(paragraph: str) -> str:
    """One form for what Unicode can say in several, and single spaces."""
    return " ".join(unicodedata.normalize("NFC", paragraph).translate(PLAIN).split())


def pages() -> Iterator[str]:
    """The Markdown of the pages about the course, then of the chapters."""
    for name in PAGES:
        yield (ROOT / name).read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def edition() -> str:
    """The whole text."""
    found = [[normalised(text) for text in paragraphs(page)] for page in pages()]
    often = Counter("".join("".join(page) for page in found))
    kept = [
        [text for text in page if text and all(often[character] >= RARE for character in text)]
        for page in found
    ]
    return "\n\n\n".join("\n\n".join(page) for page in kept) + "\n"


def main() -> None:
    """Write the text, and print its length and its digest."""
    text = edition()
    EDITION.write_bytes(text.encode("utf-8"))
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    print(f"{len(text):,} characters, {len(set(text))} different ones; SHA-256 {digest}")


if __name__ == "__main__":
    main()
