"""Four kinds of parallelism: what is drawn as held adds up to what a training needs."""

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch, Rectangle
from softlookup.figures import style
from softlookup.figures.four_kinds import GRID, KINDS, WORKERS, four_kinds, two_by_two

EACH = range(WORKERS)
DATA, SHARDED, TENSOR, PIPELINE = KINDS


@pytest.mark.parametrize("kind", [*KINDS, GRID], ids=lambda kind: kind.name.split(":")[0])
def test_together_the_workers_hold_the_whole_model_and_read_every_text(kind):
    assert all(
        any(kind.keeps(worker, block, part) for worker in EACH) for block in EACH for part in EACH
    )
    assert all(any(kind.reads(worker, text) for worker in EACH) for text in EACH)


@pytest.mark.parametrize(
    ("kind", "kept", "read"), [(DATA, 16, 1), (SHARDED, 4, 1), (TENSOR, 4, 4), (PIPELINE, 4, 4)]
)
def test_each_worker_keeps_and_reads_its_share(kind, kept, read):
    for worker in EACH:
        assert sum(kind.keeps(worker, block, part) for block in EACH for part in EACH) == kept
        assert sum(kind.reads(worker, text) for text in EACH) == read


def test_a_stage_keeps_a_block_and_a_tensor_parallel_worker_a_part_of_each():
    assert all(PIPELINE.keeps(worker, worker, part) for worker in EACH for part in EACH)
    assert all(TENSOR.keeps(worker, block, worker) for worker in EACH for block in EACH)


def test_what_is_drawn_is_what_is_held():
    _, (axes,) = style.canvas("tall")
    four_kinds(axes, title="any")
    colours = [to_hex(each.get_facecolor()) for each in axes.patches if isinstance(each, Rectangle)]
    assert colours.count(style.BLUE) == 4 * (16 + 4 + 4 + 4)
    assert colours.count(style.MUTED) == 4 * (1 + 1 + 4 + 4)
    borrowed = colours.count(style.SEQUENTIAL_STOPS[1])
    assert borrowed == 4 * 3  # of one block, what its three other workers keep


def test_only_the_pipeline_has_arrows_and_the_others_a_bar_for_each_move():
    _, (axes,) = style.canvas("tall")
    four_kinds(axes, title="any")
    bars = [each for each in axes.patches if isinstance(each, FancyBboxPatch)]
    moves = [move for kind in KINDS for move in kind.moves if move.among_all]
    assert [to_hex(each.get_facecolor()) for each in bars] == [move.colour for move in moves]
    assert len(axes.lines) == WORKERS * len(bars) == 4 * 4  # from each bar to each worker
    heads = [each for each in axes.texts if not each.get_text()]
    assert len(heads) == 2 * (WORKERS - 1)


def test_a_row_of_the_grid_holds_one_copy_and_a_column_reads_every_text():
    for row in range(2):
        of_row = [2 * row, 2 * row + 1]
        assert all(sum(GRID.keeps(w, b, p) for w in of_row) == 1 for b in EACH for p in EACH)
        assert all(GRID.reads(of_row[0], text) == GRID.reads(of_row[1], text) for text in EACH)
    for column in range(2):
        of_column = [column, column + 2]
        assert all(sum(GRID.reads(w, text) for w in of_column) == 1 for text in EACH)
        assert all(
            GRID.keeps(of_column[0], b, p) == GRID.keeps(of_column[1], b, p)
            for b in EACH
            for p in EACH
        )


def test_the_grid_is_drawn_as_it_is_held_with_two_links_of_each_sort():
    _, (axes,) = style.canvas("normal")
    two_by_two(axes, title="any")
    colours = [to_hex(each.get_facecolor()) for each in axes.patches if isinstance(each, Rectangle)]
    assert colours.count(style.BLUE) == 4 * 8
    assert colours.count(style.MUTED) == 4 * 2
    heads = [each for each in axes.texts if not each.get_text()]
    assert len(heads) == 2 * 2 * 2  # there and back, two rows and two columns
