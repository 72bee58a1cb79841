"""Each kind of parallel training reaches the weights of a single process; the mistakes do not."""

import sys
from dataclasses import replace

import parallel_jobs as jobs
import pytest
import torch
from softlookup.models.llama import LlamaConfig
from softlookup.parallel import data_parallel, pipeline, schedules, trainings, workers
from softlookup.parallel.grid import share_of_row
from softlookup.parallel.tensor_parallel import cut
from softlookup.parallel.traffic import all_reduce_bytes

CONFIG = LlamaConfig(
    vocab_size=31, max_length=13, d_model=24, n_heads=4, n_key_value_heads=2, n_layers=2, d_ff=58
)
STEPS, BATCH, LENGTH, WORKERS = 3, 8, 13, 2


@pytest.fixture(scope="module")
def training():
    tokens = torch.randint(
        31, (STEPS, BATCH, LENGTH + 1), generator=torch.Generator().manual_seed(1)
    )
    return trainings.Training(CONFIG, tokens[:, :, :-1], tokens[:, :, 1:], learning_rate=1e-2)


@pytest.fixture(scope="module")
def alone(training):
    return trainings.train_alone(training)


@pytest.fixture(scope="module")
def done(training):
    """By worker: the outcomes of all kinds and of all schedules, from one start of the workers."""
    return workers.run(jobs.every_kind, WORKERS, training)


@pytest.fixture(scope="module")
def grids(training):
    """By worker: the outcomes of grids of four workers."""
    return workers.run(jobs.every_grid, 4, training)


@pytest.mark.parametrize("kind", jobs.KINDS)
def test_each_kind_reaches_the_weights_and_losses_of_one_process(kind, done, alone):
    for outcomes, _ in done:
        assert trainings.farthest(outcomes[kind].weights, alone.weights) < 1e-10
        assert outcomes[kind].losses == pytest.approx(alone.losses, abs=1e-10)


@pytest.mark.parametrize("schedule", jobs.SCHEDULES)
def test_a_pipeline_does_too(schedule, done, alone):
    for _, staged in done:
        outcome = staged[schedule].outcome
        assert trainings.farthest(outcome.weights, alone.weights) < 1e-10
        assert outcome.losses == pytest.approx(alone.losses, abs=1e-10)


@pytest.mark.parametrize("mistake", jobs.MISTAKES)
def test_a_mistake_lands_elsewhere_by_a_million_times_more(mistake, done, alone):
    for outcomes, _ in done:
        assert trainings.farthest(outcomes[mistake].weights, alone.weights) > 1e-3


def test_without_averaging_the_workers_part_from_each_other(done):
    (one, _), (other, _) = done
    name = "without averaging"
    assert trainings.farthest(one[name].weights, other[name].weights) > 1e-3
    name = "sums"
    assert trainings.farthest(one[name].weights, other[name].weights) == 0


def test_training_moves_the_weights_by_far_more_than_the_tolerance(training, alone):
    start = trainings.whole_weights(trainings.make_model(training))
    assert trainings.farthest(start, alone.weights) > 1e-2


def test_what_is_held(done, alone):
    numbers = sum(weight.numel() for weight in alone.weights.values())
    assert alone.held.parameters == alone.held.gradients == 8 * numbers
    assert alone.held.optimizer == 16 * numbers
    for outcomes, staged in done:
        assert outcomes["torch's data parallel"].held == alone.held
        # Shards are filled up to equal lengths; what is left whole is small.
        assert outcomes["sharded"].held.total == pytest.approx(alone.held.total / 2, rel=0.03)
        assert outcomes["tensor parallel"].held.total < 0.6 * alone.held.total
        assert staged["gpipe"].outcome.held.total < 0.6 * alone.held.total
    sharded = sum(outcomes["sharded"].held.total for outcomes, _ in done)
    assert sharded == alone.held.total


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a socket has sent")
def test_what_is_sent(done, alone):
    model = alone.held.parameters
    stream = 8 * BATCH * LENGTH * CONFIG.d_model
    for outcomes, staged in done:
        ring = all_reduce_bytes(model, WORKERS)
        assert outcomes["torch's data parallel"].sent == pytest.approx(ring, rel=0.02)
        assert outcomes["without averaging"].sent == 0
        # Four sums of the stream in each block.
        sums = 4 * CONFIG.n_layers * all_reduce_bytes(stream, WORKERS)
        assert outcomes["tensor parallel"].sent == pytest.approx(sums, rel=0.05)
        # The stream one way or its gradient the other, whatever the schedule.
        assert staged["gpipe"].outcome.sent == pytest.approx(stream, rel=0.1)
        assert staged["1f1b"].outcome.sent == pytest.approx(stream, rel=0.1)


