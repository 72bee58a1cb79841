"""The counts against what can be counted on paper, and against torch's own allocator."""

import itertools

import pytest
import torch
import torch.nn.functional as F
from softlookup.course import costs
from softlookup.course.costs import cpu_milliseconds, multiplications, peak_memory
from softlookup.layers import masks
from softlookup.layers.attention import attention, fused_attention
from softlookup.layers.multi_head import MultiHeadAttention
from softlookup.models.transformer import Transformer, TransformerConfig
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode


def test_what_is_dropped_is_not_alive():
    def chain():
        x = torch.zeros(1000)
        for _ in range(10):
            x = x + 1  # the old one dies as soon as the new one stands
        return x

    assert peak_memory(chain) == 2 * 4000


def test_what_is_kept_adds_up():
    assert peak_memory(lambda: [torch.zeros(1000) for _ in range(10)]) == 10 * 4000


def test_views_and_changes_in_place_are_free():
    x = torch.zeros(1000)
    assert peak_memory(lambda: x.view(10, 100).T.add_(1.0)) == 0
    assert peak_memory(lambda: (x + 1).mul_(2).view(10, 100)[3:5]) == 4000


def test_what_was_there_before_is_not_counted():
    x = torch.zeros(1000)
    assert peak_memory(lambda: x + x) == 4000


def test_what_is_saved_for_the_gradient_is_alive():
    x = torch.ones(1000, requires_grad=True)
    assert peak_memory(lambda: x.exp().exp().exp().detach()) == 3 * 4000
    with torch.no_grad():
        assert peak_memory(lambda: x.exp().exp().exp().detach()) == 2 * 4000


def test_the_peak_of_a_training_step_is_the_allocators():
    torch.manual_seed(0)
    weight = torch.randn(64, 64, requires_grad=True)
    x = torch.randn(512, 64)

    def compute():
        weight.grad = None
        (x @ weight).softmax(dim=-1).square().sum().backward()

    compute()
    weight.grad = None
    counted = peak_memory(compute)
    weight.grad = None
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        compute()
    alive = peak = 0
    for event in record.profiler.kineto_results.events():
        if event.name() == "[memory]":
            alive += event.nbytes()
            peak = max(peak, alive)
    assert peak > 0
    assert abs(counted - peak) <= 0.02 * peak


def test_multiplications_of_a_product_of_matrices():
    assert multiplications(lambda: torch.zeros(3, 5) @ torch.zeros(5, 7)) == 3 * 5 * 7
    batch = torch.zeros(2, 3, 5)
    assert multiplications(lambda: batch @ batch.transpose(1, 2)) == 2 * 3 * 5 * 3
    x = torch.zeros(3, 5, requires_grad=True)
    count = multiplications(lambda: (x @ torch.zeros(5, 7)).sum().backward())
    assert count == 2 * 3 * 5 * 7  # forwards, and once more for the gradient of x


BATCH, HEADS, QUERIES, KEYS, WIDTH = 2, 3, 5, 11, 7
PRODUCT = BATCH * HEADS * QUERIES * KEYS * WIDTH  # of all queries with all keys
D_MODEL = 2 * WIDTH


def heads(length, dtype=torch.float32, n_heads=HEADS, **options):
    return torch.randn(BATCH, n_heads, length, WIDTH, dtype=dtype, requires_grad=True, **options)


def forwards_and_backwards(compute):
    """The multiplications of a pass forwards, and of the pass backwards after it."""
    forwards = multiplications(compute)
    return forwards, multiplications(lambda: compute().sum().backward()) - forwards


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mask": torch.ones(QUERIES, KEYS).tril().bool()},
        {"mask": masks.padding(torch.tensor([7, KEYS]), KEYS).unsqueeze(1)},
        {"bias": True},
        {"bias": True, "mask": torch.ones(QUERIES, KEYS).tril().bool()},
    ],
    ids=["bare", "mask", "padding", "bias", "both"],
)
def test_the_fused_kernel_is_counted(options, dtype):
    query, key, value = heads(QUERIES, dtype), heads(KEYS, dtype), heads(KEYS, dtype)
    if "bias" in options:
        options = {**options, "bias": torch.randn(QUERIES, KEYS, dtype=dtype)}
    counted = forwards_and_backwards(lambda: fused_attention(query, key, value, **options))
    # Forwards scores and averages. Backwards the scores anew, and four gradients: by weights and
    # values, by query and key.
    assert counted == (2 * PRODUCT, 5 * PRODUCT)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_causal_attention_counts_the_full_square(dtype):
    tensors = [heads(KEYS, dtype) for _ in range(3)]
    square = BATCH * HEADS * KEYS * KEYS * WIDTH
    counted = forwards_and_backwards(lambda: fused_attention(*tensors, causal=True))
    assert counted == (2 * square, 5 * square)


