"""The stored shares are those of the script that takes them, and each run was taken by itself."""

import backward_shares as script
import step_times as steps_script
from softlookup.course import backward_shares, step_times


def test_every_run_is_stored_for_the_steps_that_are_foretold():
    kept = backward_shares.load()
    assert kept.tokens == step_times.load().tokens
    assert [len(run) for run in kept.shares] == [len(kept.tokens)] * script.RUNS
    assert all(0 < share < 1 for run in kept.shares for share in run)
    # Whoever copies one run into five places will be noticed.
    assert len({*map(tuple, kept.shares)}) == script.RUNS


def test_a_share_is_the_time_between_the_loss_and_its_gradients(monkeypatch):
    ticks = iter([0.0, 3.0, 8.0, 10.0])
    monkeypatch.setattr(script.time, "process_time", lambda: next(ticks))
    model = script.Llama(steps_script.CONFIG)
    given = script.torch.zeros(1, steps_script.CONFIG.max_length, dtype=script.torch.long)
    assert script.share(model, given) == 0.5


def test_the_script_stores_what_it_takes(monkeypatch, tmp_path):
    for name, value in {"RUNS": 2, "REPEATS": 1, "ROWS": (1,)}.items():
        monkeypatch.setattr(script, name, value)
    monkeypatch.setattr(backward_shares, "STORE", tmp_path / "backward_shares.json")
    script.main()
    kept = backward_shares.load()
    assert kept.tokens == [steps_script.CONFIG.max_length]
    assert [len(run) for run in kept.shares] == [1, 1]
