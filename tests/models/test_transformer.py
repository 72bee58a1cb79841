"""The whole Transformer: held to nn.Transformer, to the paper's sizes, and to its own cache."""

import math
from typing import get_args

import pytest
import torch
import torch_twins
from softlookup.layers import masks
from softlookup.layers.positional_encodings import PositionKind
from softlookup.models.transformer import Transformer, TransformerConfig
from torch import nn

BATCH, SOURCE, TARGET = 3, 7, 11
CONFIG = {
    "source_vocab_size": 19,
    "target_vocab_size": 23,
    "max_length": 13,
    "d_model": 10,
    "n_heads": 5,
    "d_ff": 17,
    "n_layers": 2,
}
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
LENGTHS = torch.tensor([7, 1, 4])
PADDING = masks.padding(LENGTHS, SOURCE)


def make(dtype=torch.float64, **choices):
    model = Transformer(TransformerConfig(**(CONFIG | choices))).to(dtype)
    return torch_twins.scatter_norms_and_biases(model)


def draw(seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (
        torch.randint(CONFIG["source_vocab_size"], (BATCH, SOURCE), generator=generator),
        torch.randint(CONFIG["source_vocab_size"], (BATCH, TARGET), generator=generator),
    )


@pytest.mark.filterwarnings("ignore:enable_nested_tensor:UserWarning")
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_agrees_with_torch(norm, dtype):
    ours = make(dtype, norm=norm)
    twin = nn.Transformer(
        CONFIG["d_model"],
        CONFIG["n_heads"],
        num_encoder_layers=2,
        num_decoder_layers=2,
        dim_feedforward=CONFIG["d_ff"],
        dropout=0.0,
        norm_first=norm == "pre",
        batch_first=True,
        dtype=dtype,
    )
    if norm == "post":
        # torch puts a norm after either stack even so; the paper has none there.
        twin.encoder.norm = twin.decoder.norm = None

    def stacks(of=torch_twins.values):
        return {
            **torch_twins.under("encoder", torch_twins.stack(ours.encoder, of)),
            **torch_twins.under("decoder", torch_twins.stack(ours.decoder, of)),
        }

    twin.load_state_dict(stacks())
    source, target = draw()
    positions = ours.source_positions.table
    root = math.sqrt(CONFIG["d_model"])
    tables = [
        ours.source_embedding.table.detach().clone().requires_grad_(),
        ours.target_embedding.table.detach().clone().requires_grad_(),
    ]
    hidden = twin(
        root * tables[0][source] + positions[:SOURCE],
        root * tables[1][target] + positions[:TARGET],
        tgt_mask=masks.to_torch_multihead(masks.causal(TARGET)),
        src_key_padding_mask=masks.to_torch_multihead(PADDING[:, 0]),
        memory_key_padding_mask=masks.to_torch_multihead(PADDING[:, 0]),
    )
    expected = hidden @ ours.output_projection.weight.detach().T
    output = ours(source, target, PADDING)
    close = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(output, expected, **close)

    direction = torch.linspace(-1, 1, output.numel(), dtype=dtype).view_as(output)
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    torch_twins.assert_same_gradients(stacks(torch_twins.gradients), twin, TOLERANCE[dtype])
    torch.testing.assert_close(ours.source_embedding.table.grad, tables[0].grad, **close)
    torch.testing.assert_close(ours.target_embedding.table.grad, tables[1].grad, **close)


@pytest.mark.parametrize(
    ("d_model", "n_heads", "d_ff", "millions"), [(512, 8, 2048, 65), (1024, 16, 4096, 213)]
)
def test_sizes_of_the_paper(d_model, n_heads, d_ff, millions):
    config = TransformerConfig(
        source_vocab_size=37000,
        target_vocab_size=37000,
        max_length=64,
        d_model=d_model,
        n_heads=n_heads,
        d_ff=d_ff,
        n_layers=6,
        norm="post",
        shared_vocabulary=True,
        tied_output=True,
    )
    with torch.device("meta"):
        count = sum(parameter.numel() for parameter in Transformer(config).parameters())
    # Table 3 of Vaswani et al. 2017; its vocabulary is said to be "about 37000".
    assert count / 1e6 == pytest.approx(millions, rel=0.04)


@torch.no_grad()
def test_the_future_and_the_padding_move_nothing():
    model, (source, target) = make(torch.float32), draw()
    before = model(source, target, PADDING)
    for step in range(TARGET - 1):
        changed = target.clone()
        changed[:, step + 1 :] = (changed[:, step + 1 :] + 5) % 19
        after = model(source, changed, PADDING)
        assert torch.equal(before[:, : step + 1], after[:, : step + 1])
        assert not torch.equal(before[:, step + 1 :], after[:, step + 1 :])
    other = torch.where(PADDING[:, 0], source, (source + 5) % 19)
    assert torch.equal(model(other, target, PADDING), before)
    assert not torch.allclose(model(other, target), model(source, target))


@torch.no_grad()
def test_a_padded_source_is_the_shorter_source():
    model, (source, target) = make(), draw()
    together = model(source, target, PADDING)
    for row, length in enumerate(LENGTHS.tolist()):
        alone = model(source[row : row + 1, :length], target[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", get_args(PositionKind))
@torch.no_grad()
def test_cached_equals_uncached_at_every_split(positions):
    model, (source, target) = make(positions=positions), draw()
    memory = model.encode(source, PADDING)
    expected = model(source, target, PADDING)
    for split in range(1, TARGET):
        for step in (TARGET - split, 1):
            caches = model.make_caches(BATCH, TARGET, SOURCE)
            parts = [model.decode(target[:, :split], memory, PADDING, caches)]
            for start in range(split, TARGET, step):
                parts.append(model.decode(target[:, start : start + step], memory, PADDING, caches))
            torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", get_args(PositionKind))
@torch.no_grad()
def test_both_sides_know_the_order_of_earlier_tokens(positions):
    """Whatever kind of positions tells them; without one, the causal mask is all there is."""
    model, (source, target) = make(positions=positions, n_layers=1), draw()
    told = positions != "none"
    exchanged = source[:, [1, 0, *range(2, SOURCE)]]
    last = model.encode(exchanged)[:, -1] - model.encode(source)[:, -1]
    assert (last.abs().max() > 1e-3) == told
    memory = model.encode(source)
    exchanged = target[:, [1, 0, *range(2, TARGET)]]
    last = model.decode(exchanged, memory)[:, -1] - model.decode(target, memory)[:, -1]
    assert (last.abs().max() > 1e-3) == told


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
@torch.no_grad()
def test_relative_positions_do_not_know_where_a_source_begins(positions):
    model, (source, _) = make(positions=positions), draw()
    later = torch.cat([source[:, :2], source], dim=1)
    seen = torch.ones(BATCH, 1, SOURCE + 2, dtype=torch.bool)
    seen[..., :2] = False
    expected = model.encode(source)
    torch.testing.assert_close(model.encode(later, seen)[:, 2:], expected, rtol=0, atol=1e-12)


def test_vocabularies_and_output_are_shared_when_asked():
    apart = make()
    assert apart.source_embedding is not apart.target_embedding
    assert apart.output_projection.weight is not apart.target_embedding.table
    one = make(target_vocab_size=19, shared_vocabulary=True, tied_output=True)
    assert one.source_embedding is one.target_embedding
    tables = [parameter for parameter in one.parameters() if 19 in parameter.shape]
    assert len(tables) == 1
    source, target = draw()
    logits = one(source, target)
    hidden = one.decoder(one.target_positions(one.target_embedding(target)), one.encode(source))
    torch.testing.assert_close(logits, hidden @ one.target_embedding.table.T)


def test_tokens_come_in_and_logits_go_out_with_a_spread_of_one():
    model = Transformer(
        TransformerConfig(997, 997, 13, 128, 4, 256, 2, shared_vocabulary=True, tied_output=True)
    )
    source, target = draw()
    assert model.source_embedding(source).std().item() == pytest.approx(1, rel=0.05)
    assert model(source, target).std().item() == pytest.approx(1, rel=0.1)
