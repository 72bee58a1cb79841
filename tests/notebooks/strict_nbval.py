"""nbval made strict, and the claims of a chapter judged on the same run.

nbval runs every code cell of every notebook and compares strings. Here is added, each point held
by a planted fault in ``test_strict_nbval.py`` or ``test_branches.py``:

- A float may differ by a relative 1e-3 or an absolute 1e-12, since other processors add in
  another order. Integers and words may not differ at all (``comparing.py``). A cell tag such as
  ``nbval-rtol:1e-2`` states another tolerance, and the cell's metadata says why; another one
  leaves the numbers of models whose training drifts with the processor to their claims.
- A cell that was never executed fails: nbval alone would run it and compare nothing.
- A trailing semicolon silences a cell, and a cleared output is gone, as in Jupyter.
- A cell is checked unless its metadata says why not; there is no other way past the check.
- After its cells, a chapter's claims are tests: each planted mistake must fell its claim. The
  kernel that nbval drives forks where a mistake is planted (``branches.py``), so a chapter is
  executed once.
"""

import json
import os
import re
import tempfile
from pathlib import Path

# On a new machine the first import builds the cache of fonts and says so on stderr. Here it
# does so before a notebook's output is watched.
import matplotlib.font_manager  # noqa: F401
import pytest
from branches import HELD
from chapters import Chapter
from comparing import compared, tolerances
from contract_outputs import claim_ids
from nbval import plugin as nbval
from nbval.kernel import RunningKernel
from plan import plan_of, planted_in

OPTIONS = {
    "nbval": True,
    "nbval_lax": False,
    "nbval_current_env": True,
    "nbval_kernel_name": None,
    "nbval_cell_timeout": 600.0,
    "nbval_kernel_startup_timeout": 60.0,
    "nbval_sanitize_with": None,
    "nbdime": False,
}
SECONDS_FOR_OUTPUT = 60
HERE = Path(__file__).resolve().parent


def collect_notebook(path, parent):
    """A notebook's tests: its cells, then the mistakes planted for its claims."""
    vars(parent.config.option).update(OPTIONS)
    return StrictNotebook.from_parent(parent, path=path)


class StrictNotebook(nbval.IPyNbFile):
    """A notebook, run in one kernel that also tries the planted mistakes."""

    def collect(self):
        cells = [
            StrictCell.from_parent(
                self, name=each.name, cell_num=each.cell_num, cell=each.cell, options=each.options
            )
            for each in super().collect()
        ]
        self.unrun = {cell.cell_num: cell.cell.source for cell in cells}
        yield from cells
        self.chapter = Chapter(self.path.stem, self.nb)
        for claim_id in claim_ids(self.chapter):
            yield ClaimOnItsSlice.from_parent(self, name=f"claim {claim_id}", claim_id=claim_id)
        for number, (claim_id, what, *_) in enumerate(planted_in(self.chapter)):
            yield PlantedMistake.from_parent(
                self, name=f"mistake {claim_id} {what}", claim_id=claim_id, number=number
            )

    def setup(self):
        self.folder = tempfile.TemporaryDirectory(prefix="branches-")
        plan, fates = Path(self.folder.name, "plan.json"), Path(self.folder.name, "fates.jsonl")
        self.plan = plan_of(self.chapter)
        plan.write_text(json.dumps(self.plan.branches), "utf-8")
        self.fates = fates
        before = dict(os.environ)
        paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ |= {
            "PYTHONPATH": os.pathsep.join(paths),
            "SOFTLOOKUP_PLAN": str(plan),
            "SOFTLOOKUP_FATES": str(fates),
            # macOS ends a process that forks after it has used some of its frameworks.
            "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",
        }
        try:
            super().setup()
        finally:
            os.environ.clear()
            os.environ |= before
        if self.plan.branches:
            self.execute("import branches; branches.install(); del branches", silent=True)

    def teardown(self):
        super().teardown()
        self.folder.cleanup()

    def execute(self, source, **options):
        """Run source in the kernel and compare nothing."""
        message = self.kernel.kc.execute(source, stop_on_error=False, **options)
        self.kernel.await_reply(message, timeout=OPTIONS["nbval_cell_timeout"])
        self.kernel.await_idle(message, SECONDS_FOR_OUTPUT)

    def fate(self, key):
        """How a branch ended; what has not been run of the chapter is run first."""
        for number in sorted(self.unrun):
            self.execute(self.unrun.pop(number))
        if key in self.plan.faults:
            return self.plan.faults[key]
        lines = self.fates.read_text("utf-8").splitlines() if self.fates.exists() else []
        return dict(map(json.loads, lines)).get(key, "its process ended without a word")

    def get_kernel_message(self, timeout=None, stream="iopub"):
        """Take a kernel's message; where it clears the cell's output, clear it.

        nbval knows no ``clear_output``, and would compare the progress of a training run with a
        notebook from which Jupyter had cleared it.
        """
        message = super().get_kernel_message(timeout, stream)
        kind, cell = message["msg_type"], self.running_cell
        if kind == "clear_output":
            cell.clears_before_next_output = message["content"]["wait"]
            if not message["content"]["wait"]:
                cell.test_outputs.clear()
            # A type that nbval passes over in silence.
            return message | {"msg_type": "comm_clear_output"}
        if kind in ("stream", "display_data", "execute_result", "error"):
            if cell.clears_before_next_output:
                cell.test_outputs.clear()
            cell.clears_before_next_output = False
        return message


