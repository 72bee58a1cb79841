"""The soft dictionary: the mountains of the chapter on attention, and its lookups."""

from pathlib import Path

import torch

from live_figures import chapter, files

QUESTIONS = ("Kilimandscharo", "Everest", "Mont Blanc", "aconcagua and denali", "z")
TEMPERATURES = (10, 1, 0.3, 0.1, 0.03, 0.01)
# Where the slider stops: the chapter's temperatures, and some between them.
STOPS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
# The cells that score the drawers, and that turn the temperature.
SCORES, TABLE = "51f4800a", "25dafbe3"


def export() -> list[Path]:
    """Run the chapter up to its table of temperatures, and write what the figure needs."""
    ran = chapter.run("02_attention", until=TABLE)
    ran.agree(SCORES)
    ran.agree(TABLE)
    names = ran.names
    config = {
        "entries": [{"name": name, "height": height} for name, height in names["heights"].items()],
        "letters": names["LETTERS"],
        "question": "Kilimandscharo",
        "examples": ["Kilimandscharo", "Everest", "Mont Blanc"],
        "temperature": 0.3,
        "temperatures": STOPS,
    }
    keys, values = names["keys"], names["values"]
    lookups = []
    for question in QUESTIONS:
        for temperature in TEMPERATURES:
            query = names["as_vector"](question).requires_grad_()
            scores = keys @ query
            weights = torch.softmax(scores / temperature, dim=0)
            answer = weights @ values
            answer.backward()
            lookup = {"question": question, "temperature": temperature, "answer": answer.item()}
            lookup |= {"scores": scores.detach(), "weights": weights.detach()}
            lookups.append(lookup | {"sensitivity": query.grad.norm().item()})
    expected = {"lookups": lookups, "stored": ran.stored[TABLE].splitlines()}
    return [
        files.write_weights("soft-dictionary", config),
        files.write_expected("soft-dictionary", expected),
    ]
