import itertools

import pytest
import torch
from scipy import stats
from softlookup.running.generation import beam_search, greedy, sample, top_k, top_p

VOCAB, PADDING, END = 5, 0, 2


def bigram(seed=0, vocab_size=VOCAB, sharpness=2.0):
    """A tiny language: the next token depends on the last one and on how many there are."""
    generator = torch.Generator().manual_seed(seed)
    table = sharpness * torch.randn(11, vocab_size, vocab_size, generator=generator).double()

    def next_logits(tokens):
        return table[tokens.size(1), tokens[:, -1]]

    return next_logits


def log_probability(next_logits, prompt, new):
    """Of the new tokens after the prompt, up to and with the first end."""
    tokens, total = [*prompt], 0.0
    for token in new:
        total += next_logits(torch.tensor([tokens])).log_softmax(dim=-1)[0, token].item()
        tokens.append(token)
        if token == END:
            break
    return total


def complete_sequences(length):
    """All ways to fill ``length`` places: finished ones are padded, others fill all places."""
    for sequence in itertools.product(range(VOCAB), repeat=length):
        if END in sequence:
            after = sequence[sequence.index(END) + 1 :]
            if any(token != PADDING for token in after):
                continue
        yield sequence


PROMPT = torch.tensor([[1, 3], [4, 1], [3, 3]])


def test_greedy_takes_the_most_likely_token_each_time():
    next_logits = bigram()
    new = greedy(next_logits, PROMPT, 7)
    assert new.shape == (3, 7)
    tokens = torch.cat([PROMPT, new], dim=1)
    for place in range(2, 9):
        expected = next_logits(tokens[:, :place]).argmax(dim=-1)
        assert torch.equal(tokens[:, place], expected)


@pytest.mark.parametrize("seed", range(7))
def test_one_beam_is_greedy(seed):
    next_logits = bigram(seed)
    for end in (None, END):
        found = beam_search(next_logits, PROMPT, 7, n_beams=1, end=end, padding=PADDING)
        assert torch.equal(found.tokens[:, 0], greedy(next_logits, PROMPT, 7, end, PADDING))


@pytest.mark.parametrize("seed", range(5))
def test_beams_wide_enough_find_the_best_sequences(seed):
    next_logits = bigram(seed, sharpness=1.0)
    length, n_beams = 4, VOCAB**3
    found = beam_search(next_logits, PROMPT, length, n_beams, END, PADDING)
    for row, prompt in enumerate(PROMPT.tolist()):
        scored = sorted(
            (
                (log_probability(next_logits, prompt, new), new)
                for new in complete_sequences(length)
            ),
            reverse=True,
        )
        for rank in range(23):
            score, new = scored[rank]
            assert tuple(found.tokens[row, rank].tolist()) == new
            assert found.log_probabilities[row, rank].item() == pytest.approx(score, rel=1e-5)


def test_a_narrow_beam_is_better_than_greedy_where_greedy_is_led_astray():
    # After the start, 1 is a little likelier than 3; but 1 leads into a wide choice, 3 does not.
    table = torch.full((VOCAB, VOCAB), -9.0)
    table[4, 1], table[4, 3] = 0.1, 0.0
    table[1] = 0.0
    table[3, END] = 9.0

    def next_logits(tokens):
        return table[tokens[:, -1]]

    start = torch.tensor([[4]])
    assert greedy(next_logits, start, 2, END)[0, 0] == 1
    assert beam_search(next_logits, start, 2, 2, END).tokens[0, 0].tolist() == [3, END]


def test_length_penalty_is_that_of_wu_et_al():
    next_logits = bigram(3, sharpness=1.0)
    length, n_beams, alpha = 4, VOCAB**3, 1.7

    def penalised(prompt, new):
        said = new.index(END) + 1 if END in new else length
        return log_probability(next_logits, prompt, new) / ((5 + said) / 6) ** alpha

    found = beam_search(next_logits, PROMPT, length, n_beams, END, PADDING, alpha)
    plain = beam_search(next_logits, PROMPT, length, n_beams, END, PADDING)
    assert not torch.equal(found.tokens[:, :7], plain.tokens[:, :7])
    for row, prompt in enumerate(PROMPT.tolist()):
        scored = sorted(
            ((penalised(prompt, new), new) for new in complete_sequences(length)), reverse=True
        )
        for rank in range(7):
            assert tuple(found.tokens[row, rank].tolist()) == scored[rank][1]


