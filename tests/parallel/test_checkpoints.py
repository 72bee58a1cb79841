"""A checkpoint of two workers is read by one; a run that was killed ends where it would have."""

import parallel_jobs as jobs
import pytest
import torch
from softlookup.parallel import checkpoints, resumable, trainings, workers

STEPS, EVERY, KILLED_AT = 5, 2, 3


@pytest.fixture(scope="module")
def training():
    return resumable.training_of(STEPS)


@pytest.fixture(scope="module")
def alone(training):
    return trainings.train_alone(training).weights


@pytest.fixture(scope="module")
def saved(training, tmp_path_factory):
    """A run's folder with a checkpoint of two workers, and where they came to without a stop."""
    folder = tmp_path_factory.mktemp("run")
    ends = workers.run(jobs.train_save_and_go_on, 2, training, folder, EVERY)
    return folder, ends


@pytest.fixture(scope="module")
def read_alone(training, saved):
    """From a way to read a checkpoint to where one process comes to that goes on from it."""

    def go_on(read):
        model = trainings.make_model(training)
        optimizer = trainings.make_optimizer(model.parameters(), training)
        read(saved[0], EVERY, model, optimizer)
        trainings.take_steps(model, optimizer, training.after(EVERY))
        return trainings.whole_weights(model)

    return go_on


def test_saving_changes_nothing(saved, alone):
    for weights in saved[1]:
        assert trainings.farthest(weights, alone) < 1e-10


def test_one_process_goes_on_from_the_shards_of_two(read_alone, alone):
    assert trainings.farthest(read_alone(checkpoints.load), alone) < 1e-10


def test_without_the_optimizer_it_goes_elsewhere(read_alone, alone):
    elsewhere = trainings.farthest(read_alone(checkpoints.load_weights_alone), alone)
    assert elsewhere > 1e-4


def test_only_a_whole_checkpoint_counts(saved, tmp_path):
    assert checkpoints.latest(saved[0]) == EVERY
    assert checkpoints.latest(tmp_path) == 0
    for step, files in (("step-4", [".metadata"]), ("step-12", [".metadata"]), ("step-20", [])):
        (tmp_path / step).mkdir()
        for name in files:
            (tmp_path / step / name).touch()
    assert checkpoints.latest(tmp_path) == 12


@pytest.mark.parametrize("read", [checkpoints.load, checkpoints.load_weights_alone])
def test_a_step_without_a_checkpoint_is_refused(read, saved):
    model = torch.nn.Linear(2, 2)
    with pytest.raises(ValueError, match=r"step 3; expected one of \['step-2'\]"):
        read(saved[0], 3, model, torch.optim.AdamW(model.parameters()))


@pytest.mark.parametrize(
    "script",
    [("-m", "softlookup.parallel.resumable"), ("--run-path", resumable.__file__)],
    ids=["a module", "a path"],
)
def test_a_run_whose_worker_is_killed_resumes_under_torchrun(script, tmp_path, alone):
    said = workers.torchrun(
        [
            *("--standalone", "--nproc-per-node=2", "--max-restarts=1"),
            *(*script, str(tmp_path)),
            *(f"--steps={STEPS}", f"--every={EVERY}", f"--kill-at={KILLED_AT}"),
        ]
    )
    assert f"steps {EVERY} to {STEPS}, 2 workers on" in said
    weights = torch.load(resumable.weights_of(tmp_path))
    assert trainings.farthest(weights, alone) < 1e-10


def test_a_command_that_fails_says_why():
    with pytest.raises(workers.WorkerError, match="No module named no_such_module"):
        workers.torchrun(["--standalone", "--nproc-per-node=1", "-m", "no_such_module"])


def test_no_steps_are_refused():
    with pytest.raises(ValueError, match="steps is 0"):
        resumable.training_of(0)
