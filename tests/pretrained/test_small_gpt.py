"""The GPT that comes with the library: its file, its tokens, and that it has learned its text."""

import pytest
import torch
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.data.overlap import leave_out_shared
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.pretrained import small_gpt
from softlookup.pretrained.small_gpt import SmallGPT, load_small_gpt, packed, unpacked
from softlookup.running.evaluation import bits_per_character, token_losses


@pytest.fixture(scope="module")
def tiny():
    tokens = BytePairs(edition.text()[:20_000], 300)
    config = GPTConfig(300, 16, d_model=8, n_heads=2, n_layers=1, positions="rotary", dropout=0.3)
    return SmallGPT(GPT(config), tokens)


def test_a_model_goes_there_and_back_rounded(tiny):
    back = unpacked(packed(tiny))
    for ours, theirs in zip(back.model.parameters(), tiny.model.parameters(), strict=True):
        assert torch.equal(ours, theirs.half().float())
    assert not back.model.training
    assert back.model.config.dropout == 0
    text = edition.text()[30_000:31_000]
    assert torch.equal(back.tokens.encode(text), tiny.tokens.encode(text))
    assert packed(back) == packed(tiny)


def test_the_file_is_small_and_its_tokens_were_learned_from_the_training_text():
    assert small_gpt.FILE.stat().st_size < 2_500_000
    parts = edition.split(edition.text())
    tokens = BytePairs(leave_out_shared(parts.train, parts.validation + parts.test), 1024)
    assert load_small_gpt().tokens.merged == tokens.merged


def test_it_predicts_the_book_far_better_than_an_untrained_model():
    small = load_small_gpt()
    text = edition.split(edition.text()).validation[:6_000]
    losses = token_losses(small.model, small.tokens.encode(text), window=128, stride=64)
    assert bits_per_character(losses, len(text)) < 2.2


def test_other_bytes_are_refused(tmp_path, monkeypatch):
    file = tmp_path / "other.safetensors"
    file.write_bytes(small_gpt.FILE.read_bytes()[:-1] + b"\0")
    monkeypatch.setattr(small_gpt, "FILE", file)
    with pytest.raises(ValueError, match="newly trained weights"):
        load_small_gpt()
