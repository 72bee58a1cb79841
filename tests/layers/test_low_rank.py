"""Low-rank adapters: the algebra by hand, what is trained, and what merging leaves."""

import copy

import pytest
import torch
from softlookup.layers.low_rank import (
    LowRankLinear,
    add_adapters,
    count_trained,
    merge_adapters,
)
from softlookup.models.gpt import GPT, GPTConfig
from torch import nn

NAMES = {"query_projection", "inner_projection"}


def drawn(seed=0):
    return torch.Generator().manual_seed(seed)


def adapter(rank=3, alpha=6.0, bias=True, trained=True):
    """An adapter on a layer of 7 to 11, in double precision; a trained one has a change."""
    torch.manual_seed(0)
    made = LowRankLinear(nn.Linear(7, 11, bias=bias).double(), rank, alpha, drawn())
    if trained:
        nn.init.normal_(made.up, generator=drawn(1))
    return made


def gpt():
    torch.manual_seed(0)
    return GPT(GPTConfig(23, 13, 10, 5, 2, positions="rotary")).double()


def adapted_gpt():
    model = add_adapters(gpt(), NAMES, 2, 4.0, drawn())
    for name, each in model.named_parameters():
        if name.endswith("up"):
            nn.init.normal_(each, std=0.3, generator=drawn(2))
    return model


@pytest.mark.parametrize("bias", [True, False])
def test_adds_alpha_over_rank_times_b_a_x(bias):
    made = adapter(rank=3, alpha=6.0, bias=bias)
    x = torch.randn(2, 5, 7, dtype=torch.float64, generator=drawn(3))
    for text in range(2):
        for place in range(5):
            token = x[text, place]
            expected = made.frozen.weight @ token + 2.0 * made.up @ (made.down @ token)
            if bias:
                expected = expected + made.frozen.bias
            torch.testing.assert_close(made(x)[text, place], expected, rtol=0, atol=1e-12)


def test_begins_as_the_frozen_layer_and_can_leave_it():
    made = adapter(trained=False)
    x = torch.randn(5, 7, dtype=torch.float64)
    assert torch.equal(made(x), made.frozen(x))
    made(x).square().sum().backward()
    assert made.up.grad.abs().max() > 0
    assert made.frozen.weight.grad is None
    assert made.frozen.bias.grad is None


def test_the_random_half_keeps_the_size_of_what_it_reads():
    wide = LowRankLinear(nn.Linear(4001, 499), 499, 1.0, drawn())
    x = torch.randn(29, 4001, generator=drawn(1))
    assert (x @ wide.down.mT).std().item() == pytest.approx(1.0, abs=0.05)


def test_the_change_has_the_rank_it_was_given():
    assert torch.linalg.matrix_rank(adapter(rank=3).change()) == 3
    assert torch.linalg.matrix_rank(adapter(rank=1).change()) == 1


@pytest.mark.parametrize("bias", [True, False])
def test_merged_gives_the_same_and_unmerged_gives_the_frozen_layer(bias):
    made = adapter(bias=bias)
    x = torch.randn(5, 7, dtype=torch.float64)
    merged = made.merged()
    assert type(merged) is nn.Linear
    torch.testing.assert_close(merged(x), made(x), rtol=0, atol=1e-12)
    assert (merged(x) - made.frozen(x)).abs().max() > 0.1
    torch.testing.assert_close(made.unmerged(merged)(x), made.frozen(x), rtol=0, atol=1e-12)


def test_merging_copies_and_changes_nothing():
    made = adapter()
    before = copy.deepcopy(made.state_dict())
    merged = made.merged()
    with torch.no_grad():
        merged.weight.zero_()
        merged.bias.zero_()
    for name, each in made.state_dict().items():
        assert torch.equal(each, before[name])


def test_only_the_named_layers_are_adapted_and_only_they_learn():
    model = add_adapters(gpt(), NAMES, 2, 4.0, drawn())
    adapted = {name for name, each in model.named_modules() if isinstance(each, LowRankLinear)}
    assert adapted == {
        f"stack.blocks.{block}.{place}"
        for block in range(2)
        for place in ("self_attention.query_projection", "feed_forward.inner_projection")
    }
    learns = {name for name, each in model.named_parameters() if each.requires_grad}
    assert learns == {f"{name}.{half}" for name in adapted for half in ("up", "down")}


def test_counts_what_is_trained_by_hand():
    assert count_trained(gpt()) == sum(each.numel() for each in gpt().parameters())
    # In each of two blocks: 2 (10 + 10) for the query, 2 (10 + 40) for the inner layer.
    assert count_trained(add_adapters(gpt(), NAMES, 2, 4.0, drawn())) == 2 * (40 + 100)


def test_a_whole_model_begins_as_it_was_and_says_the_same_when_merged():
    tokens = torch.randint(23, (3, 13), generator=drawn(4))
    plain = gpt()
    assert torch.equal(add_adapters(gpt(), NAMES, 2, 4.0, drawn())(tokens), plain(tokens))
    model = adapted_gpt()
    said = model(tokens)
    assert (said - plain(tokens)).abs().max() > 1e-3
    merged = merge_adapters(model)
    assert merged is model
    assert not any(isinstance(each, LowRankLinear) for each in model.modules())
    assert [name for name, _ in merged.named_parameters()] == [
        name for name, _ in plain.named_parameters()
    ]
    torch.testing.assert_close(merged(tokens), said, rtol=0, atol=1e-12)


def test_in_single_precision_merged_equals_adapter_to_a_millionth():
    model = adapted_gpt().float()
    tokens = torch.randint(23, (3, 13), generator=drawn(4))
    said = model(tokens)
    torch.testing.assert_close(merge_adapters(model)(tokens), said, rtol=0, atol=1e-6)


def test_an_adapter_is_drawn_from_the_generator_alone():
    layer = nn.Linear(7, 11)
    one, same, other = (LowRankLinear(layer, 3, 1.0, drawn(seed)).down for seed in (5, 5, 6))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("rank", [0, 8])
def test_refuses_a_rank_that_does_not_fit(rank):
    with pytest.raises(ValueError, match=f"rank is {rank}; expected 1 to 7"):
        LowRankLinear(nn.Linear(7, 11), rank, 1.0, drawn())


def test_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="alpha is 0"):
        LowRankLinear(nn.Linear(7, 11), 1, 0, drawn())
    with pytest.raises(ValueError, match=r"\(5, 7\); expected \(11, 7\)"):
        adapter().unmerged(nn.Linear(7, 5))
    with pytest.raises(ValueError, match="no adapters"):
        merge_adapters(gpt())
    with pytest.raises(ValueError, match=r"\['query', 'query_projection'\]"):
        add_adapters(gpt(), {"query_projection", "query"}, 2, 4.0, drawn())
    with pytest.raises(ValueError, match="expected names that occur"):
        add_adapters(gpt(), set(), 2, 4.0, drawn())
