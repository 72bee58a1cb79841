import pytest
import torch
import torch.nn.functional as F
from softlookup.data import numerals
from softlookup.data.vocabulary import END, PADDING, START, exact_match
from softlookup.models.seq2seq import AttentionSeq2Seq, FixedVectorSeq2Seq, Seq2SeqConfig, alignment
from softlookup.running.generation import greedy
from softlookup.running.training import train, warmup_cosine

CONFIG = Seq2SeqConfig(source_vocab_size=17, target_vocab_size=19, d_model=26)
BATCH, SOURCE_LENGTH, TARGET_LENGTH = 3, 11, 7
BOTH = pytest.mark.parametrize("make", [FixedVectorSeq2Seq, AttentionSeq2Seq])


@pytest.fixture
def batch():
    """Source, its lengths (the longest fills its row), and target."""
    torch.manual_seed(1)
    return (
        torch.randint(17, (BATCH, SOURCE_LENGTH)),
        torch.tensor([5, 11, 2]),
        torch.randint(19, (BATCH, TARGET_LENGTH)),
    )


def test_both_have_the_same_number_of_parameters():
    fixed, attending = (
        sum(parameter.numel() for parameter in make(CONFIG).parameters())
        for make in (FixedVectorSeq2Seq, AttentionSeq2Seq)
    )
    assert fixed == attending


@BOTH
def test_padding_changes_nothing(make, batch):
    model = make(CONFIG).double()
    source, lengths, target = batch
    logits = model(source, lengths, target)
    other_padding = source.clone()
    other_padding[torch.arange(SOURCE_LENGTH) >= lengths[:, None]] = 13
    assert not torch.equal(other_padding, source)
    assert torch.equal(model(other_padding, lengths, target), logits)
    more_padding = F.pad(source, (0, 5), value=3)
    torch.testing.assert_close(model(more_padding, lengths, target), logits, atol=1e-12, rtol=0)
    for row in range(BATCH):
        alone = model(source[[row], : lengths[row]], lengths[[row]], target[[row]])
        torch.testing.assert_close(alone[0], logits[row], atol=1e-12, rtol=0)


@BOTH
def test_every_source_token_matters_and_none_of_another_row(make, batch):
    model = make(CONFIG).double()
    source, lengths, target = batch
    logits = model(source, lengths, target)
    for row in range(BATCH):
        for place in range(int(lengths[row])):
            changed = source.clone()
            changed[row, place] = (changed[row, place] + 1) % 17
            difference = (model(changed, lengths, target) - logits).abs().amax(dim=(1, 2))
            assert difference[row] > 1e-9
            others = [other for other in range(BATCH) if other != row]
            assert difference[others].max() < 1e-12


@BOTH
def test_no_logit_depends_on_the_target_tokens_to_come(make, batch):
    model = make(CONFIG)
    source, lengths, target = batch
    logits = model(source, lengths, target)
    changed = target.clone()
    changed[:, 4] = (changed[:, 4] + 1) % 19
    after = model(source, lengths, changed)
    assert torch.equal(after[:, :4], logits[:, :4])
    assert (after[:, 4:] - logits[:, 4:]).abs().amax(dim=2).min() > 1e-6


@BOTH
def test_decoding_step_by_step_is_decoding_at_once(make, batch):
    model = make(CONFIG).double()
    source, lengths, target = batch
    read = model.encode(source, lengths)
    state, steps = None, []
    for token in target.split(1, dim=1):
        logits, state = model.decode(read, token, state)
        steps.append(logits)
    expected = model(source, lengths, target)
    torch.testing.assert_close(torch.cat(steps, dim=1), expected, atol=1e-12, rtol=0)


def test_attention_looks_at_the_states_and_the_fixed_vector_does_not(batch):
    source, lengths, target = batch
    for make, expected in ((FixedVectorSeq2Seq, True), (AttentionSeq2Seq, False)):
        model = make(CONFIG)
        read = model.encode(source, lengths)
        blank = type(read)(torch.zeros_like(read.states), read.mask, read.summary)
        with_states, _ = model.decode(read, target)
        without, _ = model.decode(blank, target)
        assert torch.equal(with_states, without) == expected


def test_the_summary_is_the_last_state_of_each_direction(batch):
    source, lengths, _ = batch
    read = FixedVectorSeq2Seq(CONFIG).encode(source, lengths)
    half = CONFIG.d_model // 2
    for row, length in enumerate(lengths.tolist()):
        assert torch.equal(read.summary[row, :half], read.states[row, length - 1, :half])
        assert torch.equal(read.summary[row, half:], read.states[row, 0, half:])


