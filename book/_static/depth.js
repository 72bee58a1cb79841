// Two ways to read a chapter: prose, pictures and the code that teaches; or everything, with the
// code that checks and draws unfolded. The choice is kept in this browser.
// Without this script every fold opens by hand.

(function () {
  "use strict";

  const STORE = "softlookup.depth";
  const folds = [...document.querySelectorAll(".cell details.hide")].filter(
    (fold) => !fold.closest("section[id^='exercise-']"),
  );
  const header = document.querySelector(".article-header-buttons");
  if (folds.length === 0 || !header) return;

  function kept() {
    try {
      return localStorage.getItem(STORE);
    } catch {
      return null;
    }
  }

  function keep(depth) {
    try {
      localStorage.setItem(STORE, depth);
    } catch {
      // A browser that keeps nothing still unfolds this page.
    }
  }

  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-sm depth";
  button.textContent = "All code";
  button.title = "Unfold the code that checks and draws, too";

  function read(everything) {
    button.setAttribute("aria-pressed", String(everything));
    for (const fold of folds) fold.open = everything;
  }

  button.addEventListener("click", () => {
    const everything = button.getAttribute("aria-pressed") !== "true";
    keep(everything ? "everything" : "read");
    read(everything);
  });
  header.prepend(button);
  read(kept() === "everything");
})();
