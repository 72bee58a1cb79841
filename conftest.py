"""nbval made strict: what a notebook stores is what it prints, to the letter and the digit.

nbval runs every code cell of every notebook and compares strings. Four things are added here,
each held by a planted fault in tests/notebooks/test_strict_nbval.py:

- A float may differ by a relative 1e-3 or an absolute 1e-12, since other processors add in
  another order. Integers and words may not differ at all. A cell tag such as
  ``nbval-rtol:1e-2`` states another tolerance, and the cell's metadata says why.
- A cell that was never executed fails: nbval alone would run it and compare nothing.
- A trailing semicolon silences a cell, and a cleared output is gone, as in Jupyter.
- A cell is checked unless its metadata says why not; there is no other way past the check.
"""

import math
import os
import re

# Set before any kernel or numerical library starts; see the Makefile for the reason.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# On a new machine the first import builds the cache of fonts and says so on stderr. Here it
# does so before a notebook's output is watched.
import matplotlib.font_manager  # noqa: F401
from nbval import plugin as nbval
from nbval.kernel import RunningKernel

# How several workers share the tests.
pytest_plugins = ["workers"]
# The sources of the assignments are templates: they have no outputs, and cannot run as they stand.
collect_ignore = ["notebooks/coursework"]

DEFAULTS = {"rtol": 1e-3, "atol": 1e-12}
WIDEST_RTOL = 0.1
SECONDS_FOR_OUTPUT = 60

# A float has a point with digits after it, or an exponent; all else is a word or an integer.
FLOAT = re.compile(
    r"(?P<pad> *)(?P<number>(?<![\w.])[-+]?(?:\d+\.\d+|\d+(?=e[-+]?\d))(?:e[-+]?\d+)?)"
)
TOLERANCE = re.compile(r"nbval-(rtol|atol):(.+)")
WAYS_PAST_THE_CHECK = {"nbval-skip", "nbval-raises-exception", "raises-exception"}


def tolerances(tags, reason):
    """The tolerances that a cell's tags state, or the defaults.

    Raises:
        ValueError: if a tag is malformed, gives no reason, or is as wide as a wrong answer.
    """
    stated = {}
    for tag in tags:
        match = TOLERANCE.fullmatch(tag)
        if match:
            stated[match[1]] = float(match[2])
            if not stated[match[1]] > 0:
                raise ValueError(f"{tag}: expected a positive number")
        elif tag.startswith("nbval-") and tag != "nbval-ignore-output":
            raise ValueError(f"{tag}: expected nbval-rtol:…, nbval-atol:… or nbval-ignore-output")
        elif tag in WAYS_PAST_THE_CHECK:
            raise ValueError(f"{tag}: a chapter stores no errors")
    if stated.get("rtol", 0.0) > WIDEST_RTOL:
        raise ValueError(
            f"nbval-rtol:{stated['rtol']:g}: expected at most {WIDEST_RTOL:g}; "
            "print fewer digits, or state a claim with its bound"
        )
    if (stated or "nbval-ignore-output" in tags) and len((reason or "").split()) < 3:
        raise ValueError(
            f"the tags {sorted(tags)} loosen the check; expected the reason, in words, "
            'in the cell\'s metadata: "softlookup": {"reason": "…"}'
        )
    return DEFAULTS | stated


def snap(new, stored, rtol, atol):
    """Write the stored float in place of each new one that agrees with it.

    What then still differs between the two texts differs in earnest.
    """
    old = list(FLOAT.finditer(stored))
    if len(old) != len(FLOAT.findall(new)):
        return new
    remaining = iter(old)

    def replace(match):
        twin = next(remaining)
        # In a column, a shorter number has more spaces before it; those may differ with it.
        same_layout = match["pad"] == twin["pad"] or len(match[0]) == len(twin[0])
        close = math.isclose(
            float(match["number"]), float(twin["number"]), rel_tol=rtol, abs_tol=atol
        )
        return twin[0] if close and same_layout else match[0]

    return FLOAT.sub(replace, new)


def _tolerances_of(item):
    metadata = item.cell.metadata
    try:
        return tolerances(metadata.get("tags", []), metadata.get("softlookup", {}).get("reason"))
    except ValueError as error:
        item.raise_cell_error(str(error))


def compare_outputs(self, new, stored, skip_compare=None):
    """Compare as nbval does, after floats that agree have been made the same."""
    tolerance = _tolerances_of(self)
    for ours, theirs in zip(new, stored, strict=False):
        if "text" in ours and "text" in theirs:
            ours["text"] = snap(ours["text"], theirs["text"], **tolerance)
        for kind, content in ours.get("data", {}).items():
            twin = theirs.get("data", {}).get(kind)
            if kind.startswith("text/") and isinstance(content, str) and isinstance(twin, str):
                ours["data"][kind] = snap(content, twin, **tolerance)
    return original_compare_outputs(self, new, stored, skip_compare)


def runtest(self):
    """Run a cell, unless its own form is at fault."""
    if self.cell.execution_count is None:
        self.raise_cell_error("this cell was never executed, so there is nothing to compare with")
    if list(nbval.find_comment_markers(self.cell.source)):
        self.raise_cell_error("a comment for nbval stands in what readers see; use a cell tag")
    _tolerances_of(self)
    self.output_timeout = SECONDS_FOR_OUTPUT
    self.parent.running_cell = self
    return original_runtest(self)


def get_kernel_message(self, timeout=None, stream="iopub"):
    """Take a kernel's message; where it clears the cell's output, clear it.

    nbval knows no ``clear_output``, and would compare the progress of a training run with a
    notebook from which Jupyter had cleared it.
    """
    message = original_get_kernel_message(self, timeout, stream)
    kind = message["msg_type"]
    cell = self.running_cell
    if kind == "clear_output":
        cell.clears_before_next_output = message["content"]["wait"]
        if not message["content"]["wait"]:
            cell.test_outputs.clear()
        # A type that nbval passes over in silence.
        return message | {"msg_type": "comm_clear_output"}
    if kind in ("stream", "display_data", "execute_result", "error"):
        if getattr(cell, "clears_before_next_output", False):
            cell.test_outputs.clear()
        cell.clears_before_next_output = False
    return message


original_compare_outputs = nbval.IPyNbCell.compare_outputs
original_runtest = nbval.IPyNbCell.runtest
original_get_kernel_message = nbval.IPyNbFile.get_kernel_message
nbval.IPyNbCell.compare_outputs = compare_outputs
nbval.IPyNbCell.runtest = runtest
nbval.IPyNbFile.get_kernel_message = get_kernel_message
# Only what is stored in a kernel's history honours the semicolon.
RunningKernel.execute_cell_input = lambda self, source, allow_stdin=None: self.kc.execute(
    source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
)
# That a chapter ran a line of the library is no test of it: kernels are not measured.
nbval.setup_coverage = nbval.teardown_coverage = lambda *arguments: None