@pytest.mark.parametrize("name", ["two rows of two", "four rows"])
def test_a_grid_reaches_the_weights_and_losses_of_one_process(name, grids, alone):
    for outcomes in grids:
        assert trainings.farthest(outcomes[name].weights, alone.weights) < 1e-10
        assert outcomes[name].losses == pytest.approx(alone.losses, abs=1e-10)


def test_what_a_grid_holds(grids, alone, training):
    blocks = trainings.make_model(training).stack.blocks
    cut_up = sum(weight.numel() for weight in blocks.parameters() if weight.dim() == 2)
    for outcomes in grids:
        by_two = outcomes["two rows of two"].held
        assert by_two.total == alone.held.total - 4 * 8 * cut_up // 2
        assert outcomes["four rows"].held == alone.held


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a socket has sent")
def test_what_a_grid_sends(grids, alone):
    stream = 8 * BATCH // 2 * LENGTH * CONFIG.d_model
    for outcomes in grids:
        two_rows = outcomes["two rows of two"]
        within_row = 4 * CONFIG.n_layers * all_reduce_bytes(stream, 2)
        within_column = all_reduce_bytes(two_rows.held.gradients, 2)
        assert two_rows.sent == pytest.approx(within_row + within_column, rel=0.05)
        ring = all_reduce_bytes(alone.held.gradients, 4)
        assert outcomes["four rows"].sent == pytest.approx(ring, rel=0.05)


def test_torch_follows_the_schedules_that_the_formula_is_for(done):
    formula = schedules.idle_formula(WORKERS, 4)
    for name in jobs.SCHEDULES:
        orders = [staged[name].order for _, staged in done]
        assert schedules.idle_share(schedules.timetable(orders)) == formula
    kept = {name: schedules.most_kept(done[0][1][name].order) for name in jobs.SCHEDULES}
    assert kept == {"gpipe": 4, "1f1b": 2}


def test_several_trainings_come_in_their_order_and_within_them_the_kinds(training):
    kinds = [lambda each: ("first", each.seed), lambda each: ("second", each.seed)]
    courses = [replace(training, seed=seed) for seed in (5, 7)]
    assert trainings.each_in_turn(kinds, courses) == [
        [("first", 5), ("second", 5)],
        [("first", 7), ("second", 7)],
    ]


class TestRefusals:
    """What does not divide is refused in words, before anybody waits for anybody."""

    @pytest.fixture(autouse=True)
    def _three_workers(self, monkeypatch):
        for module in (data_parallel, pipeline):
            monkeypatch.setattr(module.dist, "get_world_size", lambda: 3)
            monkeypatch.setattr(module.dist, "get_rank", lambda: 0)

    def test_a_batch(self, training):
        with pytest.raises(ValueError, match="8 rows and there are 3 workers"):
            data_parallel.own_share(training.given[0])
        with pytest.raises(ValueError, match="8 rows and there are 5 micro-batches"):
            pipeline.pipeline(training, 5)

    def test_heads_and_inner_width(self, training):
        with pytest.raises(ValueError, match="n_key_value_heads is 2 and there are 3 workers"):
            cut(trainings.make_model(training))

    def test_rows_of_a_grid(self, training):
        with pytest.raises(ValueError, match="8 rows and the grid 3"):
            share_of_row(training.given[0], rows=3, row=0)

    def test_blocks(self, training):
        with pytest.raises(ValueError, match="2 blocks, tied=False, and there are 3 stages"):
            pipeline.Stage(trainings.make_model(training), 0, 3)

    def test_weights_of_two_models(self, alone):
        with pytest.raises(ValueError, match="the same names and shapes"):
            trainings.farthest(alone.weights, {})

    def test_tokens_without_followers(self, training):
        with pytest.raises(ValueError, match=r"expected \(steps, batch, length\) of both"):
            trainings.Training(CONFIG, training.given, training.following[:, :, 1:], 1e-2)
