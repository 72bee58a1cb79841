"""`make run` stores a notebook whole and the same to the byte, or leaves it as it was."""

import nbformat
import pytest
import run_notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

GOOD = ["x = 6", "print(x * 7)", "'shown'", "'silent';"]
PROGRESS = """\
from IPython.display import clear_output
print("step 1")
clear_output(wait=True)
print("done")"""


@pytest.fixture
def notebook(tmp_path):
    """Write a notebook whose cells hold these sources, with stale outputs; return its path."""

    def write(*sources):
        cells = [new_markdown_cell("# A title")]
        for source in sources:
            cells.append(new_code_cell(source, outputs=[new_output("stream", text="stale\n")]))
            cells[-1].metadata.update({"scrolled": True, "execution": {"iopub.status.idle": "x"}})
        book = new_notebook(cells=cells)
        book.metadata["softlookup"] = {"title": "A title"}
        book.metadata["widgets"] = {"state": {}}
        path = tmp_path / "small.ipynb"
        nbformat.write(book, path)
        return path

    return write


def texts(path):
    return [
        [output.get("text", "") or output.data["text/plain"] for output in cell.outputs]
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
    ]


def test_outputs_are_stored_and_the_second_run_writes_the_same_bytes(notebook, capsys):
    path = notebook(*GOOD, PROGRESS)
    ids = [cell.id for cell in nbformat.read(path, as_version=4).cells]
    assert run_notebooks.main([str(path)]) == 0
    first = path.read_bytes()
    assert texts(path) == [[], ["42\n"], ["'shown'"], [], ["done\n"]]
    stored = nbformat.read(path, as_version=4)
    assert [cell.id for cell in stored.cells] == ids
    assert [cell.execution_count for cell in stored.cells[1:]] == [1, 2, 3, 4, 5]
    assert all(not cell.metadata for cell in stored.cells)
    assert set(stored.metadata) == {"kernelspec", "language_info", "softlookup"}
    assert first.endswith(b"}\n")
    assert not first.endswith(b"\n\n")
    assert run_notebooks.main([str(path)]) == 0
    assert path.read_bytes() == first
    assert "CPU-seconds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import sys; print('oh', file=sys.stderr)", "wrote to stderr:\noh"),
        ("import warnings; warnings.warn('careful')", "careful"),
        ("", "cell 3 is empty"),
    ],
)
def test_a_notebook_that_is_not_fit_to_be_stored_stays_as_it_was(notebook, capsys, source, words):
    path = notebook("x = 6", source)
    before = path.read_bytes()
    assert run_notebooks.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert words in capsys.readouterr().err
    assert [each.name for each in path.parent.iterdir()] == ["small.ipynb"]


def test_figures_are_stored_whatever_backend_scripts_are_told_to_use(notebook, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    path = notebook("import matplotlib.pyplot as plt", "plt.plot([1, 2])", "plt.show()")
    run_notebooks.main([str(path)])
    outputs = nbformat.read(path, as_version=4).cells[2].outputs
    assert any("image/png" in output.get("data", {}) for output in outputs)


def test_a_check_stores_nothing(notebook):
    path = notebook(*GOOD)
    before = path.read_bytes()
    assert run_notebooks.main(["--check", str(path)]) == 0
    assert path.read_bytes() == before


def test_one_refusal_does_not_stop_the_others(notebook, tmp_path):
    bad = notebook("1 / 0").rename(tmp_path / "bad.ipynb")
    good = notebook(*GOOD)
    assert run_notebooks.main([str(bad), str(good)]) == 1
    assert texts(good)[1] == ["42\n"]


def test_notebooks_run_where_readers_run_them(notebook):
    path = notebook(
        "import os, pathlib; pathlib.Path().resolve().name", "os.environ['OMP_NUM_THREADS']"
    )
    assert run_notebooks.main([str(path)]) == 0
    assert texts(path) == [["'notebooks'"], ["'1'"]]


def test_the_memory_and_time_of_the_kernel_are_measured(notebook):
    path = notebook("block = bytearray(300 * 2**20)", "sum(range(10**7))")
    _, usage = run_notebooks.execute(path)
    assert 300 < usage.mebibytes < 600
    assert 0.1 < usage.seconds < 30
