"""What a forward pass keeps for its backward pass is counted once, and weights are left out."""

import torch
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel.memory import kept_for_backward, most_kept_while
from torch import nn
from torch.utils.checkpoint import checkpoint

ROWS, WIDTH, INNER = 7, 5, 11


def test_a_product_keeps_its_input_and_not_its_weights():
    model = nn.Linear(WIDTH, INNER, bias=False)
    x = torch.randn(ROWS, WIDTH)
    assert kept_for_backward(model, lambda: model(x)) == 4 * ROWS * WIDTH
    double = model.double()
    assert kept_for_backward(double, lambda: double(x.double())) == 8 * ROWS * WIDTH


def test_what_two_products_read_counts_once():
    model = nn.ModuleList(nn.Linear(WIDTH, INNER, bias=False) for _ in range(2))
    x = torch.randn(ROWS, WIDTH)
    assert kept_for_backward(model, lambda: model[0](x) + model[1](x)) == 4 * ROWS * WIDTH


def test_without_a_backward_pass_nothing_is_kept():
    model = nn.Linear(WIDTH, INNER)
    with torch.no_grad():
        assert kept_for_backward(model, lambda: model(torch.randn(ROWS, WIDTH))) == 0


def test_a_backward_pass_frees_what_it_has_used():
    model = nn.Linear(WIDTH, INNER, bias=False)

    def loss():
        return model(torch.randn(ROWS, WIDTH)).sum()

    def one_by_one():
        for _ in range(3):
            loss().backward()

    def all_forwards_first():
        for each in [loss() for _ in range(3)]:
            each.backward()

    assert most_kept_while(one_by_one) == 4 * ROWS * WIDTH
    assert most_kept_while(all_forwards_first) == 3 * 4 * ROWS * WIDTH


def test_both_counts_agree_on_a_model_and_the_second_changes_no_gradient():
    model = Llama(LlamaConfig(17, 7, 6, 3, 3, 2, 13))
    tokens = torch.randint(17, (5, 7))

    def loss():
        return model(tokens).square().mean()

    def gradients():
        model.zero_grad()
        loss().backward()
        return [each.grad.clone() for each in model.parameters()]

    counted = []
    kept = most_kept_while(lambda: counted.extend(gradients()))
    assert kept == kept_for_backward(model, loss)
    assert all(map(torch.equal, counted, gradients()))


def test_the_count_changes_no_gradient():
    model = nn.Sequential(nn.Linear(WIDTH, INNER), nn.Tanh(), nn.Linear(INNER, 3))
    x, losses = torch.randn(ROWS, WIDTH), []
    kept_for_backward(model, lambda: losses.append(model(x).square().sum()) or losses[0])
    losses[0].backward()
    counted = [each.grad.clone() for each in model.parameters()]
    model.zero_grad()
    model(x).square().sum().backward()
    for one, other in zip(counted, model.parameters(), strict=True):
        assert torch.equal(one, other.grad)


def test_blocks_keep_what_the_formula_says_and_recomputed_ones_their_input():
    d_model, d_ff, heads, batch, length = 6, 13, 3, 5, 7
    tokens = torch.randint(17, (batch, length))

    def kept(layers, recompute=False):
        model = Llama(LlamaConfig(17, length, d_model, heads, heads, layers, d_ff))
        for block in model.stack.blocks if recompute else ():
            whole = block.forward
            block.forward = lambda *given, whole=whole, **named: checkpoint(
                whole, *given, use_reentrant=False, **named
            )
        return kept_for_backward(model, lambda: model(tokens)) / 4

    # Two norms, attention, the network; a number a head and a root a norm; and four tables of
    # angles, which are no row's own.
    of_token = 11 * d_model + 4 * d_ff + heads + 2
    angles = 4 * length * (d_model // heads) // 2
    assert kept(4) - kept(2) == 2 * (of_token * batch * length + angles)
    assert kept(4, recompute=True) - kept(2, recompute=True) == 2 * d_model * batch * length
