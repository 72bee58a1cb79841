"""Run notebooks anew and store their outputs, or store nothing and say why.

    python tools/run_notebooks.py [--check] [notebook ...]

Without paths, every chapter is run. A notebook is replaced as a whole, and only if every cell
ran without an error and without a word on stderr. The same run gives the same file to the
byte: time stamps, versions and widget states are not stored.
"""

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SECONDS_A_CELL = 600

# One thread: two processes then agree bit for bit. Threads that wait sleep instead of spinning.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "0",
    "HF_HUB_OFFLINE": "1",
}

# What Jupyter and its extensions note about one run or one reader's screen.
VOLATILE_CELL_METADATA = (
    "execution",
    "ExecuteTime",
    "collapsed",
    "scrolled",
    "trusted",
    "lines_to_next_cell",
)

# The kernel reports on itself at the end: other processes of this program do not blur the sum.
# Linux counts the peak of the process that started the kernel into ru_maxrss; VmHWM it does not.
# Without /proc, as on macOS, ru_maxrss is in bytes.
MEASURE = """\
import pathlib as _p, re as _e, resource as _r
_u, _s = _r.getrusage(_r.RUSAGE_SELF), _p.Path("/proc/self/status")
_k = int(_e.search(r"VmHWM:\\s*(\\d+)", _s.read_text())[1]) if _s.exists() else _u.ru_maxrss / 2**10
print(_u.ru_utime + _u.ru_stime, _k / 2**10)
"""


class Refused(Exception):  # noqa: N818 - it names what happens to the notebook
    """The notebook ran, but its outputs are not fit to be stored."""


@dataclass(frozen=True)
class Usage:
    """What the kernel used: processor time in seconds, peak memory in mebibytes."""

    seconds: float
    mebibytes: float


def execute(path: Path) -> tuple[NotebookNode, Usage]:
    """Run every cell in a fresh kernel in ``notebooks/``, and tidy what comes back.

    Args:
        path: the notebook; the file is only read.

    Returns:
        The notebook with its new outputs, and what the kernel used.

    Raises:
        Refused: if a cell raised, wrote to stderr, or ran too long; the message names it.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.cells.append(nbformat.v4.new_code_cell(MEASURE))
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_A_CELL,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise Refused(str(error)) from error
    measured = notebook.cells.pop()
    seconds, mebibytes = map(float, measured.outputs[0].text.split())
    tidy(notebook)
    refuse_what_readers_should_not_see(notebook)
    return notebook, Usage(seconds, mebibytes)


def tidy(notebook: NotebookNode) -> None:
    """Drop what another run of the same notebook, or another editor, would write differently."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.pop("jupytext", None)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {
        "name": "python",
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "pygments_lexer": "ipython3",
    }
    for cell in notebook.cells:
        for key in VOLATILE_CELL_METADATA:
            cell.metadata.pop(key, None)
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)


def refuse_what_readers_should_not_see(notebook: NotebookNode) -> None:
    """Raise ``Refused`` for a cell that did not run, or that wrote to stderr."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type != "code":
            continue
        first_line = cell.source.strip().split("\n")[0]
        if cell.execution_count is None:
            raise Refused(f"cell {number} is empty: remove it, or give it something to do")
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                raise Refused(f"cell {number} ({first_line}) wrote to stderr:\n{output.text}")


def store(notebook: NotebookNode, path: Path) -> None:
    """Replace the file in one step, so that nobody ever finds half a notebook."""
    nbformat.validate(notebook)
    text = nbformat.writes(notebook, version=4, indent=1).rstrip("\n") + "\n"
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(path.stat().st_mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def main(arguments: list[str] | None = None) -> int:
    """Run the notebooks that are named, or all; return how many were refused."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all chapters by default")
    parser.add_argument("--check", action="store_true", help="run, but store nothing")
    chosen = parser.parse_args(arguments)
    os.environ.update(ENVIRONMENT)
    # One that is set for scripts, such as agg, would leave the notebooks without their figures.
    os.environ.pop("MPLBACKEND", None)
    # The first import on a new machine builds the cache of fonts and says so on stderr.
    import matplotlib.font_manager  # noqa: F401

    refused = 0
    for path in chosen.notebooks or sorted(NOTEBOOKS.glob("*.ipynb")):
        print(f"{path.name}: running", flush=True)
        try:
            notebook, usage = execute(path)
        except Refused as reason:
            print(f"{path.name}: NOT STORED\n{reason}", file=sys.stderr, flush=True)
            refused += 1
            continue
        if not chosen.check:
            store(notebook, path)
        print(
            f"{path.name}: {usage.seconds:.1f} CPU-seconds, "
            f"{usage.mebibytes:.0f} MiB of memory at most",
            flush=True,
        )
    return refused


if __name__ == "__main__":
    sys.exit(min(main(), 1))
