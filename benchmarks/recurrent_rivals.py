"""The rivals of the chapter on recurrence that train for longer than its cells should.

    python benchmarks/recurrent_rivals.py                # all of them
    python benchmarks/recurrent_rivals.py notes recall   # some parts; the store keeps the others

Networks, data, training and measurements are the chapter's own: its functions and classes are
taken from the notebook, so nothing of them is written twice. What stands here are the starts and
the terms of the rivals. What comes out is stored beside ``softlookup.course.recurrent_rivals``,
where the chapter reads it; a test holds the store to this script.
"""

import functools
import math
import sys

import torch
from chapter_code import defined_in
from softlookup.course import recurrent_rivals
from softlookup.course.keeping import keep_parts
from softlookup.layers.recurrent import LSTM, RNN
from softlookup.models.seq2seq import FixedVectorSeq2Seq
from torch import nn

# The imports, and the little language of notes.
WHOLE = ("af3b31a1", "a1d0c002")
# The cells whose functions and classes train and measure.
DEFINING = ("4c43ae9c", "a1d0c005", "a1d0c007", "a4b9aff1", "2edac4cf", "b233e231", "104a23b6")


@functools.cache
def chapter():
    """The functions and classes of the chapter, by name."""
    return defined_in("01_rnn_limits.ipynb", WHOLE, DEFINING)


def without_biases(network):
    """The network with its biases at zero."""
    nn.init.zeros_(network.bias_ih_l0)
    nn.init.zeros_(network.bias_hh_l0)
    return network


def orthogonal(lag):
    """An RNN whose weights from state to state begin as a rotation, or a mirror image of one."""
    network = nn.RNN(32, 32, batch_first=True)
    nn.init.orthogonal_(network.weight_hh_l0)
    return without_biases(network)


def identity(lag):
    """An RNN of rectifiers whose weights from state to state begin as the identity."""
    network = nn.RNN(32, 32, nonlinearity="relu", batch_first=True)
    nn.init.normal_(network.weight_ih_l0, std=0.001)
    nn.init.eye_(network.weight_hh_l0)
    return without_biases(network)


def chrono(lag):
    """An LSTM whose units begin with memories of times up to the lag, and hardly write."""
    network = without_biases(nn.LSTM(32, 32, batch_first=True))
    times = nn.init.uniform_(torch.empty(32), 1, lag - 1)
    with torch.no_grad():
        network.bias_ih_l0[:64] = torch.cat([-times.log(), times.log()])  # input gate, forget gate
    return network


def as_made(kind, lag, **start):
    """Torch's twin of one of the library's networks."""
    return chapter()["torch_twin"](kind(32, 32, **start))


def at_gain(lag):
    """An RNN at gain 1.5."""
    return chapter()["torch_twin"](chapter()["rnn_at_gain"](32, 32))


def open_lstm(d_input, d_hidden):
    """An LSTM whose forget gates start nearly open."""
    return LSTM(d_input, d_hidden, forget_bias=3.0)


def log_lag(lag):
    """An LSTM whose forget bias is matched to the lag."""
    return as_made(LSTM, lag, forget_bias=math.log(lag))


# What learns from notes, from which seeds, and what is not as in the chapter.
NOTES = {
    "RNN, rate 0.003": (lambda *sizes: RNN(*sizes), (0,), {"learning_rate": 3e-3}),
    "RNN, rate 0.001": (lambda *sizes: RNN(*sizes), (0,), {"learning_rate": 1e-3}),
    "RNN, gain 1.5": ("rnn_at_gain", (0, 1), {}),
    "RNN, gain 1.5, rate 0.003": ("rnn_at_gain", (0,), {"learning_rate": 3e-3}),
    "RNN, gain 1.5, rate 0.001": ("rnn_at_gain", (0,), {"learning_rate": 1e-3}),
    "LSTM, long notes alone": (lambda *sizes: LSTM(*sizes), (0, 1), {"lengths": (24,)}),
    "LSTM, forget bias 3, long notes alone": (open_lstm, (0, 1), {"lengths": (24,)}),
}
# What recalls the first token, at which lag, and what is not as in the chapter; three seeds.
RECALL = {
    20: {
        "RNN, orthogonal": (orthogonal, {}),
        "RNN, identity": (identity, {}),
        "LSTM, chrono": (chrono, {}),
        "RNN as made, rate 0.015": (functools.partial(as_made, RNN), {"learning_rate": 1.5e-2}),
        "LSTM as made, rate 0.015": (functools.partial(as_made, LSTM), {"learning_rate": 1.5e-2}),
    },
    80: {
        "RNN, gain 1.5": (at_gain, {}),
        "RNN, identity": (identity, {}),
        "LSTM, forget bias 3": (functools.partial(as_made, LSTM, forget_bias=3.0), {}),
        "LSTM, forget bias log lag": (log_lag, {}),
        "LSTM, chrono": (chrono, {}),
    },
}
SEEDS = (0, 1, 2)
# What translates through one vector, and what is not as in the chapter; one run each.
TRANSLATION = {
    "three times as wide": {"d_model": 96},
    "trained ten times as long": {"steps": 2000},
}


def run_notes(name, **less):
    """The share of endings that each run names, at each distance."""
    network, seeds, terms = NOTES[name]
    network = chapter()[network] if isinstance(network, str) else network
    models = [chapter()["learned"](network, seed, **(terms | less)) for seed in seeds]
    return [chapter()["endings_right"](model) for model in models]


def run_recall(lag, name, seeds=SEEDS, **less):
    """The share that each run recalls."""
    start, terms = RECALL[lag][name]
    models = [chapter()["recaller"](start, lag, seed, **(terms | less)) for seed in seeds]
    return [chapter()["recalled"](model, lag) for model in models]


def run_translation(name, **less):
    """The share translated without a mistake: new numbers, by digits, and known ones of six."""
    translator, exact = chapter()["translator"], chapter()["exact"]
    model, test, learn = translator(FixedVectorSeq2Seq, 0, **(TRANSLATION[name] | less))
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "new": [exact(model, numbers) for numbers in test.values()],
        "learned": exact(model, [number for number in learn if number >= 100_000]),
    }


PARTS = {
    "notes": lambda: {name: run_notes(name) for name in NOTES},
    "recall": lambda: {
        str(lag): {name: run_recall(lag, name) for name in arms} for lag, arms in RECALL.items()
    },
    "translation": lambda: {name: run_translation(name) for name in TRANSLATION},
}


def main(names):
    """Run the parts that are named, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(recurrent_rivals.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
