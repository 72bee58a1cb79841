// Slides: reveal.js is started, each slide's words are made as large as fit, and a live figure is
// drawn at the size that its slide has room for. Nothing comes from another host.

(() => {
  "use strict";

  // Of 36 px. The least is still read from the last row.
  const SIZES = [1.3, 1.2, 1.1, 1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.54];
  const ZOOMS = Array.from({ length: 15 }, (_, at) => 1.2 - 0.05 * at);
  // A picture less wide than this many times its height leaves room at its side; one higher than
  // this many times its width is scrolled.
  const WIDE = 2.5;
  const TALL = 1.4;
  // In pixels, of a formula.
  const LEAST = 22;
  const SCROLLS = "pre, div.math, .pst-scrollable-table-container";

  const isWide = (element) => element.scrollWidth > element.clientWidth + 1;

  function tooLarge(slide) {
    const shown = slide.querySelector(".shown");
    if (!shown) return false;
    shrinkFormulas(shown);
    const isHigh = shown.scrollHeight > shown.clientHeight + 1 && !slide.matches(".tall");
    return isHigh || isWide(shown) || [...shown.querySelectorAll(SCROLLS)].some(isWide);
  }

  /** A wide formula becomes small itself, and not the words around it. */
  function shrinkFormulas(shown) {
    for (const formula of shown.querySelectorAll("div.math")) {
      formula.style.fontSize = "";
      if (!isWide(formula)) continue;
      const size = parseFloat(getComputedStyle(formula).fontSize);
      formula.style.fontSize = `${Math.max(LEAST, Math.floor((size * formula.clientWidth) / formula.scrollWidth))}px`;
    }
  }

  /** The first of some sizes that fits, or the last. */
  function choose(slide, sizes, apply) {
    for (const size of sizes) {
      apply(size);
      if (!tooLarge(slide)) return;
    }
  }

  function fit(slide) {
    const picture = slide.querySelector(".shown > img");
    if (picture?.naturalWidth) {
      const [width, height] = [picture.naturalWidth, picture.naturalHeight];
      const tall = width * TALL < height;
      slide.classList.toggle("tall", tall);
      slide.classList.toggle("beside", !tall && width < WIDE * height && slide.querySelector(".claim") !== null);
    }
    const figure = slide.querySelector(".live");
    if (figure) choose(slide, ZOOMS, (zoom) => (figure.style.zoom = String(zoom)));
    else choose(slide, SIZES, (size) => slide.style.setProperty("--size", String(size)));
  }

  function fitShown() {
    const slide = Reveal.getCurrentSlide();
    if (!slide) return;
    fit(slide);
    makeReachable(slide);
  }

  // What scrolls within a slide can be reached by keyboard.
  function makeReachable(slide) {
    for (const element of slide.querySelectorAll(`${SCROLLS}, .shown`)) {
      if (!isWide(element) && !(slide.matches(".tall") && element.matches(".shown"))) continue;
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", "Scrollable");
    }
  }

  Reveal.on("ready", fitShown);
  Reveal.on("slidechanged", fitShown);
  Reveal.on("resize", fitShown);
  document.fonts.ready.then(fitShown);
  // Pictures and live figures arrive later than their slides.
  document.querySelector(".slides").addEventListener("load", fitShown, true);
  new MutationObserver(fitShown).observe(document.querySelector(".slides"), {
    attributeFilter: ["data-state"],
    subtree: true,
  });
  // One that grows while it is used keeps its place on the slide.
  const growth = new ResizeObserver(() => {
    const slide = Reveal.getCurrentSlide();
    if (slide && tooLarge(slide)) fitShown();
  });
  for (const figure of document.querySelectorAll(".slides .live")) growth.observe(figure);

  Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0.05,
    center: false,
    display: "flex",
    hash: true,
    navigationMode: "linear",
    slideNumber: "c/t",
    transition: "none",
    backgroundTransition: "none",
    viewDistance: 2,
    plugins: [RevealNotes],
  });
})();
