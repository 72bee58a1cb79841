"""Read a page in a browser as one reader would, and report everything that is wrong with it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

# Preloading would fetch the style sheets a second time, which a page on disk may not do.
AXE_OPTIONS = {"preload": False, "resultTypes": ["violations"]}
# What a page in the other colours can break that it did not break before. These rules look at
# every word, which takes most of the time; the others look at the page's build.
COLOURS = ["color-contrast", "link-in-text-block"]
# So they look at marked elements alone.
OF_EACH_LOOK = [
    {"id": "color-contrast", "selector": "[data-look]"},
    {"id": "link-in-text-block", "selector": "a[href][data-look]"},
]
# Each width begins with the other scheme, and then the reader's system changes it.
READERS = {1280: ("light", "dark"), 375: ("dark", "light")}
LOCAL = ("file:", "data:", "blob:")

WIDER_THAN_THE_WINDOW = """() => {
  const root = document.documentElement;
  return root.scrollWidth > root.clientWidth ? [root.scrollWidth, root.clientWidth] : null;
}"""

# What scrolls sideways, but could not be reached with the tabulator.
OUT_OF_REACH = """() => [...document.querySelectorAll("main *")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
  .filter((e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX))
  .filter((e) => e.tabIndex < 0 && !e.querySelector("a[href], button, [tabindex='0']"))
  .map((e) => e.outerHTML.slice(0, 120))"""

# What scrolls sideways and shows its end first, so that its beginning is out of sight.
OPENS_AT_ITS_END = """() => [...document.querySelectorAll("main *")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && e.scrollLeft === 0)
  .filter((e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX))
  .filter((e) => [...e.children].some(
    (c) => c.getBoundingClientRect().left < e.getBoundingClientRect().left - 1,
  ))
  .map((e) => e.textContent.slice(0, 120))"""

# A star of Markdown's that set nothing in italics.
STARS = """() => [...document.querySelectorAll("main :is(p, li, td, figcaption)")]
  .flatMap((e) => [...e.childNodes])
  .filter((e) => e.nodeType === 3 && /[^\\s*\\d]\\*|\\*[^\\s*\\d]/.test(e.data))
  .map((e) => e.data.slice(0, 120))"""

# Most of their words are 15 px high at full size; 9 px are small print.
TOO_SMALL_TO_READ = """() => [...document.querySelectorAll("main .cell_output img")]
  .filter((e) => e.getBoundingClientRect().width < 0.6 * e.naturalWidth)
  .map((e) => e.alt.slice(0, 120))"""

# A browser that does not know MathML would set a fraction's parts side by side.
UNSET_FORMULAS = """() => [
  ...[...document.querySelectorAll(".math")].filter((e) => !e.querySelector("math")),
  ...document.querySelectorAll("math merror"),
  ...[...document.querySelectorAll("math mfrac")].filter((e) => {
    const [above, below] = [...e.children].map((part) => part.getBoundingClientRect());
    return e.getClientRects().length > 0 && above.bottom > below.top + 2;
  }),
].map((e) => e.textContent.slice(0, 120))"""

# A word of code that looks like one before it can have no other fault, and thousands of them take
# much of the time. One of each look stays, and the others become plain text.
ONE_OF_EACH_LOOK_IN_CODE = """() => {
  const seen = new Set();
  const words = document.querySelectorAll(":is(pre, code, dt) span:not([id], [tabindex])");
  const alike = [...words].filter((e) => {
    const code = e.closest("pre, code, dt");
    const ground = `${code.tagName} ${code.className} ${code.parentElement.className}`;
    const { color, backgroundColor, fontSize, fontWeight, opacity } = getComputedStyle(e);
    const look = [ground, e.className, color, backgroundColor, fontSize, fontWeight, opacity];
    return seen.has(look.join()) || !seen.add(look.join());
  });
  for (const e of alike) e.replaceWith(...e.childNodes);
}"""

# The first of all elements whose words have the same size, weight and colour on the same grounds,
# and what stands in it.
MARK_ONE_OF_EACH_LOOK = """(within) => {
  const seen = new Set();
  const worded = (e) => e.matches("input, select, textarea, svg text") ||
    [...e.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
  for (const e of document.querySelectorAll("[data-look]")) e.removeAttribute("data-look");
  for (const e of document.querySelectorAll(`:is(${within}) *`)) {
    if (!worded(e) || e.getClientRects().length === 0) continue;
    const { color, fill, fontSize, fontWeight, textDecorationLine } = getComputedStyle(e);
    const look = [e.localName, color, fill, fontSize, fontWeight, textDecorationLine];
    for (let at = e; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(at);
      const plain = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none";
      if (!plain || opacity !== "1") look.push(backgroundColor, backgroundImage, opacity);
      if (position !== "static") look.push(at.localName, at.className, position);
    }
    if (seen.has(look.join())) continue;
    seen.add(look.join());
    e.setAttribute("data-look", "");
  }
  for (const e of document.querySelectorAll("[data-look] *")) e.setAttribute("data-look", "");
}"""


# What a page asks for in the half second after it has loaded is its own doing, too.
HALF_A_SECOND_AFTER_LOADING = """() => new Promise((done) => {
  const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
  setTimeout(done, loadEventEnd + 500 - performance.now());
})"""


@cache
def room(browser: Browser) -> tuple[BrowserContext, CDPSession]:
    """Where pages are opened one after the other, and the way to what it keeps for them.

    A window of its own takes Chromium as long as most tests. A blank page keeps this one open.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    return context, context.new_cdp_session(context.new_page())


def blank_page(browser: Browser, scheme: str, width: int) -> tuple[Page, list[str]]:
    """A page for a reader who was never here before, and who closes it in the end.

    Args:
        browser: the browser.
        scheme: ``"light"`` or ``"dark"``, which the reader's system prefers.
        width: of the window, in pixels.

    Returns:
        The page, and a list that grows with every error and foreign request.
    """
    context, kept = room(browser)
    kept.send("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"})
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    faults: list[str] = []
    page.on("console", lambda m: m.type == "error" and faults.append(f"console: {m.text}"))
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("requestfailed", lambda request: faults.append(f"not loaded: {request.url}"))
    page.on(
        "request",
        lambda r: r.url.startswith(LOCAL) or faults.append(f"asked another host: {r.url}"),
    )
    return page, faults


def open_page(browser: Browser, path: Path, scheme: str, width: int) -> tuple[Page, list[str]]:
    """Open a page, settled, and collect what goes wrong while it loads.

    Args:
        browser: the browser.
        path: the page's file.
        scheme: ``"light"`` or ``"dark"``, which the reader's system prefers.
        width: of the window, in pixels.

    Returns:
        The page, and a list that grows with every error and foreign request.
    """
    page, faults = blank_page(browser, scheme, width)
    page.goto(path.as_uri())
    # A page that only sends its reader on is read where it leads.
    if 'http-equiv="Refresh"' in path.read_text("utf-8"):
        page.wait_for_url(lambda url: url != path.as_uri())
    settle(page)
    return page, faults


def settle(page: Page) -> None:
    """Wait until the page's own scripts are done: marks of what scrolls, and figures in view."""
    loading = page.evaluate(
        """async () => {
          await document.fonts.ready;
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
          return document.querySelector(".live[data-state=loading]") !== null;
        }"""
    )
    if loading:
        page.wait_for_function("!document.querySelector('.live[data-state=loading]')")
        settle(page)


def nothing_more(_page: Page) -> list[str]:
    """What most pages are asked beyond what is asked of every page."""
    return []


def read(
    browser: Browser,
    path: Path,
    width: int,
    use: Callable[[Page], list[str]] = nothing_more,
) -> list[str]:
    """Everything that is wrong with a page for a reader with a window of this width.

    It is read as it opens, and again in the other colours; there it is used.

    Args:
        browser: the browser.
        path: the page's file.
        width: of the window, in pixels.
        use: uses what the page offers, and says what was wrong with it.
    """
    first, second = READERS[width]
    page, faults = open_page(browser, path, first, width)
    try:
        found = [*taken(faults), *layout_faults(page)]
        page.evaluate(ONE_OF_EACH_LOOK_IN_CODE)
        found += axe_faults(page)
        all_faults = [f"{first}, {width} px wide: {fault}" for fault in found]
        page.emulate_media(color_scheme=second)
        settle(page)
        page.evaluate(HALF_A_SECOND_AFTER_LOADING)
        found = [*taken(faults), *layout_faults(page), *colour_faults(page)]
        theme = page.evaluate("() => document.documentElement.dataset.theme")
        if theme not in (None, second):
            found.append(f"the page stays {theme}")
        found += [*use(page), *taken(faults)]
        return [*all_faults, *(f"{second}, {width} px wide: {fault}" for fault in found)]
    finally:
        page.close()


def taken(faults: list[str]) -> list[str]:
    """What has gone wrong until now, which the list then forgets."""
    return [faults.pop(0) for _ in range(len(faults))]


def layout_faults(page: Page) -> list[str]:
    """What does not fit, and what cannot be reached or read."""
    faults = []
    sizes = page.evaluate(WIDER_THAN_THE_WINDOW)
    if sizes:
        faults.append(f"the page scrolls sideways: {sizes[0]} px in {sizes[1]} px")
    faults += [f"scrolls, out of reach: {e}" for e in page.evaluate(OUT_OF_REACH)]
    faults += [f"opens at its end: {e}" for e in page.evaluate(OPENS_AT_ITS_END)]
    faults += [f"a star is left over: {e}" for e in page.evaluate(STARS)]
    faults += [f"figure too small: {e}" for e in page.evaluate(TOO_SMALL_TO_READ)]
    faults += [f"formula not set: {e}" for e in page.evaluate(UNSET_FORMULAS)]
    return faults


def axe_faults(page: Page, within: str = "body") -> list[str]:
    """What keeps people from reading the page, or what a selector finds there, by axe's rules."""
    return _axe(page, within, {})


def colour_faults(page: Page) -> list[str]:
    """What axe says of the page's colours alone."""
    return _axe(page, "body", {"runOnly": COLOURS})


def _axe(page: Page, within: str, options: dict) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        page.evaluate("(rules) => axe.configure({ rules })", OF_EACH_LOOK)
    page.evaluate(MARK_ONE_OF_EACH_LOOK, within)
    # Rules about a page as a whole ask to be given all of it.
    context = {"include": [["html" if within == "body" else within]]}
    run = "([context, options]) => axe.run(context, options).then((found) => found.violations)"
    return [*map(_said, page.evaluate(run, [context, AXE_OPTIONS | options]))]


def _said(violation: dict) -> str:
    where = [node["html"].replace(' data-look=""', "")[:120] for node in violation["nodes"]]
    return f"accessibility, {violation['id']}: {where}"


def read_as_all(
    browser: Browser, path: Path, use: Callable[[Page], list[str]] = nothing_more
) -> list[str]:
    """Everything that is wrong with a page at a desk and on a telephone, in light and in dark."""
    return [fault for width in READERS for fault in read(browser, path, width, use)]
