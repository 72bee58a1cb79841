"""Shared by the tests of feedback, of formgrader's notebooks and of exports.

A course with the grader's results, hostile content for them, and a browser that reports whether
any of it acted.
"""

import base64
import csv
import io
import json
import re
import struct
import sys
import zlib
from pathlib import Path

from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict

SITE_TESTS = Path(__file__).parents[1] / "site"
if str(SITE_TESTS) not in sys.path:
    sys.path.append(str(SITE_TESTS))

AFAR = "https://afar.invalid"
# Known attacks; each reports in the page, or by a request, that it acted.
HOSTILE = [
    "<script>window.acted = 'script'</script>",
    f"<img src='{AFAR}/i.png' onerror=\"window.acted = 'image'\">",
    "<svg onload=\"window.acted = 'svg'\"><script>window.acted = 'svg script'</script></svg>",
    "<svg><style><img src=x onerror=\"window.acted = 'mutated'\"></style></svg>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 '
    "onerror=window.acted='mglyph'&gt;\">",
    f"<iframe src='{AFAR}'></iframe><iframe srcdoc=\"<script>parent.acted = 'frame'</script>\">",
    f"<link rel=stylesheet href={AFAR}/s.css><meta http-equiv=refresh content='0;url={AFAR}'>",
    f"<style>@import '{AFAR}/s.css'; body {{ background: url({AFAR}/b.png); display: none }}"
    "</style>",
    f"<base href='{AFAR}/'><form action='{AFAR}' id=form><input autofocus name=q "
    "onfocus=\"window.acted = 'focus'\"></form>",
    "<details open ontoggle=\"window.acted = 'toggle'\"><summary>x</summary></details>",
    "<video><source onerror=\"window.acted = 'video'\"></video>",
    "<object data=\"data:text/html,<script>parent.acted = 'object'</script>\"></object>",
    "</pre></textarea></title></style></table></div></main><script>window.acted = 'end'</script>",
    "[press](javascript:window.acted='link') <javascript:window.acted='auto'>",
    "[press][r]\n\n[r]: javascript:window.acted='reference'",
    "[press](JaVaScRiPt&colon;window.acted='entity')",
    "[press](data:text/html,<script>opener.acted=1</script>)",
    f"![picture]({AFAR}/m.png) ![picture](javascript:window.acted='picture)",
    "`</code><script>window.acted = 'code'</script>`",
    "```html\n</code></pre><script>window.acted = 'fence'</script>\n```",
    "    </pre><script>window.acted = 'indented'</script>",
    "| a |\n|---|\n| <script>window.acted = 'table'</script> |",
    "$\\href{javascript:window.acted='formula'}{x}$ $$\\unicode{<img src=x onerror=acted=1>}$$",
    "{{ 7*7 }} {% raw %} {{ config }} « 7 » ${7*7}",
    "\x1b[2J\x1b[31mred\x1b]8;;javascript:window.acted=1\x07press\x1b]8;;\x07\x1b[0m",
    "You earned \u202e31\u202c of 13; \u2066a\u2069\u200b; Z"
    + "\u0351" * 500
    + "; \x00\x07\x7f\x9b31m",
    "\ud800 lone",
]
NAMES = [
    ("Zoë", "O'Brien, Jr."), ('Al "the" =cmd()', "=1+1"), ("a\nb", "c\rd"), ("🧑‍🔬", "عمر"),
    ("\u202eada", "\x1b[31mred"), ("", "-"), ("<b>x</b>", "&amp;"),
]  # fmt: skip
EVERYTHING = "\n\n".join(HOSTILE)
ACTED = """() => {
  const allowed = (u) => u.startsWith('#') || u.startsWith('data:,');
  const found = [];
  if (window.acted) found.push('it ran: ' + window.acted);
  for (const e of document.querySelectorAll('main *, body > *:not(main)')) {
    for (const a of e.attributes) if (a.name.startsWith('on')) found.push(e.outerHTML);
    if (e.href && !allowed(e.getAttribute('href'))) found.push(e.outerHTML);
  }
  const bad = 'script, iframe, object, embed, svg, math, form, input, video, base, frame';
  for (const e of document.querySelectorAll(bad)) found.push(e.outerHTML);
  return found.map((e) => String(e).slice(0, 200));
}"""


