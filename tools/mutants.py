"""Plant each mistake of the bank in a copy of the library, and check that the tests catch it.

    python tools/mutants.py [--only layers/attention] [--jobs 2] [--verbose]

``mutant_bank`` says what an entry of the bank looks like.

Starting Python, PyTorch and pytest takes longer than most test files. So this process imports
them once, without the library, and forks: each child puts its own copy of the library first on
the path and runs pytest there. The working tree is never changed.
"""

import argparse
import contextlib
import gc
import importlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Literal

import pytest
from mutant_bank import LIBRARY, ROOT, Mutant, read_bank

# One thread, for this process too: a fork takes no other threads along.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "0",
    "HF_HUB_OFFLINE": "1",
}

# What the tests of the library import, the slowest first; read before the first fork.
PRELOADED = (
    *("torch", "torch.utils.flop_counter", "torch.profiler", "transformers", "cvxpy"),
    *("transformers.models.gpt2.modeling_gpt2", "transformers.models.bert.modeling_bert"),
    *("transformers.models.vit.modeling_vit", "transformers.models.roberta.modeling_roberta"),
    *("sklearn.datasets", "sklearn.model_selection", "sklearn.svm", "scipy.stats"),
    *("matplotlib.pyplot", "matplotlib.font_manager", "nbval.plugin", "xdist.scheduler"),
    *("hypothesis", "beartype", "jaxtyping", "playwright.sync_api", "num2words"),
    *("huggingface_hub", "safetensors.torch", "tokenizers", "tqdm", "anyio.pytest_plugin"),
)

OUTPUT = "output.txt"
Outcome = Literal["caught", "survived", "broken"]


@dataclass(frozen=True)
class Trial:
    """One run of pytest: on a mutant, or on the library as it is where ``mutant`` is None."""

    tests: tuple[str, ...]
    only: str
    mutant: Mutant | None = None


class _FirstFailure:
    """A pytest plugin that remembers which test failed first, and by what."""

    def __init__(self) -> None:
        self.by = ""
        self.broken = False

    def pytest_exception_interact(
        self,
        call: pytest.CallInfo[Any],
        report: pytest.CollectReport | pytest.TestReport,
    ) -> None:
        if not self.by and call.excinfo is not None:
            self.by = f"{report.nodeid}: {call.excinfo.typename}"
            # What cannot be imported or run proves nothing of the tests.
            self.broken = isinstance(report, pytest.CollectReport) or call.excinfo.errisinstance(
                (ImportError, SyntaxError, NameError)
            )


def _try(trial: Trial, root: Path, folder: Path, answer: Connection) -> None:
    """In a child: run pytest on a copy of the library, and send what came of it."""
    os.setsid()
    library = root / LIBRARY.parent
    if trial.mutant is not None:
        library = folder / LIBRARY.parent
        shutil.copytree(root / LIBRARY, folder / LIBRARY)
        changed = (folder / LIBRARY / trial.mutant.file).with_suffix(".py")
        changed.write_text(trial.mutant.applied(changed.read_text("utf-8")), "utf-8")
        for compiled in (changed.parent / "__pycache__").glob(f"{changed.stem}.*"):
            compiled.unlink()
    with (folder / OUTPUT).open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.chdir(root)
    sys.path[:0] = [str(library), str(root / LIBRARY.parent)]
    os.environ["PYTHONPATH"] = str(library)
    first = _FirstFailure()
    arguments = [*trial.tests, *(("-k", trial.only) if trial.only else ())]
    code = pytest.main(
        ["-x", "-q", "--disable-warnings", "-p", "no:cacheprovider", *arguments], plugins=[first]
    )
    outcome: Outcome = "broken"
    if code == pytest.ExitCode.OK:
        outcome = "survived"
    elif code == pytest.ExitCode.TESTS_FAILED and not first.broken:
        outcome = "caught"
    sys.stdout.flush()
    answer.send((outcome, first.by or f"pytest's exit code {int(code)}"))


