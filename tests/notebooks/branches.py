"""Fork a running kernel where a mistake is planted, and write down how each branch ended.

It is imported in the kernel alone, and leaves no name among the chapter's. A fork happens before
a statement of a cell, so the cell shows and prints what it would without.
"""

import ast
import builtins
import contextlib
import hashlib
import io
import json
import os
from collections import Counter, defaultdict
from pathlib import Path

CALL = "__branches__"
# How a part ends whose claim stands, and one whose claim falls.
HELD = "nothing was raised"
FALLEN = "ClaimError: "


class Names:
    """What cells are known by in the kernel, which is given their syntax trees alone, in order.

    Some are alike, as those are in which a reader predicts: they are counted.
    """

    def __init__(self):
        self.counts = Counter()

    def of(self, tree):
        """The name of the next cell of the run."""
        digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
        self.counts[digest] += 1
        return f"{digest}, {self.counts[digest]}"


def install():
    """Let the kernel's cells branch where the plan says."""
    from IPython import get_ipython

    shell = get_ipython()
    plan = json.loads(Path(os.environ["SOFTLOOKUP_PLAN"]).read_text("utf-8"))
    shell.ast_transformers.append(Forks(plan))

    def fork_all(branches):
        for parts in branches:
            fork(shell, parts)

    setattr(builtins, CALL, fork_all)


class Forks:
    """Puts a call before each statement at which a branch begins."""

    def __init__(self, plan):
        self.plan, self.names = plan, Names()

    def visit(self, tree):
        branches = defaultdict(list)
        for place, parts in self.plan.pop(self.names.of(tree), []):
            branches[place].append(parts)
        for place in sorted(branches, reverse=True):
            call = ast.parse(f"{CALL}({branches[place]!r})").body[0]
            tree.body.insert(place, call)
        return tree


def fork(shell, parts):
    """Run the parts in a forked process, and note in the parent's file how each ended."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        # What the child would show is nobody's: the kernel's sockets are the parent's.
        shell.display_pub.publish = lambda *arguments, **named: None
        with Path(os.environ["SOFTLOOKUP_FATES"]).open("a", encoding="utf-8") as file:
            for key, fate in fates_of(parts, shell.user_ns):
                print(json.dumps([key, fate]), file=file, flush=True)
    finally:
        # Whatever happened, the child must not go on with the parent's work.
        os._exit(0)


def fates_of(parts, namespace):
    """Run the parts of a slice, each up to its claim; say how they ended.

    A claim that falls changes nothing for the next one; after any other error nothing is certain.
    """
    broken = ""
    for key, source in parts:
        fate = broken or fate_of(source, namespace)
        if fate != HELD and not fate.startswith(FALLEN):
            broken = fate
        yield key, fate


def fate_of(source, namespace):
    """Run the rest of a slice; say how it ended."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(source, "<chapter>", "exec"), namespace)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return HELD
