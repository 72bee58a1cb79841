"""Past one machine: what a worker holds and sends in each kind of training, at published sizes.

The models are made without memory, and their parameters are counted by name. Four workers train a
small Llama in each kind: what they hold goes into the expected values, and what they send must be
what the formulas say, or nothing is written. A pipeline's orders are those that torch's own
schedules followed there.
"""

import sys
from collections.abc import Mapping
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import torch
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel import workers
from softlookup.parallel.data_parallel import with_torch
from softlookup.parallel.memory import training_bytes
from softlookup.parallel.pipeline import Stage, gpipe, one_forward_one_backward, pipeline
from softlookup.parallel.schedules import Work, idle_share, most_kept, timetable
from softlookup.parallel.sharded import sharded
from softlookup.parallel.tensor_parallel import plan, tensor_parallel
from softlookup.parallel.traffic import all_reduce_bytes, gather_bytes
from softlookup.parallel.trainings import Training, in_turn
from softlookup.pretrained.gpt2 import GPT2_SIZES
from softlookup.pretrained.llama import LLAMA_SIZES
from softlookup.pretrained.small_gpt import load_small_gpt
from torch import nn

from live_figures import files

Config = GPTConfig | LlamaConfig
NAME = "past-one-machine"
MODELS: Mapping[str, Config] = {
    "This course’s small GPT": load_small_gpt().model.config,
    "GPT-2, 124 million": GPT2_SIZES["gpt2"],
    "GPT-2, 1.6 billion": GPT2_SIZES["gpt2-xl"],
    "Llama 2, 7 billion": LLAMA_SIZES["meta-llama/Llama-2-7b-hf"],
    "Llama 2, 70 billion": LLAMA_SIZES["meta-llama/Llama-2-70b-hf"],
    # Brown et al. 2020, table 2.1.
    "GPT-3, 175 billion": GPTConfig(50257, 2048, d_model=12288, n_heads=96, n_layers=96),
}
WORKERS = (1, 2, 4, 8, 16, 32, 48, 64)
MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
BATCHES = (8, 16, 32, 64, 192, 384, 768, 1536)
DEVICE_BYTES = 80 * 10**9
KINDS = ("data", "sharded", "tensor", "pipeline")
SCHEDULES = {"gpipe": gpipe, "1f1b": one_forward_one_backward}

SMALL = LlamaConfig(
    vocab_size=61, max_length=32, d_model=64, n_heads=8, n_key_value_heads=4, n_layers=4, d_ff=96
)
SMALL_WORKERS, SMALL_BATCH, SMALL_MICRO_BATCHES = 4, 16, (1, 2, 4, 8, 16)
# A library's own headers are sent, too, and weigh something beside a model as small as this.
CLOSE = 0.02


def numbers(module: nn.Module) -> int:
    """How many parameters a module has."""
    return sum(each.numel() for each in module.parameters())


@cache
def make(config: Config) -> GPT | Llama:
    """A model of these sizes that takes no memory."""
    with torch.device("meta"):
        return GPT(config) if isinstance(config, GPTConfig) else Llama(config)


@cache
def described(name: str, config: Config) -> dict[str, Any]:
    """What the figure has to know of a model: its parts, counted."""
    model = make(config)
    block = model.stack.blocks[0]
    cut = 0
    for parameter, each in block.named_parameters():
        part, _, kind = parameter.rpartition(".")
        # What is cut by its inputs is summed first, and then its bias is added once.
        if part in plan() and not (kind == "bias" and part.endswith("output_projection")):
            cut += each.numel()
    unembedding = getattr(model, "unembedding", None)
    table = numbers(model.embedding)
    blocks, norm = config.n_layers * numbers(block), numbers(model.stack.final_norm)
    output = table if unembedding is None else numbers(unembedding)
    first = numbers(model) - blocks - norm - (0 if unembedding is None else output)
    return {
        "name": name,
        "parameters": numbers(model),
        "layers": config.n_layers,
        "block": numbers(block),
        "cut": cut,
        "first": first,
        "last": norm + output,
        "table": table if unembedding is None else 0,
        "d_model": config.d_model,
        "length": config.max_length,
        "heads": config.n_heads,
        "shared_heads": getattr(config, "n_key_value_heads", config.n_heads),
        "inner": getattr(config, "d_ff", 4 * config.d_model),
    }


def stages(config: Config, n_stages: int) -> list[int]:
    """The parameters of each stage of a pipeline.

    Where the output is the table of embeddings, ours refuses; Megatron-LM, which is counted here,
    has a copy of the table in the last stage.
    """
    model = make(config)
    if n_stages == 1:
        return [numbers(model)]
    if isinstance(model, Llama) and model.unembedding is not None:
        return [numbers(Stage(model, stage, n_stages)) for stage in range(n_stages)]
    share = config.n_layers // n_stages * numbers(model.stack.blocks[0])
    ends = [share] * n_stages
    ends[0] += numbers(model.embedding) + numbers(model.positions)
    ends[-1] += numbers(model.embedding) + numbers(model.stack.final_norm)
    return ends


