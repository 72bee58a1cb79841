// Read formulas as a JSON list, and answer with a list of their MathML, or of what is wrong in each.

"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

// The file declares a global, as a page's script does.
const page = vm.createContext({});
vm.runInContext(fs.readFileSync(path.join(__dirname, "temml.min.js"), "utf8"), page);
const temml = vm.runInContext("temml", page);

function answer({ formula, display }) {
  try {
    return { mathml: temml.renderToString(formula, { displayMode: display, throwOnError: true }) };
  } catch (fault) {
    return { fault: fault.message };
  }
}

const asked = JSON.parse(fs.readFileSync(process.stdin.fd, "utf8"));
process.stdout.write(JSON.stringify(asked.map(answer)));
