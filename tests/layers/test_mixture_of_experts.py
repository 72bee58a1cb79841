"""A mixture of experts: Mixtral's, number for number, with tokens that do not meet."""

import pytest
import torch
from properties import given, settings, st
from softlookup.course.costs import multiplications
from softlookup.layers.block_parts import experts
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.mixture_of_experts import (
    MixtureOfExperts,
    Router,
    Routing,
    importance_loss,
    load_balancing_loss,
    watch_routing,
)
from softlookup.layers.stacks import Stack
from transformers import MixtralConfig
from transformers.models.mixtral.modeling_mixtral import (
    MixtralSparseMoeBlock,
    load_balancing_loss_func,
)

BATCH, LENGTH, D_MODEL, D_FF, EXPERTS, CHOSEN = 3, 11, 7, 13, 5, 2
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def make(chosen=CHOSEN, dtype=torch.float64):
    torch.manual_seed(0)
    module = MixtureOfExperts(D_MODEL, D_FF, EXPERTS, chosen).to(dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(2)  # so that shares are uneven and silu bends
    return module


def draw(dtype=torch.float64, seed=1, length=LENGTH):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=dtype)


def values(tensor):
    return tensor.detach().clone()


def mixtral(ours, of=values):
    """Our weights, or their gradients, under the names of Hugging Face's block."""
    both = ("gate_projection", "inner_projection")
    return {
        "gate.weight": of(ours.router.score_projection.weight),
        "experts.gate_up_proj": torch.stack(
            [torch.cat([of(getattr(e, name).weight) for name in both]) for e in ours.experts]
        ),
        "experts.down_proj": torch.stack([of(e.output_projection.weight) for e in ours.experts]),
    }


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("chosen", [1, 2, 3, 5])
def test_agrees_with_mixtral(chosen, dtype, monkeypatch):
    if dtype == torch.float64:  # they take probabilities in float32, whatever the model's type
        monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    ours, inputs = make(chosen, dtype), [draw(dtype).requires_grad_() for _ in range(2)]
    config = MixtralConfig(
        hidden_size=D_MODEL,
        intermediate_size=D_FF,
        num_local_experts=EXPERTS,
        num_experts_per_tok=chosen,
    )
    twin = MixtralSparseMoeBlock(config).to(dtype)
    twin.load_state_dict(mixtral(ours))
    output, expected = ours(inputs[0]), twin(inputs[1])
    assert output.std() > 0.3
    close = {"rtol": 0, "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(output, expected, **close)
    direction = draw(dtype, seed=2)
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    torch.testing.assert_close(inputs[0].grad, inputs[1].grad, rtol=0, atol=10 * TOLERANCE[dtype])
    gradients = mixtral(ours, lambda parameter: parameter.grad)
    for name, parameter in twin.named_parameters():
        torch.testing.assert_close(
            gradients[name], parameter.grad, rtol=TOLERANCE[dtype], atol=10 * TOLERANCE[dtype]
        )


@pytest.mark.parametrize("chosen", [1, 2, 3])
def test_the_balancing_loss_is_hugging_faces_shared_by_the_choices(chosen):
    x = draw(torch.float32)
    router = make(chosen, torch.float32).router
    routing = router(x)
    logits = router.score_projection(x).flatten(0, 1)
    expected = load_balancing_loss_func((logits,), EXPERTS, chosen)
    torch.testing.assert_close(chosen * load_balancing_loss(routing), expected)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**16), row=st.integers(0, BATCH - 1), token=st.integers(0, LENGTH - 1))
def test_a_tokens_output_does_not_depend_on_the_others(seed, row, token):
    module, x = make(), draw(seed=seed)
    alone = module(x[row : row + 1, token : token + 1])[0, 0]
    torch.testing.assert_close(module(x)[row, token], alone, rtol=0, atol=1e-12)
    # Even where all the others want what this one wants.
    crowded = x[row, token].expand(BATCH, 101, D_MODEL)
    torch.testing.assert_close(module(crowded)[1, 50], alone, rtol=0, atol=1e-12)


def test_a_token_passes_through_its_chosen_experts_alone_by_their_weights():
    module, x = make(), draw()
    routing = module.router(x)
    scores = x @ module.router.score_projection.weight.T
    for row in range(BATCH):
        for token in range(LENGTH):
            best = sorted(range(EXPERTS), key=lambda e: -scores[row, token, e])[:CHOSEN]
            assert routing.chosen[row, token].tolist() == best
            powers = [scores[row, token, expert].exp() for expert in best]
            expected = sum(
                power / sum(powers) * module.experts[expert](x[row, token])
                for expert, power in zip(best, powers, strict=True)
            )
            torch.testing.assert_close(module(x)[row, token], expected, rtol=0, atol=1e-12)


