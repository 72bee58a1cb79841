"""What the chapter on answers needs minutes for: how much of fine-tuning adapters reach.

    python benchmarks/adapter_ranks.py              # every arm
    python benchmarks/adapter_ranks.py "rank 8"     # one of them

The small GPT learns to write numbers in digits: all its weights, adapters of several ranks, or its
last block alone. Each arm's learning rate is chosen on a seed that nothing else uses. What comes
out is stored beside ``softlookup.course.adapter_ranks``, where the chapter reads it; a test holds
the store to this script.
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

TERMS = {
    "limit": 1000,  # numbers below it
    "learned": 400,
    "asked": 200,
    "steps": 250,
    "batch": 8,
    "warm_up": 5,
    "alpha": 16.0,
    "rates": [0.0005, 0.001, 0.002, 0.004],
    "validation_seed": 10,
    "seeds": [0, 1, 2],
}
ADAPTED = {
    *("query_projection", "key_projection", "value_projection"),
    *("output_projection", "inner_projection"),
}
ARMS = (
    "all weights",
    *(f"rank {rank}" for rank in (1, 2, 8)),
    "last block",
)


def start(arm, generator):
    """The model of an arm, of which only that can be trained which the arm trains."""
    model = load_small_gpt().model
    if arm.startswith("rank"):
        rank = int(arm.removeprefix("rank "))
        add_adapters(model, ADAPTED, rank, TERMS["alpha"], generator)
    if arm == "last block":
        model.requires_grad_(False)
        model.stack.blocks[-1].requires_grad_(True)
    return model


def tokens():
    """From questions to a batch of tokens."""
    byte_pairs = load_small_gpt().tokens
    return lambda asked: join_answers(
        [byte_pairs.encode(each.prompt) for each in asked],
        [byte_pairs.encode(each.answer) for each in asked],
    )


def right_after(arm, rate, seed):
    """The share of unseen numbers that an arm writes in digits, exactly."""
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
        steps=TERMS["steps"],
        learning_rate=rate,
        schedule=warmup_cosine(TERMS["warm_up"]),
    )
    with torch.no_grad():
        return are_likeliest(model(asked.tokens), asked).float().mean().item()


def measure(arm):
    """What one arm trains, its learning rates on a seed of their own, and its seeds at the best."""
    at_each_rate = {
        str(rate): right_after(arm, rate, TERMS["validation_seed"]) for rate in TERMS["rates"]
    }
    best = max(at_each_rate, key=at_each_rate.__getitem__)
    return {
        "parameters": count_trained(start(arm, torch.Generator())),
        "at_each_rate": at_each_rate,
        "rate": float(best),
        "right": [right_after(arm, float(best), seed) for seed in TERMS["seeds"]],
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