def test_alignment_is_the_softmax_of_projected_states_with_encoder_states(batch):
    source, lengths, target = batch
    model = AttentionSeq2Seq(CONFIG).double()
    weights = alignment(model, source, lengths, target)
    assert not weights.requires_grad
    read = model.encode(source, lengths)
    states, _ = model.decoder(model.target_embedding(target), read.summary[None])
    for row, length in enumerate(lengths.tolist()):
        scores = model.query_projection(states[row]) @ read.states[row, :length].T
        expected = torch.softmax(scores / CONFIG.d_model**0.5, dim=-1)
        torch.testing.assert_close(weights[row, :, :length], expected, atol=1e-12, rtol=0)
        assert weights[row, :, length:].abs().sum() == 0
    torch.testing.assert_close(
        weights.sum(dim=-1), torch.ones(BATCH, TARGET_LENGTH, dtype=torch.float64)
    )


def test_alignment_rows_are_those_with_which_the_logits_were_made(batch):
    source, lengths, target = batch
    model = AttentionSeq2Seq(CONFIG).double()
    weights = alignment(model, source, lengths, target)
    read = model.encode(source, lengths)
    states, _ = model.decoder(model.target_embedding(target), read.summary[None])
    logits = model.output_projection(torch.cat([states, weights @ read.states], dim=-1))
    torch.testing.assert_close(model(source, lengths, target), logits, atol=1e-12, rtol=0)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 19, 26), "source_vocab_size is 0; expected at least 1"),
        ((17, 0, 26), "target_vocab_size is 0"),
        ((17, 19, 7), "d_model is 7; expected a positive even number"),
        ((17, 19, 0), "d_model is 0"),
    ],
)
def test_config_refuses_sizes_that_cannot_be(sizes, message):
    with pytest.raises(ValueError, match=message):
        Seq2SeqConfig(*sizes)


@BOTH
def test_refuses_tokens_outside_the_vocabulary(make, batch):
    source, lengths, target = batch
    model = make(CONFIG)
    for wrong in (17, -1):
        changed = source.clone()
        changed[1, 3] = wrong
        with pytest.raises(ValueError, match=f"source has token ids .*{wrong}.* expected 0 to 16"):
            model(changed, lengths, target)
    changed = target.clone()
    changed[2, 4] = 19
    with pytest.raises(ValueError, match="target_in has token ids from 1 to 19; expected 0 to 18"):
        model(source, lengths, changed)


@BOTH
def test_refuses_an_empty_batch(make, batch):
    source, lengths, target = batch
    model = make(CONFIG)
    with pytest.raises(ValueError, match=r"source has shape \(0, 11\), so no tokens"):
        model(source[:0], lengths[:0], target[:0])
    with pytest.raises(ValueError, match=r"target_in has shape \(3, 0\), so no tokens"):
        model(source, lengths, target[:, :0])


@BOTH
def test_refuses_lengths_and_targets_that_do_not_fit(make, batch):
    source, lengths, target = batch
    model = make(CONFIG)
    with pytest.raises(ValueError, match="source_lengths run from 0 to 11; expected 1 to 11"):
        model(source, torch.tensor([5, 11, 0]), target)
    with pytest.raises(ValueError, match="source_lengths run from 2 to 12; expected 1 to 11"):
        model(source, torch.tensor([5, 12, 2]), target)
    with pytest.raises(ValueError, match=r"source_lengths has shape \(2,\); expected .* 3 rows"):
        model(source, lengths[:2], target)
    with pytest.raises(ValueError, match="target_in has 2 rows and the source 3"):
        model(source, lengths, target[:2])


def translate(model, batch):
    source = model.encode(batch.source, batch.source_lengths)
    start = torch.full((len(batch.numbers), 1), START)
    return greedy(lambda tokens: model.decode(source, tokens)[0][:, -1], start, 13, END, PADDING)


def test_attention_learns_numerals_in_steps_that_do_not_suffice_without_it(generator):
    def cross_entropy(model, batch):
        logits = model(batch.source, batch.source_lengths, batch.target_in)
        return F.cross_entropy(
            logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PADDING
        )

    split = numerals.split(2000, 300, generator)
    test = numerals.encode(split.test)
    exact = {}
    for make in (FixedVectorSeq2Seq, AttentionSeq2Seq):
        torch.manual_seed(0)
        model = make(Seq2SeqConfig(len(numerals.ENGLISH), len(numerals.GERMAN), 32))
        train(
            model,
            cross_entropy,
            numerals.batches(split.train, 64, generator),
            steps=300,
            learning_rate=5e-3,
            schedule=warmup_cosine(50),
            betas=(0.9, 0.98),
        )
        exact[make] = exact_match(translate(model, test), test.target_out)
    assert exact[AttentionSeq2Seq] > 0.8
    assert exact[FixedVectorSeq2Seq] < 0.2
    weights = alignment(model, test.source, test.source_lengths, test.target_in)
    assert numerals.alignment_accuracy(weights, test.numbers) > 0.95
    assert numerals.alignment_accuracy(weights, test.numbers, "crossing") > 0.98
