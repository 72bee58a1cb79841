// The only script of the live figures that a page loads by itself. When a figure comes near the
// view, or is asked for, its scripts are loaded in order from beside this one, and the element
// takes over from the words that stood in it. Nothing comes from another host.

(() => {
  "use strict";
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const base = script.src;
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();

  /** @param {string} path */
  function load(path) {
    const begun = loading.get(path);
    if (begun) return begun;
    const made = new Promise((/** @type {(value: void) => void} */ done, failed) => {
      const added = document.createElement("script");
      // Scripts that a page adds run as they arrive, unless they are told to keep their order.
      added.async = false;
      added.src = new URL(`${path}.js`, base).href;
      added.onload = () => done();
      added.onerror = () => failed(new Error(`${path}.js could not be loaded`));
      document.head.append(added);
    });
    loading.set(path, made);
    return made;
  }

  /** Load a figure's scripts; its element is upgraded by the last of them. @param {HTMLElement} figure */
  async function start(figure) {
    if (figure.dataset.state !== "waiting") return;
    figure.dataset.state = "loading";
    try {
      await Promise.all((figure.dataset.scripts ?? "").split(" ").map(load));
      if (!customElements.get(figure.localName))
        throw new Error(`${figure.localName} is not defined`);
    } catch (error) {
      figure.dataset.state = "failed";
      const told = document.createElement("p");
      told.setAttribute("role", "status");
      told.textContent =
        "This figure could not be loaded. The text and the pictures around it say the same.";
      figure.append(told);
      console.warn(error);
    }
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        start(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: "600px" },
  );

  /** A large figure waits until its button is pressed. @param {HTMLElement} figure @param {string} words */
  function ask(figure, words) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "live-ask";
    button.textContent = words;
    button.addEventListener("click", async () => {
      button.disabled = true;
      button.textContent = "Loading …";
      await start(figure);
      button.remove();
    });
    figure.append(button);
  }

  for (const figure of document.querySelectorAll("[data-scripts]")) {
    if (!(figure instanceof HTMLElement) || figure.dataset.state) continue;
    figure.dataset.state = "waiting";
    if (figure.dataset.ask) ask(figure, figure.dataset.ask);
    else near.observe(figure);
  }
})();