def what_acted(browser, path, looks_for=ACTED):
    """Open a page in a browser, and return what ran in it and what it requested."""
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    # A loaded machine may take minutes for what takes a second otherwise.
    context.set_default_timeout(240_000)
    page = context.new_page()
    found = []
    page.on("request", lambda r: r.url.startswith(("data:", path.as_uri())) or found.append(r.url))
    # The browser also reports requests that the page's policy blocked.
    kept_back = []
    page.on("requestfailed", lambda r: r.failure == "csp" and kept_back.append(r.url))
    page.on("dialog", lambda dialog: (found.append("a dialog"), dialog.dismiss()))
    page.on("popup", lambda popup: found.append("a window"))
    page.on("pageerror", lambda error: found.append(f"a script's error: {error}"))
    page.goto(path.as_uri())
    page.wait_for_load_state("networkidle")
    page.mouse.move(300, 300)
    page.wait_for_timeout(300)
    found = [url for url in found if url not in kept_back] + page.evaluate(looks_for)
    text = page.inner_text("body")
    context.close()
    return found, text


def png(width=2, height=2, real=True):
    """A picture in base 64; one that is not real has a header with its size and no data."""

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = b"".join(b"\x00" + b"\xb0" * 3 * width for _ in range(height)) if real else b""
    body = chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + header + body).decode()


def printed(text):
    """What a cell printed."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def drawn(**data):
    """What a cell displayed, by kinds such as ``image/png``."""
    kinds = {kind.replace("_", "/"): content for kind, content in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": kinds}


def graded_cell(source, kind="code", name=None, outputs=(), locked=False):
    """A cell of ``graded.ipynb``."""
    metadata = {"nbgrader": {"grade_id": name, "locked": locked}} if name else {}
    cell = {
        "cell_type": kind,
        "source": source,
        "metadata": metadata,
        "id": f"c{abs(hash(source))}",
    }
    return cell | ({"outputs": list(outputs), "execution_count": None} if kind == "code" else {})


def write_result(course, name, student, result, cells=None):
    """Write a submission's results as the grader does."""
    folder = course / "results" / name / student
    folder.mkdir(parents=True, exist_ok=True)
    result.write(folder / "result.json")
    if cells is not None:
        whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
        (folder / "graded.ipynb").write_text(json.dumps(whole))


def a_result(
    verdict=Verdict.GRADED, why="", message="your slopes: the last one is missing", notes=()
):
    """One test passed of two, 7 points of 13, and a written answer for 5."""
    tests = (
        TestResult("visible.rows_sum_to_one", 7, 7.0, ""),
        TestResult("hidden.slopes", 6, 0.0, message),
    )
    cells = (CellResult("rows", 13, 7.0, tests), CellResult("essay", 5, None))
    return Result(verdict, why, cells, tuple(notes))


def mark(student, earned=11.5, by_hand=4.5, points=18.0, **others):
    values = {"verdict": Verdict.GRADED, "why": "", "first_name": "", "last_name": ""} | others
    return Mark(student, "positions", earned - (by_hand or 0), by_hand, earned, points, **values)


def cells(path):
    """The cells of a table, as a spreadsheet reads them."""
    return list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def acts(cell):
    """Whether a spreadsheet would treat a cell, or a part of it, as a formula."""
    parts = re.split(r"[;\t\r\n\v\f\x85\u2028\u2029]", cell)
    return any(part.strip()[:1] in tuple("=+-@＝＋－＠﹦﹢﹣﹫") and part.strip() for part in parts)
