"""How long a step of data parallelism takes over a real link, of which the rate is held.

    python benchmarks/link_times.py

Two workers send each other gradients by gloo, over the loopback of a network namespace of their
own, in which Linux's token bucket (``tc``) lets through so many bytes a second. It is the reverse
of ``step_times.py``: there the computing is real and the link imitated, here the link is real and
the computing slept, so that other work on the machine disturbs it little. In each repeat a step is
taken with nothing sent, with one sum after the backward pass, and with a sum for each block during
it. Ratios to the first are taken within a repeat; of a run we keep the median. It needs Linux, root
and iproute2. What comes out is stored beside ``softlookup.course.link_times``, where the chapter on
training past one machine reads it; a test holds the store to this script.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np
import torch
import torch.distributed as dist
from softlookup.course import link_times as kept
from softlookup.parallel import slow_link, workers


@dataclass(frozen=True)
class Terms:
    """What is timed: the weights have four bytes; the computing's first third is the forward pass.

    Attributes:
        runs: each with fresh workers.
        repeats: in each, all steps have their turn in an order that is drawn anew.
        computing: seconds of a step.
        blocks: as many sums a step takes if each is sent when a block's gradients are there.
        weights: of all blocks together.
        rates: bytes a second that each worker sends.
    """

    runs: int = 5
    repeats: int = 3
    computing: float = 0.9
    blocks: int = 6
    weights: int = 1_200_000
    rates: tuple[float, ...] = (2e7, 1e7, 5e6)


TERMS = Terms()
# A packet must fit the token bucket, and a small bucket lets nearly nothing through for free.
IN_A_NAMESPACE = ["unshare", "--net", "sh", "-c", 'ip link set lo mtu 9000 up && exec "$0" "$@"']
HELD = "tc qdisc replace dev lo root tbf rate {bits:.0f}bit burst 16kb limit 64mb"


def take_step(parts, computing, link, after):
    """One step: its computing is slept, and the link is waited for, if there is one."""
    time.sleep(computing / 3)
    for part in reversed(parts):
        time.sleep(2 / 3 * computing / len(parts))
        if link is not None and not after:
            link.send([part])
    if link is not None:
        if after:
            link.send(parts)
        link.wait()


def time_steps(repeats, computing, blocks, weights):
    """Seconds that this worker takes, for each way and repeat, from when both have met."""
    torch.manual_seed(0)  # Both draw the same order.
    parts = [torch.ones(weights // blocks) for _ in range(blocks)]
    link = slow_link.SlowLink(0.0, float("inf"))  # Nothing is added to what gloo takes.
    ways = ((None, False), (link, True), (link, False))
    taken = [[] for _ in ways]
    for repeat in range(repeats + 1):
        for way in torch.randperm(len(ways)).tolist():
            dist.barrier()
            begun = time.perf_counter()
            take_step(parts, computing, *ways[way])
            if repeat:  # The first time sockets and memory are new.
                taken[way].append(time.perf_counter() - begun)
    link.close()
    return taken


def ratios(taken):
    """From seconds by worker, way and repeat: both ways of sending over the computing alone."""
    alone, after, in_buckets = np.array(taken).max(axis=0)
    return [round(float(np.median(each / alone)), 3) for each in (after, in_buckets)]


def within(terms):
    """Take all runs where loopback may be slowed; print them."""
    # Another process imports what workers call, by the file's own name.
    from link_times import time_steps as work

    runs = []
    for run in range(terms.runs):
        runs.append([])
        for rate in terms.rates:
            # Both workers' bytes pass through one token bucket.
            subprocess.run(HELD.format(bits=2 * 8 * rate).split(), check=True)
            of_step = terms.repeats, terms.computing, terms.blocks, terms.weights
            runs[-1].append(ratios(workers.run(work, 2, *of_step)))
        print(f"run {run + 1}: {runs[-1]}", file=sys.stderr, flush=True)
    print(json.dumps(runs))


def main(terms=TERMS):
    """Take all runs in a network namespace and store them."""
    itself = [sys.executable, __file__, json.dumps(asdict(terms))]
    environment = os.environ | {"GLOO_SOCKET_IFNAME": "lo"}
    told = subprocess.run(
        [*IN_A_NAMESPACE, *itself], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    runs = json.loads(told.stdout)
    stored = {
        "torch": torch.__version__,
        "cores": os.cpu_count(),
        "weights": terms.weights,
        "blocks": terms.blocks,
        "computing": terms.computing,
        "rates": terms.rates,
        "after": [[of_rate[0] for of_rate in run] for run in runs],
        "in_buckets": [[of_rate[1] for of_rate in run] for run in runs],
    }
    kept.STORE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        within(Terms(**json.loads(sys.argv[1])))
    else:
        main()
