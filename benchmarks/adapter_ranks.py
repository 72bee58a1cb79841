"""What the chapter on answers needs minutes for: how much of fine-tuning adapters reach.

    python benchmarks/adapter_ranks.py              # every arm
    python benchmarks/adapter_ranks.py "rank 8"     # one of them

The small GPT learns to write numbers in digits: all its weights, the matrices that adapters change
without a limit on the rank, or adapters of several ranks; some also in twice or six times the
steps. Rank 128 is the smaller width of every one of these matrices, so that an adapter of this rank
is a product and has no limit. These adapters have one alpha, as is usual, so that the factor
alpha / rank falls with the rank; others have a factor that is named, and one keeps the small factor
of rank 128 but begins with a matrix A four times as large. A rival of adapters trains the output
layer alone, which is the table of embeddings until it is given a copy of its own. Gradients are
clipped at a norm of one, the default of ``train``. Each arm's learning rate is chosen on a seed
that nothing else uses. What
comes out is stored beside ``softlookup.course.adapter_ranks``, where the chapter reads it; a test
holds the store to this script.
"""

import json
import sys

import torch
from softlookup.course import adapter_ranks
from softlookup.course.seeding import seed_everything
from softlookup.data import questions
from softlookup.data.epochs import endless_batches
from softlookup.layers.low_rank import add_adapters, count_trained
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.answers import answer_loss, are_likeliest, join_answers
from softlookup.running.training import train, warmup_cosine
from torch import nn

TERMS = {
    "limit": 1000,  # numbers below it
    "learned": 400,
    "asked": 200,
    "steps": 250,
    "batch": 8,
    "warm_up": 5,
    "alpha": 16.0,
    "rates": [0.0005, 0.001, 0.002, 0.004],  # and further by factors of two, where needed
    "validation_seed": 10,
    "seeds": [0, 1, 2],
    "ranks": [1, 2, 8, 32],
    "whole_rank": 128,  # the smaller width of all the matrices
    "factors": [[1, 2], [2, 2], [8, 8], [32, 2], [128, 2]],  # ranks, and alpha / rank
    "larger_start": 4.0,
}
ADAPTED = {
    *("query_projection", "key_projection", "value_projection"),
    *("output_projection", "inner_projection"),
}
FREE = "the same matrices"
OUTPUT = "the output layer alone"
TWICE, SIX_TIMES = ", twice the steps", ", six times the steps"
FACTOR, LARGER = ", factor ", ", A begun larger"
ARMS = (
    "all weights",
    FREE,
    *(f"rank {rank}" for rank in (*TERMS["ranks"], TERMS["whole_rank"])),
    *(f"rank {rank}{FACTOR}{factor}" for rank, factor in TERMS["factors"]),
    f"rank {TERMS['whole_rank']}{LARGER}",
    *(f"{arm}{TWICE}" for arm in (FREE, "rank 1", "rank 8")),
    f"rank 1{SIX_TIMES}",
    OUTPUT,
)


class OwnOutput(nn.Module):
    """An embedding with an output layer of its own, which begins as a copy of the table."""

    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.output = nn.Parameter(embedding.table.detach().clone())

    def forward(self, tokens):
        """Look each token up in the table."""
        return self.embedding(tokens)

    def scores(self, x):
        """The logits of the next token."""
        return x @ self.output.T


def adapted(model):
    """The linear layers that adapters are put on, in order."""
    return [layer for name, layer in model.named_modules() if name.rsplit(".", 1)[-1] in ADAPTED]


def start(arm, generator):
    """The model of an arm, of which only that can be trained which the arm trains."""
    model = load_small_gpt().model
    for suffix in (TWICE, SIX_TIMES):
        arm = arm.removesuffix(suffix)
    if arm.startswith("rank"):
        rank, _, factor = arm.removeprefix("rank ").removesuffix(LARGER).partition(FACTOR)
        alpha = float(factor) * int(rank) if factor else TERMS["alpha"]
        add_adapters(model, ADAPTED, int(rank), alpha, generator)
    if arm.endswith(LARGER):
        for layer in adapted(model):
            with torch.no_grad():
                layer.down.mul_(TERMS["larger_start"])
    if arm in (FREE, OUTPUT):
        model.requires_grad_(False)
    if arm == FREE:
        for layer in adapted(model):
            layer.weight.requires_grad_(True)
    if arm == OUTPUT:
        model.embedding = OwnOutput(model.embedding)
        model.embedding.output.requires_grad_(True)
    return model


def times_the_steps(arm):
    """How many times the usual steps an arm is trained."""
    return {TWICE: 2, SIX_TIMES: 6}.get(f", {arm.rpartition(', ')[2]}", 1)


def tokens():
    """From questions to a batch of tokens."""
    byte_pairs = load_small_gpt().tokens
    return lambda asked: join_answers(
        [byte_pairs.encode(each.prompt) for each in asked],
        [byte_pairs.encode(each.answer) for each in asked],
    )


def fine_tuned(arm, rate, seed):
    """An arm's model after its training, and numbers that it has not seen."""
    generator = seed_everything(seed)
    encode = tokens()
    order = torch.randperm(TERMS["limit"], generator=generator).tolist()
    learned = [questions.number(value) for value in order[: TERMS["learned"]]]
    asked = encode([questions.number(value) for value in order[-TERMS["asked"] :]])
    model = start(arm, generator)
    train(
        model,
        lambda model, batch: answer_loss(model(batch.tokens), batch),
        endless_batches(learned, encode, TERMS["batch"], generator),
        steps=TERMS["steps"] * times_the_steps(arm),
        learning_rate=rate,
        schedule=warmup_cosine(TERMS["warm_up"]),
        show_progress=False,
    )
    return model, asked


@torch.no_grad()
def share_right(model, asked):
    """The share of numbers that a model writes in digits, exactly."""
    return are_likeliest(model(asked.tokens), asked).float().mean().item()


def try_rates(arm):
    """What each learning rate reaches: halved or doubled, until the best is not the last tried."""
    reached, ahead = {}, [*TERMS["rates"]]
    while ahead:
        for rate in ahead:
            reached[rate] = share_right(*fine_tuned(arm, rate, TERMS["validation_seed"]))
        best = max(reached, key=reached.__getitem__)
        low, high = min(reached), max(reached)  # of equals at an edge, too, the next one is tried
        ahead = [low / 2] * (reached[low] == reached[best])
        ahead += [high * 2] * (reached[high] == reached[best])
    return reached, best


def measure(arm):
    """What one arm trains, its learning rates on a seed of their own, and its seeds at the best."""
    at_each_rate, best = try_rates(arm)
    return {
        "parameters": count_trained(start(arm, torch.Generator())),
        "at_each_rate": {str(rate): at_each_rate[rate] for rate in sorted(at_each_rate)},
        "rate": best,
        "right": [share_right(*fine_tuned(arm, best, seed)) for seed in TERMS["seeds"]],
    }


def main(arms):
    """Measure some arms, and store them beside the others."""
    torch.set_num_threads(1)
    store = adapter_ranks.STORE
    kept = json.loads(store.read_text(encoding="utf-8"))["arms"] if store.exists() else {}
    for arm in arms or ARMS:
        kept[arm] = measure(arm)
        print(arm, kept[arm], flush=True)
        ordered = {name: kept[name] for name in ARMS if name in kept}
        text = json.dumps({"terms": TERMS, "arms": ordered}, indent=1)
        store.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
