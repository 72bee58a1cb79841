"""Tests over the channel are those that a student runs, and trust none of the kernel's answers."""

import importlib.util
import socket
import threading
import time

import hostile_bank as bank
import numpy as np
import pytest
import torch
from softlookup.course.exercises.verdict import Mistake
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.sandbox import processes
from softlookup_coursework.sandbox.answers import Fault, refuse_nan
from softlookup_coursework.sandbox.channel import Channel, Remote
from softlookup_coursework.sandbox.inside import frames
from softlookup_coursework.sandbox.sandbox import Sandbox

PLAIN = """
import torch
def twice(tokens, *, times=2): return tokens * times
def nothing(tokens): return None
def several(tokens): return {"sum": tokens.sum(), "rows": [tokens[0], tokens.shape]}
def broken(tokens): raise ValueError("wrong \\ud800 text")
def stub(): raise NotImplementedError()
def nan(tokens): return [{"a": (tokens, tokens / 0 - tokens / 0)}]
word = "value"
linear = torch.nn.Linear(3, 5)
"""


@pytest.fixture(scope="module")
def channel():
    with Sandbox(RunLimits(call_seconds=10, cell_seconds=20)) as running:
        channel = Channel(running)
        for source in (PLAIN, bank.SETUP, bank.ANSWER, bank.MODULE):
            assert not channel.run(source).error
        yield channel