def test_more_beams_than_sequences_are_left_at_minus_infinity():
    found = beam_search(bigram(), PROMPT, 1, n_beams=7)
    assert torch.isfinite(found.log_probabilities[:, :VOCAB]).all()
    assert (found.log_probabilities[:, VOCAB:] == float("-inf")).all()
    torch.testing.assert_close(
        found.log_probabilities.exp().sum(dim=1), torch.ones(3), check_dtype=False
    )


def test_prompts_do_not_disturb_each_other():
    next_logits = bigram(5)
    together = beam_search(next_logits, PROMPT, 5, 3, END)
    for row in range(3):
        alone = beam_search(next_logits, PROMPT[[row]], 5, 3, END)
        length = alone.tokens.size(-1)
        assert torch.equal(together.tokens[row, :, :length], alone.tokens[0])
        assert torch.equal(together.log_probabilities[row], alone.log_probabilities[0])


def test_a_beams_rows_lie_next_to_each_other():
    seen = []

    def next_logits(tokens):
        seen.append(tokens[:, 0].tolist())
        return bigram()(tokens)

    beam_search(next_logits, PROMPT, 2, n_beams=2)
    assert seen == [[1, 1, 4, 4, 3, 3]] * 2


def generators():
    return {
        "greedy": lambda logits, end, padding: greedy(logits, PROMPT, 9, end, padding),
        "sample": lambda logits, end, padding: sample(
            logits, PROMPT, 9, torch.Generator().manual_seed(1), end=end, padding=padding
        ),
        "beam_search": lambda logits, end, padding: beam_search(
            logits, PROMPT, 9, 3, end, padding
        ).tokens.flatten(0, 1),
    }


@pytest.mark.parametrize("generate", generators().values(), ids=generators())
def test_finished_sequences_stay_finished(generate):
    padding = 4
    for seed in range(11):
        new = generate(bigram(seed), END, padding)
        for row in new.tolist():
            if END in row:
                after = row[row.index(END) + 1 :]
                assert after == [padding] * len(after)
        # It goes on while a row is unfinished, and stops when none is.
        ended = (new == END).any(dim=1)
        assert new.size(1) == 9 or (ended.all() and (new[:, -1] == END).any())


@pytest.mark.parametrize("generate", generators().values(), ids=generators())
def test_without_an_end_token_none_ends(generate):
    assert generate(bigram(), None, PADDING).size(1) == 9


def test_sampling_draws_with_the_probabilities_of_softmax(generator):
    logits = torch.tensor([0.3, -1.1, 1.4, 0.0, 0.8])
    for temperature in (0.5, 1.0, 2.0):
        drawn = sample(
            lambda tokens: logits.expand(len(tokens), -1),
            torch.ones(20_011, 1, dtype=torch.long),
            1,
            generator,
            temperature,
        )
        counts = torch.bincount(drawn[:, 0], minlength=VOCAB)
        expected = torch.softmax(logits.double() / temperature, dim=-1) * 20_011
        assert stats.chisquare(counts.numpy(), expected.numpy()).pvalue > 0.01


def test_temperature_towards_zero_is_greedy(generator):
    next_logits = bigram()
    expected = greedy(next_logits, PROMPT, 7)
    for temperature in (0.0, 1e-3):
        assert torch.equal(sample(next_logits, PROMPT, 7, generator, temperature), expected)


def test_sampling_follows_the_seed():
    def draw(seed):
        return sample(bigram(), PROMPT, 7, torch.Generator().manual_seed(seed))

    assert torch.equal(draw(3), draw(3))
    assert not torch.equal(draw(3), draw(4))


def test_sampling_depends_on_the_tokens_so_far(generator):
    # A language that counts: each token is one more than the last.
    def next_logits(tokens):
        return torch.nn.functional.one_hot((tokens[:, -1] + 1) % 7, 7) * 50.0

    new = sample(next_logits, torch.tensor([[2], [5]]), 4, generator)
    assert new.tolist() == [[3, 4, 5, 6], [6, 0, 1, 2]]


