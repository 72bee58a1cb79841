"""Read a page in a browser as one reader would, and report everything that is wrong with it."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

AXE = Axe()
# Preloading would fetch the style sheets a second time, which a page on disk may not do.
AXE_OPTIONS = {"preload": False, "resultTypes": ["violations"]}
# What a page in the other colours can break that it did not break before.
AXE_COLOURS = AXE_OPTIONS | {"runOnly": ["color-contrast", "link-in-text-block"]}
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

# Most of their words are 15 px high at full size; 9 px are small print.
TOO_SMALL_TO_READ = """() => [...document.querySelectorAll("main .cell_output img")]
  .filter((e) => e.getBoundingClientRect().width < 0.6 * e.naturalWidth)
  .map((e) => e.alt.slice(0, 120))"""

UNSET_FORMULAS = """() => [
  ...[...document.querySelectorAll(".math")].filter((e) => !e.querySelector("mjx-container")),
  ...document.querySelectorAll("mjx-merror, mjx-container [data-mml-node='merror']"),
].map((e) => e.textContent.slice(0, 120))"""

SPOKEN_FORMULAS = """() => {
  const all = [...document.querySelectorAll("mjx-container")];
  return all.filter((e) => !e.querySelector("mjx-assistive-mml math")).length;
}"""

# A word of code that looks like one before it can have no other fault, and thousands of them take
# most of the time. One of each look stays, and the others become plain text.
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


def open_page(browser: Browser, path: Path, scheme: str, width: int) -> tuple[Page, list[str]]:
    """Open a page, and collect what goes wrong while it loads.

    Returns:
        The page, settled, and a list that grows with every error and foreign request.
    """
    faults: list[str] = []
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.on("console", lambda m: m.type == "error" and faults.append(f"console: {m.text}"))
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("requestfailed", lambda request: faults.append(f"not loaded: {request.url}"))
    page.on(
        "request",
        lambda r: r.url.startswith(LOCAL) or faults.append(f"asked another host: {r.url}"),
    )
    page.goto(path.as_uri())
    page.wait_for_load_state("networkidle")
    page.evaluate("() => window.MathJax?.startup?.promise")
    settle(page)
    return page, faults


def settle(page: Page) -> None:
    """Wait until the page's own script has marked what scrolls: one frame later it is done."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))")


def read(browser: Browser, path: Path, width: int) -> list[str]:
    """Everything that is wrong with a page for a reader with a window of this width.

    It is read as it opens, and again in the other colours.
    """
    first, second = READERS[width]
    page, faults = open_page(browser, path, first, width)
    try:
        found = [*taken(faults), *layout_faults(page)]
        page.evaluate(ONE_OF_EACH_LOOK_IN_CODE)
        found += axe_faults(page, AXE_OPTIONS)
        all_faults = [f"{first}, {width} px wide: {fault}" for fault in found]
        page.emulate_media(color_scheme=second)
        settle(page)
        found = [*taken(faults), *layout_faults(page), *axe_faults(page, AXE_COLOURS)]
        theme = page.evaluate("() => document.documentElement.dataset.theme")
        if theme not in (None, second):
            found.append(f"the page stays {theme}")
        return [*all_faults, *(f"{second}, {width} px wide: {fault}" for fault in found)]
    finally:
        page.context.close()


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
    faults += [f"figure too small: {e}" for e in page.evaluate(TOO_SMALL_TO_READ)]
    faults += [f"formula not set: {e}" for e in page.evaluate(UNSET_FORMULAS)]
    silent = page.evaluate(SPOKEN_FORMULAS)
    if silent:
        faults.append(f"{silent} formulas cannot be read aloud")
    return faults


def axe_faults(page: Page, options: dict) -> list[str]:
    """What keeps people from reading the page, by axe's rules."""
    return [
        f"accessibility, {violation['id']}: {[node['html'][:120] for node in violation['nodes']]}"
        for violation in AXE.run(page, options=options).response["violations"]
    ]


def read_as_all(browser: Browser, path: Path) -> list[str]:
    """Everything that is wrong with a page at a desk and on a telephone, in light and in dark."""
    return [fault for width in READERS for fault in read(browser, path, width)]
