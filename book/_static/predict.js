// Predictions are answered where they are asked. The reader chooses; then the page shows what was
// measured and why, keeps the choice in this browser, and counts at the end of the chapter.
// Without this script the answer stands folded beneath the question.

(function () {
  "use strict";

  const STORE = "softlookup.predictions";
  const STATE = "predictions";

  /** All choices that this browser keeps: a prediction's name, its letter and the measured one. */
  function kept() {
    try {
      const found = Object.entries(JSON.parse(localStorage.getItem(STORE) ?? "{}") ?? {});
      return Object.fromEntries(found.filter(([, choice]) => /^[a-d]$/.test(choice?.chosen ?? "")));
    } catch {
      return {};
    }
  }

  function keep(name, choice) {
    const all = kept();
    if (choice) all[name] = choice;
    else delete all[name];
    try {
      localStorage.setItem(STORE, JSON.stringify(all));
    } catch {
      // A browser that keeps nothing still shows the answer.
    }
    document.dispatchEvent(new CustomEvent(STATE));
  }

  function letterOf(element, kind) {
    const match = element.className.match(new RegExp(`(?:^|\\s)${kind}-([a-d])(?:\\s|$)`));
    return match?.[1];
  }

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  /** The option's words as a button, which may hold no paragraph. */
  function asButton(option) {
    const words = option.querySelector("p");
    const button = make("button", "choice", ...words.childNodes);
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    words.replaceWith(button);
    return button;
  }

  function prepare(question) {
    const measured = letterOf(question, "measured");
    const section = question.parentElement;
    const answer = [...section.querySelectorAll("details.answer")].find(
      (each) => question.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    const options = [...question.querySelectorAll("li.option")];
    if (!measured || !answer || options.length === 0) return;

    const name = question.id.replace(/^predict-/, "");
    const buttons = new Map(options.map((option) => [letterOf(option, "option"), asButton(option)]));
    const reasons = new Map(
      [...answer.querySelectorAll(".reason")].map((reason) => [letterOf(reason, "reason"), reason]),
    );
    const home = reasons.get(measured).parentElement;

    const verdict = make("p", "verdict");
    const because = make("div", "because");
    const others = make("details", "others", make("summary", "", "The reasons for the others"));
    const again = make("button", "again", "Forget my answer");
    again.type = "button";
    const where = make("a", "where", "See the measurement");
    where.href = `#measured-${name}`;
    const outcome = make("div", "outcome", verdict, because, others, make("p", "next", where, again));
    outcome.hidden = true;
    const spoken = make("p", "visually-hidden");
    spoken.setAttribute("role", "status");
    question.append(outcome, spoken);

    function show(choice, aloud) {
      for (const [letter, button] of buttons) {
        button.setAttribute("aria-pressed", String(letter === choice));
        button.classList.toggle("measured", Boolean(choice) && letter === measured);
      }
      // Each reason is moved and not copied: a formula in it is set once.
      home.append(...reasons.values());
      outcome.hidden = !choice;
      answer.hidden = Boolean(choice);
      if (!choice) return;
      const right = choice === measured;
      const said = right
        ? `As you predicted: (${measured}) was measured.`
        : `You chose (${choice}). Measured: (${measured}).`;
      verdict.textContent = said;
      verdict.classList.toggle("right", right);
      because.replaceChildren(reasons.get(measured));
      if (!right) because.append(reasons.get(choice));
      const rest = [...reasons].filter(([letter]) => letter !== measured && letter !== choice);
      others.hidden = rest.length === 0;
      others.replaceChildren(others.firstElementChild, ...rest.map(([, reason]) => reason));
      if (aloud) spoken.textContent = said;
    }

    for (const [letter, button] of buttons) {
      button.addEventListener("click", () => {
        keep(name, { chosen: letter, measured });
        show(letter, true);
      });
    }
    again.addEventListener("click", () => {
      keep(name, null);
      show(null, false);
      spoken.textContent = "Your answer is forgotten.";
      buttons.get("a").focus();
    });
    show(kept()[name]?.chosen, false);
  }

  function counted(names) {
    const all = kept();
    const answered = names.filter((name) => all[name]);
    return { answered, right: answered.filter((name) => all[name].chosen === all[name].measured) };
  }

  function inWords(where, { answered, right }, total) {
    if (answered.length === 0) return `You have answered none of the ${total} predictions of ${where}.`;
    const open = total - answered.length;
    return (
      `Of the ${total} predictions of ${where} you answered ${answered.length}, ` +
      `and ${right.length} came out as you said.${open ? ` ${open} still to be answered.` : ""}`
    );
  }

  function namesIn(counts, chapters) {
    return chapters.flatMap((id) => Array.from({ length: counts[id] }, (_, at) => `${id}-${at + 1}`));
  }

  function keepTally(tally) {
    const { chapter, part, counts } = JSON.parse(tally.dataset.about);
    const here = namesIn(counts, [chapter]);
    const whole = namesIn(counts, Object.keys(counts));

    function write() {
      const result = counted(here);
      const lines = [make("p", "", inWords("this chapter", result, here.length))];
      const missed = result.answered.filter((name) => !result.right.includes(name));
      if (missed.length) {
        const list = make("ul", "");
        for (const name of missed) {
          const question = document.getElementById(`predict-${name}`);
          const heading = question?.closest("section")?.querySelector("h1, h2, h3");
          const link = make("a", "", heading?.firstChild?.textContent ?? name);
          link.href = `#predict-${name}`;
          list.append(make("li", "", link));
        }
        lines.push(make("p", "", "Worth a second look:"), list);
      }
      if (part) lines.push(make("p", "", inWords(part, counted(whole), whole.length)));
      tally.replaceChildren(make("p", "tally-title", "Your predictions"), ...lines);
      tally.hidden = false;
    }

    write();
    document.addEventListener(STATE, write);
  }

  for (const question of document.querySelectorAll(".admonition.predict[id^='predict-']")) prepare(question);
  for (const tally of document.querySelectorAll(".tally[data-about]")) keepTally(tally);
})();