def test_top_k_keeps_the_k_most_likely():
    logits = torch.tensor([[0.3, -1.1, 1.4, 0.0, 0.8], [5.0, 4.0, 3.0, 2.0, 1.0]])
    kept = top_k(2)(logits)
    assert torch.isfinite(kept).tolist() == [
        [False, False, True, False, True],
        [True, True, False, False, False],
    ]
    assert torch.equal(kept[torch.isfinite(kept)], logits[torch.isfinite(kept)])
    assert torch.equal(top_k(7)(logits), logits)
    # Token 1 and 2 tie for the second place.
    tied = top_k(2)(torch.tensor([3.0, 1.0, 1.0, 0.0]))
    assert torch.isfinite(tied).tolist() == [True, True, True, False]


def test_top_p_keeps_the_fewest_that_reach_p():
    probability = torch.tensor([[0.1, 0.5, 0.15, 0.25], [0.97, 0.01, 0.01, 0.01]])
    logits = probability.log()

    def kept(p):
        return torch.isfinite(top_p(p)(logits)).tolist()

    assert kept(0.49) == [[False, True, False, False], [True, False, False, False]]
    assert kept(0.51) == [[False, True, False, True], [True, False, False, False]]
    assert kept(0.8) == [[False, True, True, True], [True, False, False, False]]
    assert kept(1e-9) == kept(0.49)
    assert kept(1.0)[0] == [True] * 4


def test_top_p_stops_as_soon_as_p_is_reached():
    # Two halves and four quarters: the sums are exact, and meet p exactly.
    halves = torch.tensor([0.0, 0.0, float("-inf")])
    assert torch.isfinite(top_p(0.5)(halves)).tolist() == [True, False, False]
    assert torch.isfinite(top_p(0.75)(torch.zeros(4))).tolist() == [True, True, True, False]


def test_sampling_leaves_out_what_is_ruled_out(generator):
    logits = torch.tensor([0.3, -1.1, 1.4, 0.0, 0.8])

    def drawn(temperature, keep):
        return {
            *sample(
                lambda tokens: logits.expand(len(tokens), -1),
                torch.ones(4001, 1, dtype=torch.long),
                1,
                generator,
                temperature,
                keep,
            )
            .flatten()
            .tolist()
        }

    assert drawn(1.0, top_k(2)) == {2, 4}
    assert drawn(1.0, top_p(0.6)) == {2, 4}
    # The temperature comes first: hotter, the nucleus needs more tokens.
    assert drawn(9.0, top_p(0.6)) == {2, 4, 0}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, g: greedy(f, PROMPT[:, :0], 5), r"prompt has shape \(3, 0\), so no tokens"),
        (lambda f, g: greedy(f, PROMPT[:0], 5), r"prompt has shape \(0, 2\), so no tokens"),
        (lambda f, g: greedy(f, PROMPT, 0), "max_new_tokens is 0; expected at least 1"),
        (lambda f, g: beam_search(f, PROMPT, 0, 3), "max_new_tokens is 0"),
        (lambda f, g: beam_search(f, PROMPT, 5, 0), "n_beams is 0; expected at least 1"),
        (
            lambda f, g: beam_search(f, PROMPT, 5, 3, length_penalty=-0.5),
            r"length_penalty is -0.5; expected 0 \(none\) or more",
        ),
        (lambda f, g: sample(f, PROMPT, 5, g, temperature=-1.0), "temperature is -1.0; expected 0"),
        (lambda f, g: top_k(0), "k is 0; expected at least 1"),
        (lambda f, g: top_p(0.0), "p is 0.0; expected above 0 and at most 1"),
        (lambda f, g: top_p(1.1), "p is 1.1"),
        (
            lambda f, g: greedy(lambda tokens: torch.zeros(3, 2, VOCAB), PROMPT, 5),
            r"returned shape \(3, 2, 5\) for 3 rows of tokens; expected .* \[:, -1\]",
        ),
        (
            lambda f, g: beam_search(lambda tokens: torch.zeros(3, VOCAB), PROMPT, 5, 2),
            r"returned shape \(3, 5\) for 6 rows of tokens",
        ),
    ],
)
def test_refuses_bad_input(generator, call, message):
    with pytest.raises(ValueError, match=message):
        call(bigram(), generator)


def test_no_gradient_is_kept():
    table = torch.randn(VOCAB, VOCAB, requires_grad=True)
    found = beam_search(lambda tokens: table[tokens[:, -1]], PROMPT, 3, 2)
    assert not found.log_probabilities.requires_grad
