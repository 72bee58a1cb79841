"""The seven forms of weighting of the chapter on open questions, on scores moved by hand."""

from pathlib import Path

import torch

from live_figures import chapter, files

# The cell that names the seven forms.
FORMS = "0ea683d5"
SCORES = (-2.0, 1.0, 4.0, 0.5, -1.0)
VALUES = (10.0, 40.0, 20.0, 60.0, 50.0)
# The key that is asked for.
WANTED = 2
LIMIT = 10.0
# What a reader may make of the scores.
CASES = {
    "start": SCORES,
    "raised": [score + 1 for score in SCORES],
    "lowered": [score - 5 for score in SCORES],
    "doubled": [score * 2 for score in SCORES],
    "halved": [score / 2 for score in SCORES],
    "zero": [0.0] * 5,
    "exact for ReLU": [-3, -0.5, 5, 0, -1],
    "exact for linear": [0, 0, 5**0.5, 0, 0],
    "wanted below zero": [2, 1, -9, 0.5, 3],
    "extreme": [-10, -10, 10, -10, 10],
}


def export() -> list[Path]:
    """Run the chapter up to the seven forms, and write what the figure needs."""
    forms = chapter.run("15_open_questions", until=FORMS).names["FORMS"]
    values = torch.tensor(VALUES, dtype=torch.float64)
    identity = torch.eye(len(SCORES), dtype=torch.float64)[WANTED]
    cases = []
    for case, scores in CASES.items():
        keys = torch.tensor(scores, dtype=torch.float64)[:, None]
        for name, form in forms.items():
            weights = form(torch.ones(1, 1, dtype=torch.float64), keys, None)[0]
            found = {"weights": weights, "read": (weights @ values).item()}
            found["error"] = (weights - identity).square().sum().item()
            cases.append({"case": case, "scores": list(scores), "form": name} | found)
    config = {
        "forms": list(forms),
        "scores": SCORES,
        "values": VALUES,
        "wanted": WANTED,
        "limit": LIMIT,
    }
    return [
        files.write_weights("weighting-forms", config),
        files.write_expected("weighting-forms", {"cases": cases}),
    ]