class StrictCell(nbval.IPyNbCell):
    """A cell that must print what it stores, to the letter and the digit."""

    clears_before_next_output = False

    def tolerances(self):
        metadata = self.cell.metadata
        reason = metadata.get("softlookup", {}).get("reason")
        try:
            return tolerances(metadata.get("tags", []), reason)
        except ValueError as error:
            self.raise_cell_error(str(error))

    def compare_outputs(self, test, ref, skip_compare=None):
        """Compare as nbval does, after floats that agree have been made the same."""
        tolerance, tags = self.tolerances(), self.cell.metadata.get("tags", [])
        for ours, theirs in zip(test, ref, strict=False):
            if "text" in ours and "text" in theirs:
                ours["text"] = compared(ours["text"], theirs["text"], tags, **tolerance)
            for kind, content in ours.get("data", {}).items():
                twin = theirs.get("data", {}).get(kind)
                if kind.startswith("text/") and isinstance(content, str) and isinstance(twin, str):
                    ours["data"][kind] = compared(content, twin, tags, **tolerance)
        return super().compare_outputs(test, ref, skip_compare)

    def setup(self):
        """Judge every cell alike: after a timeout nbval would excuse whatever fails later."""

    def runtest(self):
        """Run a cell, unless its own form is at fault."""
        self.parent.unrun.pop(self.cell_num, None)
        if self.cell.execution_count is None:
            self.raise_cell_error("this cell was never executed, so nothing can be compared")
        if list(nbval.find_comment_markers(self.cell.source)):
            self.raise_cell_error("a comment for nbval stands in what readers see; use a cell tag")
        self.tolerances()
        self.output_timeout = SECONDS_FOR_OUTPUT
        self.parent.running_cell = self
        return super().runtest()


class ClaimOnItsSlice(pytest.Item):
    """The claim holds in a branch that runs, without a mistake, what the mistakes' branches run.

    So what fells it in those is the mistake, and not a statement that was left out.
    """

    def __init__(self, *, claim_id, **arguments):
        super().__init__(**arguments)
        self.claim_id = claim_id

    def runtest(self):
        controls = self.parent.plan.controls.get(self.claim_id, [])
        assert controls, f"no mistake is planted for claim {self.claim_id}"
        for key in controls:
            fate = self.parent.fate(key)
            assert fate == HELD, f"without a mistake: {fate}"

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, None, self.name


class PlantedMistake(ClaimOnItsSlice):
    """A claim that no planted mistake can break is no claim: this one must break it."""

    def __init__(self, *, number, **arguments):
        super().__init__(**arguments)
        self.number = number

    def runtest(self):
        fate = self.parent.fate(f"mistake {self.number}")
        expected = rf"ClaimError: (law|finding) {self.claim_id} is FALSE"
        assert re.match(expected, fate), f"expected {expected!r}; it ended with {fate!r}"


# Only what is stored in a kernel's history honours the semicolon.
RunningKernel.execute_cell_input = lambda self, source, allow_stdin=None: self.kc.execute(
    source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
)