def run_trials(
    trials: Sequence[Trial], root: Path, jobs: int, seconds: float
) -> Iterator[tuple[Trial, Outcome, str]]:
    """Run trials side by side, each in a child of its own.

    Args:
        trials: what to run, in this order.
        root: the project's directory.
        jobs: how many children run at a time.
        seconds: a child that takes longer is killed, and its trial is broken.

    Yields:
        Each trial as it ends, what came of it, and the test that failed, or why it is broken.
    """
    context = multiprocessing.get_context("fork")
    waiting = deque(enumerate(trials))
    running: dict[Connection, tuple[Trial, Any, float, Path]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    number, trial = waiting.popleft()
                    folder = Path(temporary, str(number))
                    folder.mkdir()
                    (folder / OUTPUT).touch()
                    receiver, sender = context.Pipe(duplex=False)
                    child = context.Process(target=_try, args=(trial, root, folder, sender))
                    child.start()
                    sender.close()
                    running[receiver] = trial, child, time.monotonic() + seconds, folder
                ready = wait([*running], timeout=0.5)
                for receiver, (trial, child, end, folder) in [*running.items()]:
                    if receiver in ready:
                        outcome, why = _received(receiver)
                    elif time.monotonic() > end:
                        outcome, why = "broken", f"it took longer than {seconds:g} s"
                    else:
                        continue
                    del running[receiver]
                    _end(child)
                    if outcome == "broken":
                        shown = (folder / OUTPUT).read_text("utf-8", errors="replace")
                        why = "\n    ".join([why, *shown.splitlines()[-15:]])
                    shutil.rmtree(folder)
                    yield trial, outcome, why
        finally:
            for _, child, _, _ in running.values():
                _end(child)


def _received(receiver: Connection) -> tuple[Outcome, str]:
    try:
        return receiver.recv()
    except EOFError:
        return "broken", "it ended without an answer"


def _end(child: Any) -> None:  # noqa: ANN401 - multiprocessing's contexts share no public type
    """End a child, and whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.join()


def report(results: Sequence[tuple[Trial, Outcome, str]], verbose: bool) -> bool:
    """Print what came of every trial; return whether all came out as they should."""
    good = True
    totals: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for trial, outcome, why in results:
        mutant = trial.mutant
        expected = "survived" if mutant is None or mutant.proof else "caught"
        if mutant is None:
            name = f"unchanged library: {' '.join(trial.tests)} {trial.only}".rstrip()
        else:
            name = f"{mutant.file}: {mutant.belief}"
            totals[mutant.file] += not mutant.proof
            caught[mutant.file] += not mutant.proof and outcome == "caught"
        if outcome != expected:
            good = False
            print(f"{outcome.upper()}, but should be {expected}: {name}\n    {why}")
        elif verbose and outcome == "caught":
            print(f"caught: {name}\n    {why}")
    for file in sorted(totals):
        print(f"  {file:34} {caught[file]:3} of {totals[file]:3}")
    print(f"  {'caught':34} {caught.total():3} of {totals.total():3}")
    proved = sum(trial.mutant is not None and bool(trial.mutant.proof) for trial, _, _ in results)
    print(f"  {'equivalent, by a proof':34} {proved:3}")
    return good


def main(
    arguments: Sequence[str] | None = None,
    root: Path = ROOT,
    preloaded: Sequence[str] = PRELOADED,
) -> int:
    """Run the bank, or a part of it.

    Returns:
        0 if every entry applies, the library passes, every mistake is caught, and no equivalent
        is; otherwise 1.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="files that begin so, as layers/attention")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at a time")
    parser.add_argument("--seconds", type=float, default=300, help="how long one may take")
    parser.add_argument("--verbose", action="store_true", help="show which test caught what")
    options = parser.parse_args(arguments)
    bank = [mutant for mutant in read_bank(root) if mutant.file.startswith(options.only)]
    misfits = [words for mutant in bank if (words := mutant.misfit(root))]
    if misfits:
        print("\n".join(misfits))
        return 1
    os.environ.update(ENVIRONMENT)
    for name in preloaded:
        importlib.import_module(name)
    # What was imported stays out of every child's garbage collections: half of their time.
    gc.freeze()
    # A mistake is caught only by tests that pass without it.
    unchanged = dict.fromkeys(Trial(mutant.tests, mutant.only) for mutant in bank)
    planted = [Trial(mutant.tests, mutant.only, mutant) for mutant in bank]
    results = [*run_trials([*unchanged, *planted], root, options.jobs, options.seconds)]
    return 0 if report(results, options.verbose) else 1


if __name__ == "__main__":
    sys.exit(main())
