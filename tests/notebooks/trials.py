"""Put the claims of one chapter on trial: run what they depend on, with and without mistakes.

    python tests/notebooks/trials.py 02_attention

prints, as JSON, which claims hold as the chapter stands, and what came of each planted mistake.
The chapter's statements run once, in order. Where a mistake is planted the process forks: the
child goes on with the mistake, the parent without it. So a mistake in what is measured on a
trained model costs the measurement, and not another training.
"""

import ast
import contextlib
import io
import json
import os
import runpy
import sys
from pathlib import Path

from chapters import Chapter, all_chapters
from slices import slice_for, statements

PLANTED = Path(__file__).resolve().parent / "planted"


def planted_in(chapter):
    """The mistakes that the chapter's bank plants: claim, what is wrong, old text, new text."""
    path = PLANTED / f"chapter_{chapter.number:02}.py"
    return runpy.run_path(str(path))["PLANTED"] if path.exists() else []


def execute(statement, namespace):
    module = ast.Module([statement.node], type_ignores=[])
    exec(compile(module, "<chapter>", "exec"), namespace)


def first_difference(found, planted):
    """The place of the first statement that the mistake changes."""
    for place, (one, other) in enumerate(zip(found, planted, strict=False)):
        if ast.dump(one.node) != ast.dump(other.node):
            return place
    raise ValueError("the mistake changes nothing")


def in_a_child(action):
    """Run an action in a forked process; return the text that it returned."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(write_end, "w") as pipe, contextlib.redirect_stdout(io.StringIO()):
                pipe.write(action())
        finally:
            # Whatever happened, the child must not go on with the parent's work.
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text


def fate(part, namespace):
    """Run the rest of a slice; say how it ended."""
    try:
        for statement in part:
            execute(statement, namespace)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def trial(chapter: Chapter, claim_ids, mistakes):
    """Try the chapter.

    Args:
        chapter: the chapter.
        claim_ids: the claims that it states.
        mistakes: those planted, as in the bank.

    Returns:
        The claims that held, and how it ended with each mistake.
    """
    found = statements(chapter)
    wanted = {place for claim_id in claim_ids for place in slice_for(found, claim_id)}
    branches, fates = {}, {}
    for number, (claim_id, _, old, new) in enumerate(mistakes):
        try:
            planted = statements(chapter, (old, new))
            fork = first_difference(found, planted)
            places = slice_for(planted, claim_id)
        except ValueError as error:
            fates[number] = f"it cannot be planted: {error}"
            continue
        wanted |= {place for place in places if place < fork}
        rest = [planted[place] for place in places if place >= fork]
        branches.setdefault(fork, []).append((number, rest))
    namespace = {"__name__": "__main__"}
    printed = io.StringIO()
    for place, statement in enumerate(found):
        for number, rest in branches.get(place, []):
            fates[number] = in_a_child(lambda rest=rest: fate(rest, namespace))
        if place in wanted:
            with contextlib.redirect_stdout(printed):
                execute(statement, namespace)
    return printed.getvalue(), [fates.get(number, "") for number in range(len(mistakes))]


def main(chapter_id):
    from contract_outputs import claims_of
    from softlookup.course.claims import parse

    (chapter,) = [each for each in all_chapters() if each.id == chapter_id]
    claim_ids = [parse(line).id for line in claims_of(chapter)]
    printed, fates = trial(chapter, claim_ids, planted_in(chapter))
    held = [claim.id for claim in map(parse, printed.splitlines()) if claim]
    json.dump({"held": held, "fates": fates}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
