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

    def fork_all(sources):
        for key, source in sources:
            fork(shell, key, source)

    setattr(builtins, CALL, fork_all)


class Forks:
    """Puts a call before each statement at which a branch begins."""

    def __init__(self, plan):
        self.plan, self.names = plan, Names()

    def visit(self, tree):
        branches = defaultdict(list)
        for place, key, source in self.plan.pop(self.names.of(tree), []):
            branches[place].append((key, source))
        for place in sorted(branches, reverse=True):
            call = ast.parse(f"{CALL}({branches[place]!r})").body[0]
            tree.body.insert(place, call)
        return tree


def fork(shell, key, source):
    """Run source in a forked process, and note in the parent's file how it ended."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        # What the child would show is nobody's: the kernel's sockets are the parent's.
        shell.display_pub.publish = lambda *arguments, **named: None
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            fate = fate_of(source, shell.user_ns)
        with Path(os.environ["SOFTLOOKUP_FATES"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, fate]) + "\n")
    finally:
        # Whatever happened, the child must not go on with the parent's work.
        os._exit(0)


def fate_of(source, namespace):
    """Run the rest of a slice; say how it ended."""
    try:
        exec(compile(source, "<chapter>", "exec"), namespace)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"