def counted(config: Config, kind: str, n_workers: int, batch: int) -> tuple[float, float]:
    """The bytes that the fullest worker holds, and that the busiest sends, by the library."""
    known = described("", config)
    whole, size = known["parameters"], 4 * known["parameters"]
    stream = 4 * batch * config.max_length * config.d_model
    if kind == "data":
        return training_bytes(whole), all_reduce_bytes(size, n_workers)
    if kind == "sharded":
        # Gathered for the forward pass and for the backward one, and summed in parts once.
        return training_bytes(whole) / n_workers, 3 * gather_bytes(size, n_workers)
    if kind == "tensor":
        cut = config.n_layers * known["cut"]
        held = training_bytes(whole - cut) + training_bytes(cut) / n_workers
        return held, 4 * config.n_layers * all_reduce_bytes(stream, n_workers)
    if n_workers == 1:
        return training_bytes(whole), 0
    table = all_reduce_bytes(4 * known["table"], 2)
    middle = 2 * stream if n_workers > 2 else 0
    return max(map(training_bytes, stages(config, n_workers))), max(stream + table, middle)


def divides(config: Config, kind: str, n_workers: int, batch: int) -> bool:
    """Whether a kind can give every worker as much."""
    known = described("", config)
    shared = {
        "data": (batch,),
        "sharded": (batch,),
        "tensor": (known["shared_heads"], known["heads"], known["inner"]),
        "pipeline": (known["layers"],),
    }
    return all(each % n_workers == 0 for each in shared[kind])


def order(schedule: str, stage: int, n_stages: int, micro_batches: int) -> list[Work]:
    """What a stage does after what."""
    forward = [Work("forward", n) for n in range(micro_batches)]
    backward = [Work("backward", n) for n in range(micro_batches)]
    if schedule == "gpipe":
        return forward + backward
    ahead = min(micro_batches, n_stages - stage)
    pairs = zip(backward, forward[ahead:], strict=False)
    between = [each for pair in pairs for each in pair]
    return forward[:ahead] + between + backward[micro_batches - ahead :]


def small_runs() -> tuple[dict[str, list[int]], list[dict[str, Any]]]:
    """Train in four workers: what each holds in each kind, and when each stage does what.

    Raises:
        ValueError: if what was sent is not what the formulas say, or torch's order not ours.
    """
    tokens = torch.randint(
        SMALL.vocab_size,
        (2, SMALL_BATCH, SMALL.max_length + 1),
        generator=torch.Generator().manual_seed(18),
    )
    training = Training(SMALL, tokens[..., :-1], tokens[..., 1:], 1e-3, dtype=torch.float32)
    # Torch's 1F1B refuses fewer micro-batches than stages.
    piped = [
        (schedule, m)
        for schedule, m in product(SCHEDULES, SMALL_MICRO_BATCHES)
        if schedule == "gpipe" or m >= SMALL_WORKERS
    ]
    staged = [partial(pipeline, micro_batches=m, make_schedule=SCHEDULES[s]) for s, m in piped]
    done = workers.run(
        in_turn, SMALL_WORKERS, [with_torch, sharded, tensor_parallel, *staged], training
    )
    outcomes = dict(zip(KINDS, [[each[i] for each in done] for i in range(4)], strict=True))
    outcomes["pipeline"] = [each.outcome for each in outcomes["pipeline"]]
    for kind in KINDS:
        sent = max(each.sent for each in outcomes[kind])
        _, formula = counted(SMALL, kind, SMALL_WORKERS, SMALL_BATCH)
        # Gloo sends a whole all-reduce for each sum in parts; the formula is that of a ring.
        extra = gather_bytes(4 * numbers(make(SMALL)), SMALL_WORKERS) if kind == "sharded" else 0
        if sys.platform == "linux" and abs(sent / (formula + extra) - 1) > CLOSE:
            raise ValueError(f"{kind} sent {sent:,} bytes; expected about {formula + extra:,}")
    tables = []
    for at, (schedule, m) in enumerate(piped):
        orders = [each[3 + at].order for each in done]
        if orders != [order(schedule, s, SMALL_WORKERS, m) for s in range(SMALL_WORKERS)]:
            raise ValueError(f"torch's {schedule} of {m} micro-batches works in another order")
        rows = [
            [[each.work.kind, each.work.micro_batch, each.start, each.end] for each in row]
            for row in timetable(orders)
        ]
        tables.append({"schedule": schedule, "micro_batches": m, "rows": rows})
    return {kind: [each.held.total for each in outcomes[kind]] for kind in KINDS}, tables


def export() -> list[Path]:
    """Count the models and the schedules, and write what the figure needs."""
    held, tables = small_runs()
    cases = []
    for name, kind, n_workers, batch in product(MODELS, KINDS, WORKERS, (8, 768)):
        able = divides(MODELS[name], kind, n_workers, batch)
        both = counted(MODELS[name], kind, n_workers, batch) if able else None
        cases.append([name, kind, n_workers, batch, both])
    waits = []
    for schedule, n_stages, m in product(SCHEDULES, WORKERS, MICRO_BATCHES):
        if schedule == "1f1b" and m < n_stages:
            continue
        orders = [order(schedule, stage, n_stages, m) for stage in range(n_stages)]
        idle = float(idle_share(timetable(orders)))
        waits.append([schedule, n_stages, m, idle, max(map(most_kept, orders))])
    written = {
        "models": [described(*each) for each in MODELS.items()],
        "workers": WORKERS,
        "micro_batches": MICRO_BATCHES,
        "batches": BATCHES,
        "device_bytes": DEVICE_BYTES,
    }
    small = {"model": described("small", SMALL), "batch": SMALL_BATCH, "held": held}
    expected = {"cases": cases, "small": small, "tables": tables, "waits": waits}
    return [files.write_weights(NAME, written), files.write_expected(NAME, expected)]
