// Controls with visible labels: sliders, fields, choices, switches, rows of tokens. Each is an
// ordinary element of the page, so that keyboards and screen readers know it.

var SoftLookup = SoftLookup || {};

SoftLookup.controls = (() => {
  "use strict";
  let count = 0;

  /** An element with its class and words. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} [name] @param {string} [text] @returns {HTMLElementTagNameMap[T]} */
  function element(tag, name = "", text = "") {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }

  /** A label above its control. @param {HTMLElement} parent @param {string} label @param {HTMLInputElement | HTMLSelectElement} control */
  function labelled(parent, label, control) {
    count += 1;
    control.id ||= `live-control-${count}`;
    const wrapped = element("div", "live-control");
    const words = element("label", "", label);
    words.htmlFor = control.id;
    wrapped.append(words, control);
    parent.append(wrapped);
    return wrapped;
  }

  /**
   * A slider that shows its value: along a range, or from one to the next of a list of stops.
   * @param {HTMLElement} parent @param {string} label
   * @param {{min?: number, max?: number, step?: number, stops?: number[], value: number, format?: (value: number) => string, changed: (value: number) => void}} options
   */
  function slider(
    parent,
    label,
    { min = 0, max = 1, step = 1, stops, value, format = String, changed },
  ) {
    const input = element("input");
    input.type = "range";
    input.min = String(stops ? 0 : min);
    input.max = String(stops ? stops.length - 1 : max);
    input.step = String(stops ? 1 : step);
    const wrapped = labelled(parent, label, input);
    const shown = element("output");
    shown.htmlFor.add(input.id);
    wrapped.append(shown);
    function show() {
      const words = format(get());
      shown.textContent = words;
      input.setAttribute("aria-valuetext", words);
    }
    const get = () => (stops ? stops[Number(input.value)] : Number(input.value));
    /** @param {number} real */
    function set(real) {
      input.value = String(stops ? stops.indexOf(real) : real);
      show();
    }
    input.addEventListener("input", () => {
      show();
      changed(get());
    });
    set(value);
    return { input, get, set };
  }

  /** A line of text. @param {HTMLElement} parent @param {string} label @param {{value: string, changed: (value: string) => void}} options */
  function field(parent, label, { value, changed }) {
    const input = element("input");
    input.type = "text";
    input.value = value;
    input.autocomplete = "off";
    input.spellcheck = false;
    input.addEventListener("input", () => changed(input.value));
    labelled(parent, label, input);
    return input;
  }

  /** A choice among a few. @param {HTMLElement} parent @param {string} label @param {{options: [string, string][], value: string, changed: (value: string) => void}} options value and words of each */
  function choice(parent, label, { options, value, changed }) {
    const select = element("select");
    for (const [each, words] of options) {
      const option = element("option", "", words);
      option.value = each;
      select.append(option);
    }
    select.value = value;
    select.addEventListener("change", () => changed(select.value));
    labelled(parent, label, select);
    return select;
  }

  /** On or off. @param {HTMLElement} parent @param {string} label @param {{value: boolean, changed: (value: boolean) => void}} options */
  function toggle(parent, label, { value, changed }) {
    const input = element("input");
    input.type = "checkbox";
    input.checked = value;
    input.addEventListener("change", () => changed(input.checked));
    const wrapped = labelled(parent, label, input);
    wrapped.classList.add("live-toggle");
    return input;
  }

  /** @param {HTMLElement} parent @param {string} words @param {() => void} pressed */
  function button(parent, words, pressed) {
    const made = element("button", "", words);
    made.type = "button";
    made.addEventListener("click", pressed);
    parent.append(made);
    return made;
  }

  /**
   * A row of things of which one is chosen, as the tokens of a text. Arrow keys move along it.
   * @param {HTMLElement} parent @param {string} label @param {(index: number) => void} chosen
   */
  function row(parent, label, chosen) {
    const group = element("div", "live-row");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    parent.append(group);
    const buttons = () => /** @type {HTMLButtonElement[]} */ ([...group.children]);
    /** @param {number} index */
    function mark(index) {
      buttons().forEach((each, i) => {
        each.setAttribute("aria-pressed", String(i === index));
        each.tabIndex = i === Math.max(0, index) ? 0 : -1;
      });
    }
    group.addEventListener("keydown", (event) => {
      const all = buttons();
      const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined || !all[to]) return;
      event.preventDefault();
      all[to].focus();
      all[to].click();
    });
    /** @param {string[]} words @param {number} index of the one that is chosen; -1 if none is */
    function show(words, index) {
      const all = buttons();
      words.forEach((each, i) => {
        if (all[i]) all[i].textContent = each;
        else button(group, each, () => chosen(i));
      });
      for (const each of all.slice(words.length)) each.remove();
      mark(index);
    }
    return { group, show };
  }

  return { element, labelled, slider, field, choice, toggle, button, row };
})();