@pytest.mark.parametrize(("length", "reached"), [(509, 509), (521, 9)])
def test_the_causal_kernel_computes_the_future_in_its_blocks(length, reached):
    # Zero times NaN is NaN: it tells which queries were multiplied with the last value.
    query, key, value = (torch.randn(1, 1, length, 3) for _ in range(3))
    value[:, :, -1] = torch.nan
    query.requires_grad_()
    output = fused_attention(query, key, value, causal=True)
    (gradient,) = torch.autograd.grad(output, query, torch.ones_like(output))
    assert output.isnan().any(dim=-1).sum() == reached
    assert gradient.isnan().any(dim=-1).sum() == reached


def test_grouped_heads_are_counted_by_the_queries():
    query, key, value = heads(QUERIES, n_heads=3 * HEADS), heads(KEYS), heads(KEYS)
    counted = forwards_and_backwards(
        lambda: F.scaled_dot_product_attention(query, key, value, enable_gqa=True)
    )
    assert counted == (2 * 3 * PRODUCT, 5 * 3 * PRODUCT)


def test_only_the_fused_kernel_computes_the_scores_anew():
    query, key, value = heads(QUERIES), heads(KEYS), heads(KEYS)

    def fallback():
        with sdpa_kernel(SDPBackend.MATH):
            return F.scaled_dot_product_attention(query, key, value)

    for unfused in (lambda: attention(query, key, value)[0], fallback):
        assert forwards_and_backwards(unfused) == (2 * PRODUCT, 4 * PRODUCT)


def test_wide_values_are_counted_whichever_backend_takes_them():
    query, key = heads(QUERIES), heads(KEYS)
    value = torch.randn(BATCH, HEADS, KEYS, 13, requires_grad=True)
    counted = multiplications(lambda: fused_attention(query, key, value))
    assert counted == BATCH * HEADS * QUERIES * KEYS * (WIDTH + 13)


def test_a_layer_of_attention_is_what_counting_by_hand_gives():
    width = HEADS * WIDTH
    layer = MultiHeadAttention(width, HEADS)
    x = torch.randn(BATCH, QUERIES, width, requires_grad=True)
    memory = torch.randn(BATCH, KEYS, width, requires_grad=True)
    # Queries and outputs are projected at each query, keys and values at each key.
    projections = 2 * BATCH * (QUERIES + KEYS) * width * width
    forwards, backwards = forwards_and_backwards(lambda: layer(x, memory))
    assert forwards == projections + 2 * PRODUCT
    assert backwards == 2 * projections + 5 * PRODUCT


def a_translator():
    sizes = TransformerConfig(
        23, 29, max_length=31, d_model=D_MODEL, n_heads=2, d_ff=17, n_layers=1
    )
    model = Transformer(sizes)
    source = torch.randint(23, (BATCH, KEYS))
    target = torch.randint(29, (BATCH, QUERIES))
    return lambda: model(source, target)


def test_a_model_is_the_sum_of_its_layers():
    projections = 4 * KEYS + 4 * QUERIES + 2 * (QUERIES + KEYS)  # encoder, decoder, across
    feed_forward = 2 * (KEYS + QUERIES) * 17
    weights = BATCH * D_MODEL * (projections * D_MODEL + feed_forward + QUERIES * 29)
    scores = BATCH * D_MODEL * (KEYS * KEYS + QUERIES * QUERIES + QUERIES * KEYS)
    forwards, backwards = forwards_and_backwards(a_translator())
    assert forwards == weights + 2 * scores
    assert backwards == 2 * weights + 5 * scores


def test_a_counter_without_the_formulas_overlooks_the_kernel(monkeypatch):
    translator = a_translator()
    whole = forwards_and_backwards(translator)
    scores = BATCH * D_MODEL * (KEYS * KEYS + QUERIES * QUERIES + QUERIES * KEYS)
    monkeypatch.setattr(costs, "_FUSED_ON_CPU", {})
    assert forwards_and_backwards(translator) == (whole[0] - 2 * scores, whole[1] - 5 * scores)


def test_counting_leaves_torchs_own_counter_as_it_was():
    query, key, value = heads(QUERIES), heads(KEYS), heads(KEYS)
    multiplications(lambda: fused_attention(query, key, value))
    with FlopCounterMode(display=False) as counter:
        fused_attention(query, key, value)
    assert counter.get_total_flops() == 0


def clocked(monkeypatch, seconds, **arguments):
    """What is measured of runs that take these seconds on a clock that only they move."""
    now, runs = [100.0], iter(seconds)

    def run():
        now[0] += next(runs)

    monkeypatch.setattr(costs.time, "process_time", lambda: now[0])
    return cpu_milliseconds(run, **arguments), runs


def test_the_least_time_counts_and_the_first_run_does_not(monkeypatch):
    taken, left = clocked(monkeypatch, [0.01, 0.9, 0.03, 0.02, 0.5, 0.04, 7.0])
    assert taken == pytest.approx(20)
    assert list(left) == [7.0]


def test_short_runs_are_repeated_until_they_add_up(monkeypatch):
    taken, left = clocked(monkeypatch, itertools.count(1e-3, 1e-3), at_least=100.0)
    assert taken == pytest.approx(2)
    # 2 + 3 + … + 14 = 104; the next would be the fifteenth.
    assert next(left) == pytest.approx(0.015)
