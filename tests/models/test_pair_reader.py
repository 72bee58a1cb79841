"""The reader of pairs: a dictionary has no order, and a pair is the sum of its two symbols."""

import torch
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.stacks import Stack
from softlookup.models.pair_reader import PairReader


def test_reordered_pairs_get_the_same_answers():
    torch.manual_seed(15)
    model = PairReader(7, 12, Stack(2, BlockConfig(12, 3, 24)))
    keys, values = torch.randint(7, (2, 5, 6), generator=torch.Generator().manual_seed(1))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    logits = model(keys, values)
    assert logits.shape == (5, 6, 7)
    assert torch.allclose(model(keys[:, order], values[:, order]), logits[:, order], atol=1e-5)
    assert (model(values, keys) - logits).abs().max() > 1e-3


def test_a_pair_is_the_sum_of_its_embeddings():
    model = PairReader(3, 4, Stack(1, BlockConfig(4, 2, 8)))
    pairs = model.embed(torch.tensor([[0, 2]]), torch.tensor([[1, 1]]))
    expected = model.key_embedding.weight[[0, 2]] + model.value_embedding.weight[[1, 1]]
    assert torch.equal(pairs[0], expected)


def test_a_pair_hears_of_the_others():
    torch.manual_seed(15)
    model = PairReader(7, 12, Stack(1, BlockConfig(12, 3, 24)))
    keys, values = torch.tensor([[0, 1, 2]]), torch.tensor([[1, 2, 0]])
    others = model(keys, torch.tensor([[1, 5, 0]]))
    assert (model(keys, values) - others)[0, 0].abs().max() > 1e-4
