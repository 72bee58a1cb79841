import itertools
import math
import sys
from types import SimpleNamespace

import nbclient
import nbformat
import pytest
import torch
import torch.nn.functional as F
from softlookup.running import training
from softlookup.running.training import (
    constant,
    inverse_square_root,
    linear_decay,
    train,
    warmup_cosine,
)
from torch import nn

STEPS = 23


def regression(seed=0):
    """A model that is not linear, and batches without end from one seeded generator."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3)).double()
    generator = torch.Generator().manual_seed(seed)

    def batches():
        while True:
            x = torch.randn(11, 5, generator=generator, dtype=torch.float64)
            yield x, x[:, :3].sin() * 3

    return model, batches()


def squared_error(model, batch):
    x, y = batch
    return F.mse_loss(model(x), y)


def test_takes_the_steps_that_torch_takes_by_hand():
    model, batches = regression()
    history = train(
        model,
        squared_error,
        batches,
        steps=STEPS,
        learning_rate=0.05,
        schedule=linear_decay,
        clip=1.3,
        weight_decay=0.3,
        betas=(0.8, 0.95),
    )
    reference, batches = regression()
    optimizer = torch.optim.AdamW(
        reference.parameters(), lr=0.05, betas=(0.8, 0.95), weight_decay=0.3
    )
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=STEPS)
    for step in range(STEPS):
        loss = squared_error(reference, next(batches))
        optimizer.zero_grad()
        loss.backward()
        gradients = torch.cat([p.grad.flatten() for p in reference.parameters()])
        # torch's clipping adds 1e-6 to the norm, so agreement ends near there.
        assert history.losses[step] == pytest.approx(loss.item(), rel=1e-5)
        assert history.gradient_norms[step] == pytest.approx(gradients.norm().item(), rel=1e-5)
        assert history.learning_rates[step] == pytest.approx(scheduler.get_last_lr()[0])
        scale = min(1.0, 1.3 / gradients.norm().item())
        for parameter in reference.parameters():
            parameter.grad *= scale
        optimizer.step()
        scheduler.step()
    # The test sees clipping only if some gradients are clipped and some are not.
    assert min(history.gradient_norms) < 1.3 < max(history.gradient_norms)
    for ours, theirs in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_without_decay_and_clipping_it_is_adam():
    model, batches = regression()
    train(model, squared_error, batches, steps=STEPS, learning_rate=0.05, clip=None)
    reference, batches = regression()
    optimizer = torch.optim.Adam(reference.parameters(), lr=0.05)
    for _ in range(STEPS):
        optimizer.zero_grad()
        squared_error(reference, next(batches)).backward()
        optimizer.step()
    for ours, theirs in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=1e-12)


def test_learns():
    model, batches = regression()
    history = train(model, squared_error, batches, steps=300, learning_rate=0.03)
    assert sum(history.losses[-10:]) < 0.1 * sum(history.losses[:10])


def test_the_same_seed_gives_the_same_history():
    def history(seed):
        model, batches = regression(seed)
        return train(model, squared_error, batches, steps=STEPS, learning_rate=0.05)

    assert history(3) == history(3)
    assert history(3) != history(4)


def test_dropout_works_in_training_and_rests_afterwards():
    model = nn.Sequential(nn.Linear(5, 3), nn.Dropout(0.5))
    model.eval()
    modes = []

    def loss(model, batch):
        modes.append(model.training)
        return model(batch).square().mean()

    train(model, loss, itertools.repeat(torch.randn(7, 5)), steps=3, learning_rate=0.1)
    assert modes == [True, True, True]
    assert not model.training


def test_a_finite_stream_of_as_many_batches_as_steps_will_do():
    model, batches = regression()
    few = [next(batches) for _ in range(7)]
    assert len(train(model, squared_error, few, steps=7, learning_rate=0.1).losses) == 7
    with pytest.raises(ValueError, match="the batches ended after 7; expected 8, one for each"):
        train(model, squared_error, few, steps=8, learning_rate=0.1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"steps": 0}, "steps is 0; expected at least 1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0; expected a positive number"),
        ({"learning_rate": math.nan}, "learning_rate is nan"),
        ({"clip": -1.0}, "clip is -1.0; expected a positive number"),
    ],
)
def test_refuses_bad_settings(changed, message):
    model, batches = regression()
    with pytest.raises(ValueError, match=message):
        train(model, squared_error, batches, **{"steps": 5, "learning_rate": 0.1} | changed)


def test_stops_where_the_loss_is_no_number():
    model, batches = regression()
    losses = iter([1.0, 1.0, math.nan])

    def loss(model, batch):
        return squared_error(model, batch) * next(losses)

    with pytest.raises(ValueError, match="the loss is nan at step 2; expected a finite number"):
        train(model, loss, batches, steps=5, learning_rate=0.1)


def test_constant_and_linear_decay():
    assert [constant(step, 4) for step in range(4)] == [1, 1, 1, 1]
    assert [linear_decay(step, 4) for step in range(4)] == [1, 0.75, 0.5, 0.25]


def test_warmup_cosine_rises_to_one_and_falls_to_zero():
    factors = [warmup_cosine(5)(step, 105) for step in range(105)]
    assert factors[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)
    for factor in factors[5:]:
        assert factor == pytest.approx(scheduler.get_last_lr()[0])
        optimizer.step()
        scheduler.step()
    assert 0 < factors[-1] < 1e-3
    with pytest.raises(ValueError, match="warmup_steps is 5 and steps is 5; expected fewer"):
        warmup_cosine(5)(0, 5)
    with pytest.raises(ValueError, match="warmup_steps is 0; expected at least 1"):
        warmup_cosine(0)


def test_inverse_square_root_is_the_2017_schedule():
    # The base model's 512 and 4,000: the peak, known from the literature, is 7.0e-4.
    schedule = inverse_square_root(4000, 512)
    rates = [schedule(step, 16_000) for step in range(16_000)]
    assert max(rates) == rates[3999] == pytest.approx(6.988e-4, rel=1e-3)
    assert rates[0] == pytest.approx(512**-0.5 * 4000**-1.5)
    assert rates[1999] == pytest.approx(rates[3999] / 2)
    assert rates[15_999] == pytest.approx(rates[3999] / 2)
    with pytest.raises(ValueError, match="warmup_steps is 0"):
        inverse_square_root(0, 512)
    with pytest.raises(ValueError, match="d_model is 0; expected at least 1"):
        inverse_square_root(4000, 0)


# A cell that trains long enough for the bar to be drawn many times, and prints afterwards.
CELL = """
import itertools, time
import torch
from softlookup.running.training import train

