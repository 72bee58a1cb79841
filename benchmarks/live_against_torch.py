"""How fast the live figures' JavaScript computes, as a ratio to PyTorch on one thread.

    python benchmarks/live_against_torch.py [rounds]

The small GPT that comes with the library (0.9 million parameters) reads 16 tokens, and then one
token behind 64 others whose keys and values it has kept. Node and PyTorch take turns, so that what
else the machine does falls on both. Nothing here is a test: a busy machine would fail it.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from softlookup.pretrained.small_gpt import load_small_gpt

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tools"), str(ROOT / "book" / "_ext")]

import gpt_script  # noqa: E402
import node  # noqa: E402

REPEATS = 30


def in_node(made: Path) -> dict[str, float]:
    """Milliseconds in JavaScript, by what was computed."""
    called = [*node.command("node"), str(ROOT / "tests" / "live" / "timing.js")]
    environment = os.environ | {"LIVE_MADE": str(made)}
    ran = subprocess.run(called, env=environment, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def median(deed: Callable[[], object]) -> float:
    """Milliseconds of a deed: the median of many, after as many to warm up."""
    for _ in range(REPEATS):
        deed()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        deed()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


@torch.no_grad()
def in_torch() -> dict[str, float]:
    """The same in PyTorch."""
    model = load_small_gpt().model
    ids = torch.tensor([[i * 37 % 1024 for i in range(16)]])
    caches = model.make_caches(1)
    model(torch.tensor([[i * 41 % 1024 for i in range(64)]]), caches)

    def step() -> None:
        model(torch.tensor([[7]]), caches)
        for cache in caches:
            cache.length = 64

    return {
        "16 tokens recomputed": median(lambda: model(ids)),
        "1 token behind 64 others, with a cache": median(step),
    }


def main(rounds: int) -> None:
    """Let both take turns, and print the medians and their ratio."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        gpt_script.write(Path(folder))
        runs = [(in_node(Path(folder)), in_torch()) for _ in range(rounds)]
    print(f"{'':42} JavaScript   PyTorch   ratio")
    for what in runs[0][0]:
        script = statistics.median(each[what] for each, _ in runs)
        torch_ms = statistics.median(each[what] for _, each in runs)
        ratios = [each[what] / other[what] for each, other in runs]
        spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
        print(f"{what:42} {script:7.2f} ms {torch_ms:6.2f} ms   {spread}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
