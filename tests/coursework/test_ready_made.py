"""What an exercise forbids is noticed where it is called, whatever name an answer calls it by."""

import pytest
import torch
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.sandbox.answers import Fault
from softlookup_coursework.sandbox.channel import Channel, Remote
from softlookup_coursework.sandbox.inside.ready_made import nothing_ready_made
from softlookup_coursework.sandbox.sandbox import Sandbox

FORBIDS = (
    *("scaled_dot_product_attention", "MultiheadAttention", "_scaled_dot_product_*"),
    *("multi_head_attention_forward", "layers.attention", "softlookup.models", "Softmax"),
    *("mul", "matmul", "div", "sub", "neg"),
)
WAYS = """
import importlib, operator, sys, threading
from concurrent.futures import ThreadPoolExecutor
from collections import namedtuple
from functools import partial
import torch
import torch.nn.functional as F
import softlookup.layers.grouped_query as beside
import softlookup.models.gpt

def by_a_default(x, lib=torch.nn.functional): return lib.scaled_dot_product_attention(x, x, x)
Record = namedtuple("Record", "scaled_dot_product_attention eps")
record = Record(F.scaled_dot_product_attention, 1e-9)
def by_a_field(x): return record.scaled_dot_product_attention(x, x, x)
torch.Tensor.look = lambda query, *rest: F.scaled_dot_product_attention(query, *rest)
def by_a_method_of_tensors(x): return x.look(x, x)
def by_an_operator(x): return torch.ops.aten.scaled_dot_product_attention(x, x, x)
def by_its_half(x): return torch._scaled_dot_product_attention_math(x, x, x)[0]
def by_a_module_beside(x): return beside.attention(x, x, x)[0]
def by_a_table(x): return operator.attrgetter("attention")(beside)(x, x, x)[0]
layer = torch.nn.MultiheadAttention(4, 1, bias=False)
with torch.no_grad():
    layer.in_proj_weight.copy_(torch.eye(4).repeat(3, 1))
    layer.out_proj.weight.copy_(torch.eye(4))
def by_a_layer(x): return layer(x, x, x)[0]
def by_its_forward(x): return type(layer).forward(layer, x, x, x)[0]
softmax = torch.nn.Softmax(-1)
def by_a_small_layer(x): return softmax(x @ x.mT / 2) @ x
def by_a_part(x): return partial(F.scaled_dot_product_attention, x)(x, x)
def by_mapping(x): return next(map(F.scaled_dot_product_attention, [x], [x], [x]))
def by_compiling(x): return torch.compile(F.scaled_dot_product_attention)(x, x, x)
def in_a_thread(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(by_a_default(x)))
    thread.start(); thread.join()
    return found[0]
def and_hides_it(x):
    try: return by_a_default(x)
    except RuntimeError: return torch.softmax(x @ x.mT / 2, -1) @ x
def late(x): yield by_a_default(x)
class Lazy:
    @property
    def looked_up(self): return by_a_default(torch.ones(3, 4))
lazy = Lazy()
def unwatched(x):
    sys.setprofile(None)
    return by_a_default(x)
def with_no_modes(x):
    with torch._C.DisableTorchFunction(): return partial(F.scaled_dot_product_attention, x)(x, x)
zeros = torch.zeros(3, 4)
traced = torch.jit.trace(lambda x: F.scaled_dot_product_attention(x, x, x), zeros)
def by_a_trace(x): return traced(x)
torch.jit.save(traced, "stored.pt")
loaded = torch.jit.load("stored.pt")
def by_what_was_stored(x): return loaded(x)
pool = ThreadPoolExecutor(1)
pool.submit(int).result()
def in_a_thread_from_before(x): return pool.submit(by_a_default, x).result()

def by_its_kernels(x):
    torch.backends.cuda.enable_math_sdp(True)
    return by_a_trace(x)
def by_mapping_the_end(x):
    next(map(sys.setprofile, [None]))
    return written_out(x)
def by_ending_the_modes(x):
    torch._C._pop_torch_function_stack()
    return written_out(x)
def by_its_state(x):
    sys.getprofile().__self__.over = True
    return by_a_default(x)

def still_watched(x): return sys.getprofile() is not None, threading.getprofile() is not None
def written_out(x): return -(0 - 1.0 * torch.softmax(x @ x.mT / 2, -1)) @ x
def scaled_dot_product_attention(x): return written_out(x)
class Own(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.width = torch.nn.MultiheadAttention(4, 1).embed_dim
    def forward(self, x): return written_out(x)
    def scaled_dot_product_attention(self, x): return self(x)
own = Own()
def by_a_method_of_ones_own(x): return Own().scaled_dot_product_attention(x)
def that_imports_late(x):
    importlib.reload(softlookup.models.gpt)
    return written_out(x)
"""
X = torch.arange(12.0).reshape(3, 4) / 7


@pytest.fixture(scope="module")
def channel():
    with Sandbox(RunLimits(call_seconds=20, cell_seconds=60)) as running:
        channel = Channel(running)
        assert not channel.run(WAYS).error
        yield channel


@pytest.mark.parametrize(
    "way",
    ["by_a_default", "by_a_field", "by_a_method_of_tensors", "by_an_operator", "by_its_half",
     "by_a_module_beside", "by_a_table", "by_a_layer", "by_its_forward", "by_a_small_layer",
     "by_a_part", "by_mapping", "by_compiling", "with_no_modes", "by_a_trace", "by_what_was_stored",
     "in_a_thread_from_before", "in_a_thread", "and_hides_it", "late"],
)  # fmt: skip
def test_a_ready_made_fails_where_it_is_called_under_any_name(way, channel):
    found = Remote(channel, way)(X)
    found = found[0] if way == "late" else found
    assert torch.allclose(found, torch.softmax(X @ X.mT / 2, -1) @ X, atol=1e-5)
    with pytest.raises(Fault, match=r"your answer calls [\w.]+, which does for you"):
        Remote(Channel(channel.sandbox, FORBIDS), way)(X)
    assert Remote(channel, way)(X) is not None