@pytest.fixture(scope="module")
def visible():
    path = bank.BANK / "assignment" / "tests" / "visible.py"
    specification = importlib.util.spec_from_file_location("visible", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_arrays_and_structures_are_returned_exactly(channel):
    tokens = torch.randn(3, 5)
    assert torch.equal(Remote(channel, "twice")(tokens, times=3), tokens * 3)
    assert Remote(channel, "nothing")(tokens) is None
    answer = Remote(channel, "several")(tokens)
    assert torch.equal(answer["sum"], tokens.sum())
    assert answer["rows"][1] == (3, 5)


def test_a_module_is_used_through_a_handle(channel):
    linear = Remote(channel, "linear")
    tokens = torch.randn(7, 3)
    expected = torch.nn.functional.linear(tokens, linear.weight, linear.bias)
    assert torch.allclose(linear(tokens), expected, atol=1e-6)
    made = Remote(channel, "Scaler")(3)
    assert isinstance(made, Remote)
    made.load_state_dict({"weight": torch.arange(3.0)})
    assert torch.equal(made.state_dict()["weight"], torch.arange(3.0))


def test_gradients_are_those_of_the_students_own_code(channel):
    tokens, weights = torch.randn(3, 5), torch.randn(3, 5)
    (gradient,) = Remote(channel, "twice").gradients([tokens], weights)
    assert torch.equal(gradient, 2 * weights)


DERIVING = """
import threading
import torch.autograd.forward_ad
def backward(x):
    x = x.clone().requires_grad_()
    (x * x).sum().backward()
    return x.grad
def backward_where_inference_mode_is_left(x):
    with torch.inference_mode(False), torch.enable_grad():
        return backward(x.clone())
def backward_in_a_thread(x):
    found = []
    def work():
        try: found.append(backward(x))
        except RuntimeError as error: found.append(error)
    thread = threading.Thread(target=work)
    thread.start(); thread.join()
    if isinstance(found[0], RuntimeError): raise found[0]
    return found[0]
def by_vjp(x): return torch.func.vjp(lambda y: (y * y).sum(), x)[1](torch.ones(()))[0]
def by_grad(x): return torch.func.grad(lambda y: (y * y).sum())(x)
def by_jvp(x):
    try: return torch.func.jvp(lambda y: y * y, (x,), (torch.ones(3),))[1]
    except RuntimeError: raise RuntimeError("PyTorch does not derive")
def by_dual_numbers(x):
    with torch.inference_mode(False), torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x.clone(), torch.ones(3))
        return torch.autograd.forward_ad.unpack_dual(dual * dual).tangent
def along_the_history(x):
    with torch.inference_mode(False), torch.enable_grad():
        leaf = torch.nn.Parameter(x.clone())
        power = (leaf ** 2).grad_fn
        return power(torch.ones(3))
def doubled(x): return 2 * x

Kept = torch._C._ImperativeEngine
kept, operator = Kept(), torch.ops.aten.grad
method, descriptor = kept.run_backward, Kept.run_backward
opened, shut = torch._C._enter_dual_level, torch._C._exit_dual_level
made, shown = torch._C._VariableFunctions._make_dual, torch._VF._unpack_dual
class Leaf:
    def __init__(self, x): self.x = x
    def __enter__(self):
        self.modes = torch.inference_mode(False), torch.enable_grad()
        for mode in self.modes: mode.__enter__()
        leaf = torch.nn.Parameter(self.x.clone())
        return leaf, leaf ** 2
    def __exit__(self, *error):
        for mode in reversed(self.modes): mode.__exit__(*error)
def run(x, run_backward):
    with Leaf(x) as (leaf, square):
        ones = (torch.ones(3),)
        return run_backward((square,), ones, False, False, (leaf,), allow_unreachable=True)[0]
def by_the_engine_itself(x): return run(x, torch._C._ImperativeEngine().run_backward)
def by_a_kept_engine(x): return run(x, [kept][0].run_backward)
def by_a_kept_method(x): return run(x, method)
def by_the_engines_type(x): return run(x, lambda *a, **k: descriptor(kept, *a, **k))
def on_levels(x, opened, made, shown, shut):
    with torch.inference_mode(False):
        level = opened()
        try:
            dual = made(x.clone(), torch.ones(3), level=level)
            return shown(dual * dual, level=level)[1]
        finally:
            shut(level=level)
def by_levels(x):
    ways = torch._C._enter_dual_level, torch._make_dual, torch._unpack_dual
    return on_levels(x, *ways, torch._C._exit_dual_level)
def by_kept_levels(x): return on_levels(x, opened, made, shown, shut)
def by_an_operator(x):
    with Leaf(x) as (leaf, square): return torch.ops.aten.grad([square.sum()], [leaf])[0]
def by_a_kept_operator(x):
    with Leaf(x) as (leaf, square): return operator([square.sum()], [leaf])[0]
def along_the_history_of_the_base(x):
    with Leaf(x) as (_, square): return torch._C.TensorBase.grad_fn.__get__(square)(torch.ones(3))
def along_the_other_history(x):
    with Leaf(x) as (_, square): return square._grad_fn(torch.ones(3))
class Known(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y):
        Known.ctx = ctx
        return y.clone()
def by_a_context(x):
    with Leaf(x) as (_, square):
        Known.apply(square)
        return Known.ctx.next_functions[0][0](torch.ones(3))
def by_what_was_compiled(x):
    with Leaf(x) as (leaf, _): return unit.slope(leaf)
unit = torch.jit.CompilationUnit(
    "def slope(x):\\n"
    "    found = torch.autograd.grad([(x * x).sum()], [x])[0]\\n"
    "    assert found is not None\\n"
    "    return found\\n"
)
"""


@pytest.mark.parametrize(
    "way",
    ["backward", "backward_where_inference_mode_is_left", "backward_in_a_thread", "by_vjp",
     "by_grad", "by_jvp", "by_dual_numbers", "along_the_history", "by_the_engine_itself",
     "by_a_kept_engine", "by_a_kept_method", "by_the_engines_type", "by_levels", "by_kept_levels",
     "by_an_operator", "by_a_kept_operator", "along_the_history_of_the_base",
     "along_the_other_history", "by_a_context", "by_what_was_compiled"],
)  # fmt: skip
def test_nothing_derives_while_a_test_asks_for_what_is_to_be_written_out(way, channel):
    assert not channel.run(DERIVING).error
    strict, x = Channel(channel.sandbox, forbids=["autograd"]), torch.tensor([1.0, 3.0, 5.0])
    assert torch.equal(Remote(channel, way)(x), 2 * x)
    with pytest.raises(Fault, match="PyTorch does not derive"):
        Remote(strict, way)(x)
    # What derives nothing is answered, and afterwards all is as it was.
    assert torch.equal(Remote(strict, "doubled")(x), 2 * x)
    assert torch.equal(Remote(channel, way)(x), 2 * x)
    (gradient,) = Remote(strict, "doubled").gradients([x], torch.ones(3))
    assert torch.equal(gradient, torch.full((3,), 2.0))


def test_numbers_with_a_derivative_are_of_no_use_on_a_level_that_was_left_open(channel):
    """Opened in an own cell, by functions that a closure keeps."""
    assert not channel.run("""
import torch
def keep(opened, made, shown):
    def on_an_open_level(x):
        with torch.inference_mode(False):
            return shown(made(x.clone(), torch.ones(3), level=0), level=0)[1]
    opened()
    return on_an_open_level
on_an_open_level = keep(torch._C._enter_dual_level, torch._make_dual, torch._unpack_dual)
""").error
    strict, x = Channel(channel.sandbox, forbids=["autograd"]), torch.tensor([1.0, 3.0, 5.0])
    try:
        assert torch.equal(Remote(channel, "on_an_open_level")(x), torch.ones(3))
        with pytest.raises(Fault, match="forward AD level"):
            Remote(strict, "on_an_open_level")(x)
        assert torch.equal(Remote(channel, "on_an_open_level")(x), torch.ones(3))
    finally:
        channel.run("torch._C._exit_dual_level(level=0)")


WATCHING = """
import contextlib, numpy, torch
seen, before = [], {}
def watched(name, own):
    def watch(*given, **named):
        seen.append(name)
        return own(*given, **named)
    return watch
for place, name in [
    (torch, "from_numpy"), (torch, "inference_mode"), (torch, "autocast"), (torch, "bfloat16"),
    (torch.autograd, "grad"), (torch.autograd, "set_detect_anomaly"), (torch.Tensor, "to"),
    (numpy, "array"), (numpy, "uint8"),
]:
    before[place, name] = getattr(place, name)
    setattr(place, name, watched(name, before[place, name]))
def put_back():
    for (place, name), own in before.items(): setattr(place, name, own)
    return sorted({*seen})
def same(x): return x
"""


def test_no_function_that_a_cell_exchanged_sees_what_a_test_hands_over(channel):
    # Before anything is withheld it could derive from it, and hang what it found on it.
    assert not channel.run(WATCHING).error
    strict, x = Channel(channel.sandbox, forbids=["autograd"]), torch.tensor([1.0, 3.0, 5.0])
    try:
        for each in (x, x.to(torch.bfloat16), x.numpy(), x > 2):
            assert bool((Remote(strict, "same")(each) == each).all())
        (gradient,) = Remote(strict, "same").gradients([x], torch.ones(3))
        assert torch.equal(gradient, torch.ones(3))
    finally:
        seen = Remote(channel, "put_back")()
    # To withhold it, PyTorch's mode is entered, when the arguments stand already.
    assert {*seen} <= {"inference_mode"}


WAYS = ["at_once", "late", "by_a_method_of_its_own", "into_its_own", "into_what_is_told"]


@pytest.mark.parametrize("way", WAYS)
def test_no_complex_number_is_computed_while_a_test_asks(way, channel):
    assert not channel.run("""
import numpy as np
unit = torch.from_numpy(np.array([0.0, 1.0]).view("D"))[0]
def at_once(x):
    return (x * unit).double()
class Buffer(torch.nn.Parameter):
    def is_complex(self):
        return False
kept = Buffer(torch.zeros(3, dtype=unit.dtype), requires_grad=False)
def into_its_own(x):
    kept.copy_(x)
    kept.mul_(unit)
    return kept.view(torch.float64)
def into_what_is_told(x):
    torch.mul(x, 2.0, out=kept)
    return kept.view(torch.float64)
def late(x):
    yield (x * unit).double()
class Late(torch.Tensor):
    def detach(self):
        return (torch.Tensor.detach(self).as_subclass(torch.Tensor) * unit).double()
def by_a_method_of_its_own(x):
    return x.as_subclass(Late)
""").error
    strict, x = Channel(channel.sandbox, forbids=["autograd"]), torch.tensor([1.0, 3.0, 5.0])
    if way == "by_a_method_of_its_own":
        assert torch.equal(Remote(strict, way)(x), x)
        return
    Remote(channel, way)(x)
    with pytest.raises(Fault, match="complex numbers are not to be used here"):
        Remote(strict, way)(x)


def test_messages_name_the_mistake(channel):
    with pytest.raises(Fault, match="absent: NameError: absent is not defined"):
        Remote(channel, "absent")(1)
    with pytest.raises(Fault, match="broken: ValueError: wrong"):
        Remote(channel, "broken")(torch.zeros(1))
    with pytest.raises(Fault, match="stub: still to be written"):
        Remote(channel, "stub")()
    with pytest.raises(Fault, match="nan: the answer holds NaN"):
        Remote(channel, "nan")(torch.ones(2))
    with pytest.raises(TypeError, match="a test may pass only arrays"):
        Remote(channel, "twice")(print)


def test_one_test_file_runs_here_and_in_the_students_notebook(channel, visible):
    names = {"torch": torch}
    exec(bank.SETUP + bank.ANSWER, names)
    for test in (visible.rows_sum_to_one, visible.scores_are_scaled):
        test(names["attention"])
        test(Remote(channel, "attention"))
        for wrong in (lambda query, key, value: torch.zeros(2, 5, 3), Remote(channel, "twice")):
            with pytest.raises((Mistake, Fault, TypeError)):
                test(wrong)


DEEP_NAN = {"a": [(torch.full((2,), complex(1, torch.nan)),)]}


@pytest.mark.parametrize("value", [float("nan"), torch.tensor([1.0, torch.nan]), DEEP_NAN])
def test_nan_is_refused_at_any_depth(value):
    with pytest.raises(Fault, match="NaN"):
        refuse_nan(value, "f")


def test_no_number_is_read_in_a_text(channel):
    channel.run("def words(given=('nan', ('1', 'two'))): return given")
    word, (one, two) = Remote(channel, "words")()
    assert (word, one, two) == ("nan", "1", "two")
    for read in (float, int, np.float64, lambda text: np.asarray([text], float)):
        for text in (word, one):
            with pytest.raises(Fault, match="expected; the answer is the text"):
                read(text)
    assert Remote(channel, "words")([word, two]) == ["nan", "two"]


def test_answers_without_nan_pass():
    for value in (1.0, torch.inf, "nan", None, [1, {"a": torch.zeros(2)}], torch.tensor([1])):
        assert refuse_nan(value, "f") is value


def test_an_array_of_a_huge_shape_is_refused_though_it_holds_no_number(channel):
    for shape in ((2**40, 0), (0, 5000, 5000), (2**25,)):
        channel.run(f"def huge(): return torch.zeros({shape}, dtype=torch.bool)")
        with pytest.raises(Fault, match=r"huge: an array of the shape .* is too large"):
            Remote(channel, "huge")()
    channel.run("def large(): return torch.zeros(2**24, dtype=torch.bool)")
    assert Remote(channel, "large")().numel() == 2**24


def test_the_time_that_a_kernel_waits_for_a_processor_does_not_count(monkeypatch):
    """Its neighbours have the processor for all but the last second of five."""
    with Sandbox(RunLimits(call_seconds=2)) as running:
        channel = Channel(running)
        channel.run("import time\ndef slow(seconds): time.sleep(seconds); return 3")
        started = time.monotonic()
        monkeypatch.setattr(processes, "waited", lambda _: min(4, time.monotonic() - started))
        assert Remote(channel, "slow")(5) == 3
        assert not channel.crowded
        started = time.monotonic()
        with pytest.raises(Fault, match="slow: no answer within 2 s"):
            Remote(channel, "slow")(60)
        assert channel.slow == "slow: no answer within 2 s"
        assert channel.crowded


def test_what_a_cell_prints_draws_and_raises_is_kept(channel):
    ran = channel.run("print('one'); print('two')\nword")
    assert ran.outputs == [("stdout", b"one\ntwo\n"), ("text/plain", b"'value'")]
    ran = channel.run("from IPython.display import HTML, display; display(HTML('<script>'))")
    assert b"<script>" not in b"".join(content for _, content in ran.outputs)
    for drawn, kept in ((b"\x89PNG\r\n\x1a\n and more", True), (b"<script>", False)):
        ran = channel.run(f"display({{'image/png': {drawn!r}}}, raw=True)")
        assert ("image/png" in [kind for kind, _ in ran.outputs]) == kept
    ran = channel.run("1 / 0")
    assert ran.error == "ZeroDivisionError: division by zero"
    assert "----> 1 1 / 0" in ran.lines


FLOODS = (
    "for _ in range(3_000): print('x' * 1_000)",
    "print('x' * 3_000_000)",
    "for _ in range(100_000): print()",
    "import os\nfrom IPython.display import Image, display\nfor _ in range(60): "
    "display(Image(b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(50_000), format='png', width=1))",
)


@pytest.mark.parametrize("flood", FLOODS)
def test_a_cell_that_prints_too_much_costs_its_own_output_and_no_other_cell(flood):
    with Sandbox(RunLimits(output_bytes=2 << 20)) as running:
        channel = Channel(running)
        for _ in range(12):
            ran = channel.run(f"{flood}\nafter = 5")
            assert not ran.error
        first = Channel(running)
        assert first.run("print('still here')\ndef f(x): print('y' * 10**7); return x").error == ""
        assert Remote(first, "f")(3) == 3
        assert running.end_reason() is None


def test_a_cell_that_prints_too_much_says_so_where_it_was_cut():
    with Sandbox(RunLimits(output_bytes=2 << 20)) as running:
        channel = Channel(running)
        shown = b"".join(content for _, content in channel.run(FLOODS[0]).outputs)
        assert shown.startswith(b"xxx")
        assert b"what follows was left out" in shown[-200:]
        assert channel.run("print('short')").outputs == [("stdout", b"short\n")]


def test_many_small_messages_are_taken_at_once_and_given_one_by_one():
    taken = []

    class Counted:
        def recv(self, most):
            taken.append(ours.recv(most))
            return taken[-1]

    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(10)
        for number in range(100):
            frames.send(theirs, {"number": number}, bytes(number))
        large = threading.Thread(target=frames.send, args=(theirs, {}, bytes(3 << 20)))
        reader = frames.Reader(Counted())
        for number in range(100):
            assert reader.receive(100, 100) == ({"number": number}, bytes(number))
        assert len(taken) == 1
        large.start()
        assert reader.receive(100, 3 << 20) == ({}, bytes(3 << 20))
        large.join()
