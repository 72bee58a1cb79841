"""What is exchanged inside a model is exchanged there and nowhere else."""

import pytest
import torch
from softlookup.inside.attention_maps import attention_maps
from softlookup.inside.interventions import (
    ablated,
    head_outputs,
    replaced,
    reweighted,
    without_the_largest,
)
from softlookup.layers.multi_head import merge_heads, split_heads
from softlookup.layers.visibility import CAUSAL
from softlookup.models.attention_only import AttentionOnly
from softlookup.models.gpt import GPT, GPTConfig

FIRST, SECOND = "stack.blocks.0.self_attention", "stack.blocks.1.self_attention"


@pytest.fixture
def model(generator):
    torch.manual_seed(5)
    gpt = GPT(GPTConfig(23, 13, 35, 5, 2)).double()
    for parameter in gpt.parameters():
        parameter.data = 0.3 * torch.randn(parameter.shape, generator=generator).double()
    return gpt.eval()


@pytest.fixture
def tokens(generator):
    return torch.randint(23, (3, 11), generator=generator)


def test_head_outputs_are_what_the_weights_mix(model, tokens):
    found, maps = head_outputs(model, tokens), attention_maps(model, tokens)
    assert found.keys() == maps.keys() == {FIRST, SECOND}
    block = model.stack.blocks[0]
    x = block.norm_1(model.positions(model.embedding(tokens)))
    value = split_heads(block.self_attention.value_projection(x), 5)
    torch.testing.assert_close(found[FIRST], (maps[FIRST] @ value).detach())


def test_an_ablated_head_is_one_whose_columns_of_the_output_matrix_are_zero(model, tokens):
    whole = model(tokens)
    with ablated(model, [(SECOND, 3)]):
        silent = model(tokens)
    assert torch.equal(model(tokens), whole)  # nothing is left behind
    matrix = model.stack.blocks[1].self_attention.output_projection.weight.data
    matrix[:, 21:28] = 0.0
    torch.testing.assert_close(silent, model(tokens))
    assert (silent - whole).abs().max() > 0.01


def test_a_head_that_gives_what_it_gave_changes_nothing(model, tokens):
    found = head_outputs(model, tokens)
    with replaced(model, {(FIRST, 2): found[FIRST][:, 2], (SECOND, 0): found[SECOND][:, 0]}):
        torch.testing.assert_close(model(tokens), model(tokens))
        inside = model(tokens)
    torch.testing.assert_close(inside, model(tokens))


def test_patching_all_heads_from_another_run_gives_that_runs_attention_output(model, tokens):
    other = tokens.flip(1)
    found = head_outputs(model, other)[FIRST]
    heard = []
    attend = model.stack.blocks[0].self_attention
    handle = attend.register_forward_hook(lambda _, __, output: heard.append(output))
    with replaced(model, {(FIRST, head): found[:, head] for head in range(5)}):
        model(tokens)
    handle.remove()
    torch.testing.assert_close(heard[0], attend.output_projection(merge_heads(found)))


def test_the_given_values_stay_as_they_are(model, tokens):
    found = head_outputs(model, tokens)
    kept = {name: outputs.clone() for name, outputs in found.items()}
    with ablated(model, [(FIRST, 1)]):
        head_outputs(model, tokens)
    assert all(torch.equal(found[name], kept[name]) for name in found)


def test_what_another_hook_holds_of_the_run_stays_as_it_is(model, tokens):
    held = []

    def hold(_, given):
        held.extend((given[0], given[0].clone()))

    handle = model.get_submodule(FIRST).output_projection.register_forward_pre_hook(hold)
    with ablated(model, [(FIRST, 1)]):
        model(tokens)
    handle.remove()
    assert torch.equal(*held)


@pytest.mark.parametrize("head", [(FIRST, 5), (FIRST, -1), ("stack", 0)])
def test_a_head_that_is_not_there_is_refused(model, head):
    with pytest.raises(ValueError, match="there is no head"), ablated(model, [head]):
        pass


def test_hooks_go_even_when_the_block_breaks_off(model, tokens):
    whole = model(tokens)
    with pytest.raises(RuntimeError), ablated(model, [(FIRST, 0)]):
        raise RuntimeError
    with pytest.raises(RuntimeError), reweighted(model, [FIRST], torch.zeros_like):
        raise RuntimeError
    assert torch.equal(model(tokens), whole)


def test_weights_that_are_not_changed_change_nothing(model, tokens):
    with reweighted(model, [FIRST, SECOND], lambda weights: weights):
        torch.testing.assert_close(model(tokens), GPT.forward(model, tokens))
        inside = model(tokens)
    torch.testing.assert_close(inside, model(tokens))


def test_without_weights_only_the_output_bias_is_left(model, tokens):
    heard = []
    attend = model.stack.blocks[1].self_attention
    with reweighted(model, [SECOND], torch.zeros_like):
        handle = attend.register_forward_hook(lambda _, __, output: heard.append(output))
        model(tokens)
    handle.remove()
    expected = attend.output_projection.bias.expand(3, 11, 35)
    torch.testing.assert_close(heard[0], expected)
    with pytest.raises(ValueError, match="names has"), reweighted(model, ["no"], torch.abs):
        pass


def test_without_the_largest_weight_the_others_share_its_part():
    weights = torch.tensor([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.1, 0.1, 0.8]])
    expected = torch.tensor([[0.0, 0.6, 0.4], [0.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    torch.testing.assert_close(without_the_largest(weights), expected)


def test_a_layer_of_attention_alone_by_hand(generator, tokens):
    torch.manual_seed(5)
    model = AttentionOnly(23, 13, 35, 5, 2).double()
    x = model.positions(model.embedding(tokens))
    for norm, attend in zip(model.norms, model.layers, strict=True):
        x = x + attend(norm(x), visible=CAUSAL)
    torch.testing.assert_close(model(tokens), model.scores(model.final_norm(x)))
    later = tokens.clone()
    later[:, 7:] = (later[:, 7:] + 1) % 23
    assert torch.equal(model(later)[:, :7], model(tokens)[:, :7])
    assert not torch.equal(model(later)[:, 7:], model(tokens)[:, 7:])
    with pytest.raises(ValueError, match="n_layers is 0"):
        AttentionOnly(23, 13, 35, 5, 0)
