"""Mistakes to which the claims of chapter 2 fall."""

PLANTED = [
    (
        "2-cold-has-no-slope",
        "the temperature is forgotten, so that no lookup is cold",
        "weights = torch.softmax(keys @ asked / temperature, dim=0)",
        "weights = torch.softmax(keys @ asked, dim=0)",
    ),
    (
        "2-limit-to-argmax",
        "the temperature is multiplied, so that hot is sharp",
        "weights = torch.softmax(scores / temperature, dim=-1)\n    not_best",
        "weights = torch.softmax(scores * temperature, dim=-1)\n    not_best",
    ),
    (
        "2-key-equals-query",
        "the lookup is not cold",
        "torch.softmax(keys @ keys.T / 0.02, dim=-1)",
        "torch.softmax(keys @ keys.T / 0.3, dim=-1)",
    ),
    (
        "2-key-near-query",
        "the temperature is multiplied, so that all keys look alike",
        "torch.softmax(keys @ query / 0.02, dim=-1)",
        "torch.softmax(keys @ query * 0.02, dim=-1)",
    ),
    (
        "2-always-answers",
        "the exponentials are not divided by their sum",
        "torch.softmax(strangers @ keys.T / 0.01, dim=-1) @ values",
        "torch.exp(strangers @ keys.T / 0.01) @ values",
    ),
    (
        "2-lecture-weights",
        "each score is divided by the sum of the scores",
        "alpha = torch.exp(scores) / torch.exp(scores).sum()",
        "alpha = scores / scores.sum()",
    ),
    (
        "2-own-best-answer",
        "queries are projected, as they are in self-attention",
        "attention(states, states, states)",
        "attention(states @ torch.randn(13, 13, dtype=torch.float64), states, states)",
    ),
    (
        "2-weights-are-a-distribution",
        "softmax runs over the queries",
        "_, weights = attention(wild, wild, wild)",
        "weights = torch.softmax(wild @ wild.transpose(-2, -1), dim=-2)",
    ),
    (
        "2-weights-are-a-distribution",
        "the scores are divided by their sum, so that some weights are negative",
        "_, weights = attention(wild, wild, wild)",
        "weights = F.normalize(wild @ wild.transpose(-2, -1), p=1, dim=-1)",
    ),
    (
        "2-entries-have-no-order",
        "the labels are shuffled and the contents are not",
        "V[shuffled])[0]",
        "V)[0]",
    ),
    (
        "2-attention-is-kernel-regression",
        "the kernel's width is taken without its factor of two",
        "(2 * 0.03)",
        "0.03",
    ),
    (
        "2-softness-pays",
        "the noise is forgotten, so that there is nothing to average away",
        "tide(hours) + noise * errors",
        "tide(hours)",
    ),
    (
        "2-softness-pays",
        "one error spoils all readings alike, and no average takes it away",
        "errors = torch.randn(120, generator=generator, dtype=torch.float64)",
        "errors = torch.randn(1, generator=generator, dtype=torch.float64) + 3",
    ),
    (
        "2-variance-grows-as-d",
        "queries have length one",
        "queries = torch.randn(256, d, generator=generator)\n",
        "queries = F.normalize(torch.randn(256, d, generator=generator), dim=-1)\n",
    ),
    (
        "2-scale-keeps-doubt",
        "scores are divided by the logarithm of the width",
        '"by √d": lambda d: math.sqrt(d)',
        '"by √d": lambda d: math.log(d)',
    ),
    (
        "2-unscaled-decides-by-chance",
        "the numbers of the queries are small, so that no lead is large",
        "queries = torch.randn(256, d, generator=generator)\n",
        "queries = torch.randn(256, d, generator=generator) / 64\n",
    ),
    (
        "2-unscaled-gradient-uneven",
        "the numbers of the queries are small, so that no lead is large",
        "queries = torch.randn(256, d, generator=generator)\n",
        "queries = torch.randn(256, d, generator=generator) / 64\n",
    ),
    (
        "2-unscaled-gradient-not-gone",
        "the gradient at the scores is taken for the gradient at the query",
        "(by_score @ entries.double() / divisor).norm(dim=-1)",
        "by_score.norm(dim=-1)",
    ),
    (
        "2-unscaled-gradient-less-at-scores",
        "the gradient at the query is taken for the gradient at the scores",
        "at_scores = by_score.norm(dim=-1).mean()",
        "at_scores = gradient.mean()",
    ),
    (
        "2-scale-learns-sooner",
        "each dictionary is asked the question of another",
        "said = model(exam.query, exam.keys, exam.values).argmax(dim=-1)",
        "said = model(exam.query.roll(1), exam.keys, exam.values).argmax(dim=-1)",
    ),
    (
        "2-small-start-at-the-lower-rate",
        "the query has no say",
        "said = model(exam.query, exam.keys, exam.values).argmax(dim=-1)",
        "said = model(0 * exam.query, exam.keys, exam.values).argmax(dim=-1)",
    ),
    (
        "2-division-by-d-trains",
        "the query has no say, as at the start",
        "said = model(exam.query, exam.keys, exam.values).argmax(dim=-1)",
        "said = model(0 * exam.query, exam.keys, exam.values).argmax(dim=-1)",
    ),
    (
        "2-far-as-near",
        "the readers are shown the last hundred words only",
        "held |= held_by_rivals\n",
        "held = held_by_rivals | put_to_the_test({name: [(lambda words, model=model: "
        "model(words[:, -100:]), stream, n_facts) for model, stream, n_facts in runs] "
        "for name, runs in (trained | trained_rivals).items()})\n",
    ),
    (
        "2-largest-as-far",
        "the readers are shown the last hundred words only",
        "held |= held_by_rivals\n",
        "held = held_by_rivals | put_to_the_test({name: [(lambda words, model=model: "
        "model(words[:, -100:]), stream, n_facts) for model, stream, n_facts in runs] "
        "for name, runs in (trained | trained_rivals).items()})\n",
    ),
    (
        "2-lookup-recalls-pairs",
        "in the dictionaries that are looked into, labels and contents have come apart",
        "of_pairs = {name: [recalled(*each) for each in runs] for name",
        "of_pairs = {name: [recalled(model, replace(exam, keys=exam.keys.roll(1, dims=1)))\n"
        "    for model, exam in runs] for name",
    ),
    (
        "2-one-fact-can-be-carried",
        "the readers are shown the last hundred words only",
        "held |= held_by_rivals\n",
        "held = held_by_rivals | put_to_the_test({name: [(lambda words, model=model: "
        "model(words[:, -100:]), stream, n_facts) for model, stream, n_facts in runs] "
        "for name, runs in (trained | trained_rivals).items()})\n",
    ),
    (
        "2-a-crowd-dilutes",
        "the crowd is a handful",
        "crowd = torch.zeros(100_000)",
        "crowd = torch.zeros(10)",
    ),
    (
        "2-label-of-its-kind",
        "every question asks what",
        "_, weights = model.look_up(words[:, -1], words, words)",
        "_, weights = model.look_up(0 * words[:, -1], words, words)",
    ),
    (
        "2-no-test-number-was-seen",
        "the test is drawn from the numbers to learn from",
        "split = numerals.split(10_000, 500, generator, limit=1_000_000)",
        "split = numerals.Split(tuple(range(10_000)), tuple(range(9_500, 10_000)))",
    ),
    (
        "2-attention-translates-the-unseen",
        "what the decoder looks at are the states of another number",
        "source = model.encode(batch.source, batch.source_lengths)\n        start",
        "source = model.encode(batch.source, batch.source_lengths)\n"
        "        source = replace(source, states=source.states.roll(1, dims=0))\n        start",
    ),
    (
        "2-longest-too",
        "the decoder looks at the first eight words only",
        "source = model.encode(batch.source, batch.source_lengths)\n        start",
        "source = model.encode(batch.source, batch.source_lengths)\n"
        "        early = torch.arange(source.mask.size(-1)) < 8\n"
        "        source = replace(source, mask=source.mask & early)\n        start",
    ),
    (
        "2-place-gets-there-later",
        "the places are weighed alike, whatever the decoder's state",
        "exact, long_exact = {}, {}\n",
        'for model in translators["by place, 240 steps"]:\n'
        "    model.query_projection.weight.data.zero_()\n"
        "    model.query_projection.bias.data.zero_()\n"
        "exact, long_exact = {}, {}\n",
    ),
    (
        "2-choosing-matters",
        "at every step all states come in one average",
        "source = model.encode(batch.source, batch.source_lengths)\n        start",
        "source = model.encode(batch.source, batch.source_lengths)\n"
        "        mean = source.states.mean(dim=1, keepdim=True).expand_as(source.states)\n"
        "        source = replace(source, states=mean)\n        start",
    ),
    (
        "2-alignment-follows-crossings",
        "the weights are read one word late",
        "alignment(model, exam.source, exam.source_lengths, exam.target_in)",
        "alignment(model, exam.source, exam.source_lengths, exam.target_out)",
    ),
    (
        "2-place-looks-like-alignment",
        "the decoder's state has no say in which places are weighed",
        'by_place = measured_on["by place, 240 steps"][0]\n',
        'for model in translators["by place, 240 steps"]:\n'
        "    model.query_projection.weight.data.zero_()\n"
        'by_place = weights_of(translators["by place, 240 steps"][0])\n',
    ),
    (
        "2-training-focuses",
        "the queries are gone, so that all words score alike",
        'looked_at = [weights_of(model) for model in translators["attention"]]',
        'for model in translators["attention"]:\n'
        "    model.query_projection.weight.data.zero_()\n"
        "    model.query_projection.bias.data.zero_()\n"
        'looked_at = [weights_of(model) for model in translators["attention"]]',
    ),
    (
        "2-some-looks-are-needed",
        "the look is not taken away",
        '"all": torch.ones_like(largest),',
        '"all": torch.zeros_like(largest),',
    ),
    (
        "2-weights-do-not-prove-use",
        "a part that has a word of its own is taken for und",
        '"und": exam.target_out == UND',
        '"und": exam.target_out == HUNDERT - 1',
    ),
    (
        "2-weights-do-not-prove-use",
        "the decoder has forgotten the number and all that it has said",
        "return model.decode(veiled, exam.target_in)[0].argmax(dim=-1)",
        "return model.decode(replace(veiled, summary=0 * veiled.summary), "
        "0 * exam.target_in)[0].argmax(dim=-1)",
    ),
    (
        "2-und-from-what-was-said",
        "the decoder has forgotten what it has said",
        "return model.decode(veiled, exam.target_in)[0].argmax(dim=-1)",
        "return model.decode(veiled, 0 * exam.target_in)[0].argmax(dim=-1)",
    ),
    (
        "2-german-predicts-und",
        "the table of two parts sees only the earlier of them",
        "following[tuple(said[place - n_before : place])][said[place]] += 1",
        "following[tuple(said[place - n_before : place - n_before // 2])][said[place]] += 1",
    ),
    (
        "2-hiding-one-misleads",
        "the weight of the hidden word goes to no other, and so misleads nobody",
        '"largest": largest,',
        '"largest": torch.ones_like(largest),',
    ),
]