def test_it_fails_where_it_is_looked_up_or_derived(channel):
    strict = Channel(channel.sandbox, FORBIDS)
    assert Remote(channel, "lazy").looked_up.shape == (3, 4)
    with pytest.raises(Fault, match="your answer calls scaled_dot_product_attention"):
        _ = Remote(strict, "lazy").looked_up
    assert len(Remote(channel, "by_a_default").gradients([X], X)) == 1
    with pytest.raises(Fault, match="your answer calls scaled_dot_product_attention"):
        Remote(strict, "by_a_default").gradients([X], X)


def test_who_looks_away_is_told(channel):
    with pytest.raises(Fault, match="your answer calls setprofile"):
        Remote(Channel(channel.sandbox, FORBIDS), "unwatched")(X)


@pytest.mark.parametrize("way", ["by_mapping_the_end", "by_ending_the_modes"])
def test_an_answer_that_ends_the_watch_does_not_count(way, channel):
    strict = Channel(channel.sandbox, FORBIDS)
    with pytest.raises(Fault, match="what watches your answer no longer stood"):
        Remote(strict, way)(X)
    with pytest.raises(Fault, match="your answer calls scaled_dot_product_attention"):
        Remote(strict, "by_a_trace")(X)
    assert Remote(strict, "written_out")(X) is not None


def test_whoever_switches_the_kernels_on_again_is_told(channel):
    with pytest.raises(Fault, match="what watches your answer no longer stood"):
        Remote(Channel(channel.sandbox, FORBIDS), "by_its_kernels")(X)
    assert Remote(channel, "by_a_trace")(X) is not None


def test_the_watch_shows_no_state_that_could_be_set(channel):
    with pytest.raises(Fault, match="AttributeError"):
        Remote(Channel(channel.sandbox, FORBIDS), "by_its_state")(X)


EXCHANGED = """
import contextlib, sys
found = [m for n, m in sys.modules.items() if n.endswith(("inside.shell", "inside.ready_made"))]
for module in found: module.nothing_ready_made = lambda names: contextlib.nullcontext()
sys.setprofile = lambda look: None
def ready(x): return torch.nn.functional.scaled_dot_product_attention(x, x, x)
"""


def test_what_a_cell_exchanges_does_not_end_the_watch():
    with Sandbox(RunLimits(call_seconds=20, cell_seconds=60)) as running:
        assert not Channel(running).run(f"import torch{EXCHANGED}").error
        with pytest.raises(Fault, match="your answer calls scaled_dot_product_attention"):
            Remote(Channel(running, FORBIDS), "ready")(X)


@pytest.mark.parametrize("state", [True, False])
def test_what_a_cell_set_for_the_kernels_is_set_again(state):
    with Sandbox(RunLimits(call_seconds=20, cell_seconds=60)) as running:
        Channel(running).run(
            f"import torch\ntorch.backends.cuda.enable_flash_sdp({state})\n"
            "def is_set(): return torch.backends.cuda.flash_sdp_enabled()"
        )
        assert Remote(Channel(running, FORBIDS), "is_set")() is False
        assert Remote(Channel(running), "is_set")() is state


def test_the_watch_ends_with_the_call(channel):
    strict = Remote(Channel(channel.sandbox, FORBIDS), "still_watched")
    assert strict(X) == (True, True)
    assert Remote(channel, "still_watched")(X) == (False, False)


@pytest.mark.parametrize(
    "way",
    ["written_out", "scaled_dot_product_attention", "own", "by_a_method_of_ones_own",
     "that_imports_late"],
)  # fmt: skip
def test_what_is_ones_own_may_have_any_name(way, channel):
    strict = Remote(Channel(channel.sandbox, FORBIDS), way)
    assert torch.equal(strict(X), Remote(channel, way)(X))


NAMED = """
class Named:
    def __str__(self):
        seen.append(1)
        return "notebook"
seen, __name__ = [], Named()
def heard(): return len(seen)
"""


def test_the_watch_asks_no_object_that_stands_for_a_notebooks_name():
    with Sandbox(RunLimits(call_seconds=20, cell_seconds=60)) as running:
        assert not Channel(running).run(NAMED).error
        assert Remote(Channel(running, FORBIDS), "heard")() == 0


def test_what_is_forbidden_is_known_by_its_file_whatever_its_module_is_called(monkeypatch):
    """A module's name is a name like others: whoever has the module can give it another."""
    functional = torch.nn.functional
    layer, x = torch.nn.MultiheadAttention(4, 1), torch.zeros(2, 1, 4)
    monkeypatch.setitem(vars(functional), "__name__", "own")
    # Then it does not ask PyTorch's modes either.
    monkeypatch.setitem(vars(functional), "has_torch_function", lambda *_: False)
    with (
        pytest.raises(RuntimeError, match="calls multi_head_attention_forward"),
        nothing_ready_made(["multi_head_attention_forward"]),
    ):
        functional.multi_head_attention_forward(
            x, x, x, 4, 1, layer.in_proj_weight, layer.in_proj_bias, None, None, False, 0.0,
            layer.out_proj.weight, layer.out_proj.bias,
        )  # fmt: skip
