// What a style sheet cannot do: scrollable parts become reachable by keyboard, long inline
// formulas and, on a telephone, figures scroll in themselves, folded parts are open on paper, and
// long contents scroll to where the reader is.
// Pages read well without it.

(function () {
  "use strict";

  const SCROLLABLE =
    ".math, pre, .pst-scrollable-table-container, .cell_output > .output, .picture, .sig";
  // Of its own size: the words of most figures are then 10 px high.
  const LEGIBLE = 0.65;

  function nameOf(element) {
    if (element.matches(".math")) return "Formula, scrollable";
    if (element.matches(".pst-scrollable-table-container")) return "Table, scrollable";
    if (element.matches(".picture")) return "Figure, scrollable";
    return "Code, scrollable";
  }

  function keepFiguresLegible() {
    for (const figure of document.querySelectorAll(".cell_output > img, .picture-from img")) {
      const picture = document.createElement("div");
      picture.className = "picture";
      figure.replaceWith(picture);
      picture.append(figure);
      figure.style.minWidth = `${LEGIBLE * figure.naturalWidth}px`;
    }
  }

  function makeReachable() {
    for (const formula of document.querySelectorAll("span.math")) {
      formula.classList.toggle("wide", formula.offsetWidth > formula.closest("p, li, td, th, div").clientWidth);
    }
    for (const element of document.querySelectorAll(SCROLLABLE)) {
      if (element.scrollWidth > element.clientWidth + 1) {
        element.tabIndex = 0;
        // A term of a list has a role already, and its words are its name.
        if (element.matches("dt")) continue;
        element.setAttribute("role", "group");
        element.setAttribute("aria-label", nameOf(element));
      } else if (element.hasAttribute("tabindex")) {
        for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
      }
    }
  }

  function openFolds() {
    for (const fold of document.querySelectorAll("details:not([open])")) {
      fold.open = true;
      window.addEventListener("afterprint", () => (fold.open = false), { once: true });
    }
  }

  // The theme marks a heading when it comes into view, so that whoever jumps into the middle of a
  // section stays where they were. The section that is read began above the window's upper third.
  function markWhereTheReaderIs() {
    const entries = [...document.querySelectorAll("#pst-page-toc-nav a.nav-link")];
    const began = (entry) => {
      const section = document.getElementById(decodeURIComponent(entry.hash.slice(1)));
      return section && section.getBoundingClientRect().top < 0.3 * window.innerHeight;
    };
    const reached = entries.filter(began).at(-1);
    if (!reached || reached.classList.contains("active")) return;
    for (const entry of entries) {
      entry.classList.toggle("active", entry === reached);
      entry.removeAttribute("aria-current");
    }
    reached.setAttribute("aria-current", "true");
    for (const item of document.querySelectorAll("#pst-page-toc-nav .toc-entry")) {
      item.classList.toggle("active", item.contains(reached));
    }
  }

  let scrolled = 0;
  function onScroll() {
    window.clearTimeout(scrolled);
    scrolled = window.setTimeout(markWhereTheReaderIs, 150);
  }

  function followTheReader() {
    const contents = document.querySelector(".bd-sidebar-secondary");
    const entry = [...document.querySelectorAll(".page-toc .nav-link.active")].at(-1);
    if (!contents || !entry) return;
    const [box, at] = [contents, entry].map((element) => element.getBoundingClientRect());
    if (at.top < box.top || at.bottom > box.bottom) {
      contents.scrollTop += at.top - box.top - box.height / 2;
    }
  }

  // A page opened from disk may not read the others, which the summaries of results need.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

  window.addEventListener("load", () => {
    keepFiguresLegible();
    makeReachable();
  });
  window.addEventListener("resize", makeReachable);
  window.addEventListener("scroll", onScroll, { passive: true });
  document.addEventListener("toggle", makeReachable, true);
  window.addEventListener("beforeprint", openFolds);
  // The theme marks the section that is being read; it tells nobody.
  const contents = document.querySelector("#pst-page-toc-nav");
  const watch = { attributeFilter: ["class"], subtree: true };
  if (contents) new MutationObserver(followTheReader).observe(contents, watch);
})();
