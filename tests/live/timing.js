// Times of the figures' maths, for benchmarks/live_against_torch.py: milliseconds as JSON.

const { loadHere } = require("./live.js");

const ROUNDS = 30;
const { models, weights, writing } = loadHere(["maths", "maths/writing", "weights/gpt-writer"]);
const model = models.gpt(weights.get("gpt-writer"));
const ids = Array.from({ length: 16 }, (_, i) => (i * 37) % 1024);

/** The median of many rounds, after as many to warm up. */
function median(deed) {
  for (let i = 0; i < ROUNDS; i++) deed();
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    deed();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[ROUNDS / 2];
}

const text = writing.writer(model);
const before = Array.from({ length: 64 }, (_, i) => (i * 41) % 1024);
text.begin(before);
console.log(
  JSON.stringify({
    "16 tokens recomputed": median(() => model.run(ids)),
    "1 token behind 64 others, with a cache": median(() => {
      text.read([7]);
      text.rewind(before.length);
    }),
  }),
);