def loss(model, batch):
    time.sleep(0.02)
    return model(batch).square().mean()

print("before")
history = train(
    torch.nn.Linear(5, 3), loss, itertools.repeat(torch.ones(7, 5)), steps=STEPS,
    learning_rate=0.1, show_progress=SHOWN,
)
print("after", len(history.losses))
"""


@pytest.fixture(scope="module")
def notebook():
    """For a cell of few steps, of many, and of one without progress: output and messages."""
    cells = [(1, True), (61, True), (1, False)]
    stored = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                CELL.replace("STEPS", str(steps)).replace("SHOWN", str(shown))
            )
            for steps, shown in cells
        ]
    )
    messages = {index: [] for index in range(len(cells))}

    class Client(nbclient.NotebookClient):
        def process_message(self, message, cell, cell_index):
            messages[cell_index].append((message["msg_type"], message["content"].get("text", "")))
            return super().process_message(message, cell, cell_index)

    Client(stored, kernel_name="python3", timeout=120).execute()
    results = {}
    for index, key in enumerate(cells):
        outputs = stored.cells[index].outputs
        assert {output.name for output in outputs} == {"stdout"}
        results[key] = "".join(output.text for output in outputs), messages[index]
    return results


@pytest.mark.parametrize("steps", [1, 61])
def test_a_stored_notebook_keeps_no_trace_of_progress(notebook, steps):
    stored, messages = notebook[steps, True]
    assert stored == f"after {steps}\n"
    assert ("clear_output", "") in messages
    # While it ran there was something to see.
    assert any("it" in text and "\r" in text for kind, text in messages if kind == "stream")


def test_a_notebook_without_progress_keeps_what_it_printed_before(notebook):
    stored, messages = notebook[1, False]
    assert stored == "before\nafter 1\n"
    assert "clear_output" not in [kind for kind, _ in messages]


@pytest.mark.parametrize("terminal", [True, False])
def test_outside_a_kernel_only_a_terminal_sees_progress(terminal, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    model, batches = regression()
    train(model, squared_error, batches, steps=3, learning_rate=0.1)
    seen = capsys.readouterr()
    assert seen.out == ""
    assert ("3" in seen.err) == terminal
    # The bar's line is wiped, so that the next thing on the terminal begins a clean one.
    assert not seen.err.split("\r")[-1].strip()


def test_in_a_kernel_the_output_is_cleared_even_if_training_fails(monkeypatch, capsys):
    cleared = []
    display = SimpleNamespace(clear_output=lambda: cleared.append(True))
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    model, batches = regression()
    with pytest.raises(ValueError, match="the batches ended"):
        train(model, squared_error, [next(batches)], steps=3, learning_rate=0.1)
    assert cleared == [True]
    assert capsys.readouterr().err == ""


def test_ipython_in_a_terminal_is_no_kernel(monkeypatch):
    shell = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert not training._in_kernel()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not training._in_kernel()
