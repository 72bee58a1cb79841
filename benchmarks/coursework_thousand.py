"""A thousand submissions, one in twenty of them hostile, graded in one go: is every mark right?

    python benchmarks/coursework_thousand.py          # 1,000 submissions; keeps the figures
    python benchmarks/coursework_thousand.py 60       # as many as one likes; keeps nothing

The honest ones are put together by chance from right and wrong answers whose points are known, in
styles and numbers of their own; the hostile ones are drawn from the bank of the tests, each bounded
by itself. Every mark is compared with what it has to be, and every hostile verdict too.
"""

import os
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "coursework"))

import hostile_bank as bank
import hostile_course
from coursework_class import keep, watched
from softlookup_coursework.commands.batches import run_batches
from softlookup_coursework.common.verdicts import Result

NAME, WORKERS, HOSTILE = hostile_course.NAME, 2, 0.05
# Answers, and the points that the cells `rows` and `scale` give them.
ATTENTION = {
    "scores = torch.einsum('...id,...jd->...ij', query, key) * query.shape[-1] ** -0.5\n"
    "return torch.einsum('...ij,...jv->...iv', scores.softmax(-1), value)": (1, 4),
    "scores = query @ key.mT / math.sqrt(key.size(-1))\n"
    "scores = (scores - scores.amax(-1, keepdim=True)).exp()\n"
    "return scores / scores.sum(-1, keepdim=True) @ value": (1, 4),
    "looked = [torch.softmax(k @ q / q.numel() ** 0.5, 0) @ v\n"
    "          for qs, k, v in zip(query, key, value) for q in qs]\n"
    "return torch.stack(looked).view(*query.shape[:-1], value.shape[-1])": (1, 4),
    "scores = (query @ key.mT / math.sqrt(key.size(-1))).exp()\n"
    "return scores / scores.sum(-1, keepdim=True) @ value": (1, 2),
    # Where scores run to hundreds, every softmax picks one key, scaled or not.
    "return torch.softmax(query @ key.mT, -1) @ value": (1, 2),
    "return torch.softmax(query @ key.mT / key.size(-1) ** 0.5, -2) @ value": (0, 0),
    "raise NotImplementedError": (0, 0),
}
MODULE = {"tokens * self.weight": 3, "self.weight.mul(tokens)": 3, "tokens + self.weight": 0}


def honest(chance: random.Random) -> tuple[list[dict], list[float]]:
    """An honest submission, and the points that its cells have to get."""
    body, (rows, scale) = chance.choice(list(ATTENTION.items()))
    product, module = chance.choice(list(MODULE.items()))
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    noise = f"guess_{chance.randrange(10**6)} = {chance.random()}\n"
    cells = bank.cells(
        f"{noise}def attention(query, key, value):\n{lines}",
        bank.MODULE.replace("tokens * self.weight", product),
    )
    if chance.random() < 0.5:
        cells.insert(chance.randrange(1, len(cells)), bank.cell(f"print({chance.random()})"))
    return cells, [rows, scale, module]


def main(number: int) -> dict[str, Any]:
    """Hand in, grade, compare, print, and return the figures."""
    chance, attacks = random.Random(0), hostile_course.BY_CODE
    hostile = set(chance.sample(range(number), max(1, round(HOSTILE * number))))
    due: dict[str, bank.Attack | list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as listener,
        watched(os.getpid()) as peak,
    ):
        course = hostile_course.make_course(Path(folder, "course"))
        for n in range(number):
            student = f"student_{n:04}"
            if n in hostile:
                attack = due[student] = chance.choice(attacks)
                content = attack.make(listener.getsockname()[1])
            else:
                content, due[student] = honest(chance)
            bank.write_submission(course.folder / "collected" / NAME / student, content)
        started = time.monotonic()
        run_batches(course, [NAME], hostile_course.LIMITS, WORKERS)
        seconds = time.monotonic() - started
        results = {
            student: Result.read(course.results(NAME, student) / "result.json") for student in due
        }
    wrong = [student for student, owed in due.items() if not as_owed(results[student], owed)]
    verdicts = Counter(str(result.verdict) for result in results.values())
    for student in wrong:
        print(f"WRONG: {student}: {results[student]}; expected {due[student]}")
    figures = {
        "submissions": number,
        "hostile": len(hostile),
        "kinds to draw from": len(attacks),
        "workers": WORKERS,
        "a minute": round(60 * number / seconds),
        "MiB in all": round(peak.bytes / 2**20),
        "verdicts": dict(verdicts),
        "right": number - len(wrong),
    }
    print(figures)
    return figures


def as_owed(result: Result, owed: "bank.Attack | list[float]") -> bool:
    """Whether a result is what it has to be."""
    if isinstance(owed, bank.Attack):
        return (result.verdict, result.earned) == (owed.verdict, owed.earns)
    return result.verdict == "graded" and [c.earned for c in result.cells] == [*owed, None]


if __name__ == "__main__":
    figures = main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    if figures["right"] < figures["submissions"]:
        sys.exit(1)
    if len(sys.argv) == 1:
        keep("a thousand", figures)
