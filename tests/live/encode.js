// The tokens of many texts: a list of texts in JSON comes in, and a list of tokens goes out.

const fs = require("node:fs");
const { load } = require("./live.js");

const { weights, bytePairs } = load(["maths", "maths/byte_pairs", "weights/gpt-writer"]);
const { alphabet, merges } = weights.get("gpt-writer").config;
const tokens = bytePairs.tokenizer(alphabet, merges);
const texts = JSON.parse(fs.readFileSync(0, "utf8"));
const made = texts.map((text) => {
  const ids = tokens.encode(text);
  return [[...ids], tokens.decode(ids)];
});
process.stdout.write(JSON.stringify(made));