def test_what_the_router_tells():
    routing = make().router(draw())
    one = torch.ones(BATCH, LENGTH, dtype=torch.float64)
    torch.testing.assert_close(routing.probabilities.sum(-1), one)
    torch.testing.assert_close(routing.weights.sum(-1), one)
    assert (routing.weights[..., 0] > routing.weights[..., 1]).all()
    assert not routing.loads().requires_grad
    counts = [(routing.chosen == expert).sum().item() for expert in range(EXPERTS)]
    shares = [count / (BATCH * LENGTH * CHOSEN) for count in counts]
    assert routing.loads().tolist() == pytest.approx(shares)


def test_the_router_learns_what_experts_give_only_where_it_weighs_several():
    for chosen in (1, 2):
        module = make(chosen)
        module(draw()).square().sum().backward()
        gradient = module.router.score_projection.weight.grad
        assert (gradient.abs().max() < 1e-12) == (chosen == 1)


def even(tokens=10):
    chosen = torch.arange(2 * tokens).view(tokens, 2) % EXPERTS
    return Routing(torch.full((tokens, EXPERTS), 0.2), chosen, torch.full((tokens, 2), 0.5))


def collapsed(tokens=10):
    probabilities = torch.zeros(tokens, EXPERTS)
    probabilities[:, 3], probabilities[:, 1] = 0.75, 0.25
    chosen = torch.tensor([3, 1]).expand(tokens, 2)
    return Routing(probabilities, chosen, probabilities[:, [3, 1]])


def test_losses_by_hand():
    assert load_balancing_loss(even()).item() == pytest.approx(1.0)
    assert importance_loss(even()).item() == pytest.approx(0.0, abs=1e-6)
    # 5 (½ ¾ + ½ ¼), and the variance of 7.5, 2.5 and three zeros over the square of their mean.
    assert load_balancing_loss(collapsed()).item() == pytest.approx(2.5)
    assert importance_loss(collapsed()).item() == pytest.approx((62.5 / 5 - 4) / 4)


@pytest.mark.parametrize("loss", [load_balancing_loss, importance_loss])
def test_following_a_loss_down_evens_the_shares_out(loss):
    torch.manual_seed(0)
    router, x = Router(D_MODEL, EXPERTS, CHOSEN), draw(torch.float32, length=101)
    x = x + 1  # a direction that all tokens share, so that they all want the same
    optimizer = torch.optim.Adam(router.parameters(), lr=0.01)
    before = router(x).loads().max()
    for _ in range(100):
        optimizer.zero_grad()
        loss(router(x)).backward()
        optimizer.step()
    assert router(x).loads().max() < 0.7 * before


@pytest.mark.parametrize("n_experts", [2, 5, 11])
def test_more_experts_cost_the_router_alone(n_experts):
    torch.manual_seed(0)
    module = MixtureOfExperts(D_MODEL, D_FF, n_experts, CHOSEN)
    counted = multiplications(lambda: module(draw(torch.float32)))
    assert counted == BATCH * LENGTH * (n_experts * D_MODEL + CHOSEN * 3 * D_MODEL * D_FF)


def test_sixteen_bits_do_not_reach_the_probabilities():
    torch.manual_seed(0)
    routing = Router(D_MODEL, EXPERTS, CHOSEN).bfloat16()(draw(torch.bfloat16))
    assert routing.probabilities.dtype == torch.float32
    module = MixtureOfExperts(D_MODEL, D_FF, EXPERTS, CHOSEN).bfloat16()
    assert module(draw(torch.bfloat16)).dtype == torch.bfloat16


def test_routing_is_collected_from_every_layer_while_it_is_watched():
    torch.manual_seed(0)
    config = BlockConfig(D_MODEL, 1, D_FF, make_network=experts(EXPERTS, CHOSEN))
    stack, x = Stack(3, config), draw(torch.float32)
    routers = [block.feed_forward.router for block in stack.blocks]
    with watch_routing(stack) as routings:
        stack(x)
        assert len(routings) == 3
        stack(x)
    assert [routing.chosen.shape for routing in routings] == [(BATCH, LENGTH, CHOSEN)] * 6
    assert [r.probabilities.size(-1) for r in routings] == [EXPERTS] * 6
    sum(load_balancing_loss(routing) for routing in routings[:3]).backward()
    assert all(router.score_projection.weight.grad.abs().max() > 0 for router in routers)
    stack(x)
    assert len(routings) == 6
    assert routers[0].score_projection.out_features == EXPERTS
    assert stack.blocks[0].feed_forward.experts[0].gate_projection.out_features == D_FF


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Router(7, 5, 6), "n_experts is 5 and n_chosen is 6; .* no more chosen than"),
        (lambda: Router(7, 5, 0), "n_chosen is 0; expected at least 1"),
        (lambda: MixtureOfExperts(7, 0, 5, 2), "d_ff is 0; expected at least 1"),
        (lambda: make()(draw()[..., :3]), "tokens have width 3; expected 7"),
        (lambda: watch_routing(Stack(1, BlockConfig(7, 1, 7))).__enter__(), "has no Router"),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
