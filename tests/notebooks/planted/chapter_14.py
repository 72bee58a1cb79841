"""Mistakes to which the claims of chapter 14 fall."""

PLANTED = [
    (
        "14-a-head-by-hand",
        "the scores are not scaled",
        "by_hand = (scores / 32**0.5).softmax(dim=-1)",
        "by_hand = scores.softmax(dim=-1)",
    ),
    (
        "14-words-stay",
        "attention puts what it found in the word's place",
        "x = block.norm_1(skip * x + block.self_attention(x))",
        "x = block.norm_1(block.self_attention(x))",
    ),
    (
        "14-patterns-hold",
        "the chosen heads are measured in an encoder that never learned",
        "searched, measured = patterns(sentences[::2]), patterns(sentences[1::2])",
        "searched, measured = patterns(sentences[::2]), patterns(sentences[1::2], untrained)",
    ),
    (
        "14-a-previous-token-head",
        "the head never learned",
        "[look(s)[1].diagonal(offset=-1, dim1=2, dim2=3)",
        "[look(s, untrained)[1].diagonal(offset=-1, dim1=2, dim2=3)",
    ),
    (
        "14-many-rest-on-cls",
        "the word after the mark is taken for it",
        "(place - 1, 0 * place, last)",
        "(place - 1, 0 * place + 1, last)",
    ),
    (
        "14-words-stay-where-little-is-written",
        "blocks with the trained singular values write as much as the trained ones",
        "recognised(1.0, as_long_as(encoder, each))",
        "recognised(1.0, each)",
    ),
    (
        "14-the-word-looked-at-counts",
        "who asks and who is looked at are exchanged",
        "apart(table.mean(dim=1)),",
        "apart(table.mean(dim=0)),",
    ),
    (
        "14-names-hold",
        "the word before the other name is taken for it",
        "found.append(row[:, tokens.index(partner)] - row[:, others].mean(dim=1))",
        "found.append(row[:, tokens.index(partner) - 1] - row[:, others].mean(dim=1))",
    ),
    (
        "14-search-finds-what-is-not-there",
        "nothing is searched: the first head is taken",
        "found = [search(each, first)[1:] for each in sets for first in (0, 1)]",
        "found = [search(each[:, :1], first)[1:] for each in sets for first in (0, 1)]",
    ),
    (
        "14-it-turns-to-the-animal",
        "head 2 of layer 4 asks nothing, whatever the last word",
        'claims.finding(\n    "14-it-turns-to-the-animal",',
        "def asking_nothing():\n"
        "    broken = copy.deepcopy(encoder)\n"
        "    asking = broken.stack.blocks[3].self_attention.query_projection\n"
        "    asking.weight.data[32:64] = 0.0\n"
        "    asking.bias.data[32:64] = 0.0\n"
        "    return broken\n"
        "\n\n"
        "def of_the_broken(sentence, broken=asking_nothing()):\n"
        "    tokens, weights = look(sentence, broken)\n"
        '    return tokens, weights[:, :, tokens.index("it")].flatten(0, 1)\n'
        "\n\n"
        "with_word, without_word = preferences(of_the_broken, animal_second)\n"
        "as_far = (with_word - without_word)[:, chosen].mean().item()\n"
        'claims.finding(\n    "14-it-turns-to-the-animal",',
    ),
    (
        "14-the-last-word-turns-too",
        "the full stop is taken for the last word",
        '("the last word", lambda tokens: len(tokens) - 3),',
        '("the last word", lambda tokens: len(tokens) - 2),',
    ),
    (
        "14-sharp-random-heads-turn-as-far",
        "the random heads stay as blunt as they were",
        '[far[name][0] for name in ("as sharp", "as sharp as the one")],\n    ">=",',
        '[far["as strong"][0]],\n    ">=",',
    ),
    (
        "14-steady-heads",
        "the animal's word and the other are exchanged in the new sentences",
        'ours_right, ours_steady = steadiness(shift, groups["B"], third_shift)',
        'ours_right, ours_steady = steadiness(shift, -groups["B"], -third_shift)',
    ),
    (
        "14-a-third-set",
        "set B is taken for set C",
        '[far[name][1] for name in ("as sharp", "as sharp as the one")],',
        '[far[name][0] for name in ("as sharp", "as sharp as the one")],',
    ),
    (
        "14-passes-the-sign-test",
        "the last words say nothing: every other sentence has them exchanged",
        '[by_luck(shift), by_luck(groups["B"])],',
        "[by_luck(each * (1.0 - 2.0 * (torch.arange(16) % 2))[:, None])\n"
        '     for each in (shift, groups["B"])],',
    ),
    (
        "14-random-heads-pass-it-too",
        "the heads read states that no training made alike",
        '[*judged["as strong"][:, 2:].mean(dim=0)],',
        '[*judged["untrained states"][:, 2:].mean(dim=0)],',
    ),
    (
        "14-one-layer-did-not",
        "the layer is told: each key is that of the place before",
        'claims.finding(\n    "14-one-layer-did-not",',
        "told, drawing = new_model(1, 0)\n"
        "told.layers[0].key_projection.register_forward_hook(\n"
        "    lambda _, __, given: torch.cat((given[:, :1], given[:, :-1]), dim=1)\n"
        ")\n"
        "teach(told, drawing, steps=100)\n"
        "one_layer[6e-3] = right(told)\n"
        'claims.finding(\n    "14-one-layer-did-not",',
    ),
    (
        "14-one-layer-nor-later",
        "the layer is told: each key is that of the place before",
        'claims.finding(\n    "14-one-layer-nor-later",',
        "told, drawing = new_model(1, 0)\n"
        "told.layers[0].key_projection.register_forward_hook(\n"
        "    lambda _, __, given: torch.cat((given[:, :1], given[:, :-1]), dim=1)\n"
        ")\n"
        "teach(told, drawing, steps=100)\n"
        "trained_on[6e-3].right[0][-1] = right(told)\n"
        'claims.finding(\n    "14-one-layer-nor-later",',
    ),
    (
        "14-two-layers-repeat",
        "the first layer tells nobody anything",
        'for seed, model in two_layers.items():\n    print(f"two layers,',
        "for model in two_layers.values():\n"
        "    model.layers[0].output_projection.weight.data.zero_()\n"
        'for seed, model in two_layers.items():\n    print(f"two layers,',
    ),
    (
        "14-a-told-key-suffices",
        "the keys go back to where they were",
        "    [right(model) for model in told_before],\n",
        "    [\n"
        "        right(model)\n"
        "        for model in told_before\n"
        "        if model.layers[0].key_projection._forward_hooks.clear() is None\n"
        "    ],\n",
    ),
    (
        "14-substitutes-hide-a-head",
        "a head's substitutes go with it",
        "[without(model, [(layer, head)], way, outputs) for",
        "[without(model, [(layer, k) for k in range(HEADS)], way, outputs) for",
    ),
    (
        "14-one-head-finds",
        "the heads cost nothing, and go on sharing the job",
        "teach(model, seed_everything(10 + seed), steps=200, price=0.15)",
        "teach(model, seed_everything(10 + seed), steps=1, price=0.0)",
    ),
    (
        "14-one-head-writes",
        "the head that looks back least is taken for the writer",
        "pairs[seed] = [sizes(model, layer).argmax().item() for layer in range(2)]",
        "pairs[seed] = [previous[0].argmin().item(), sizes(model, 1).argmax().item()]",
    ),
    (
        "14-patching-restores",
        "the corrupted run's own outputs are patched",
        "clean = head_outputs(model, tokens[:, :-1])",
        "clean = head_outputs(model, corrupted[:, :-1])",
    ),
    (
        "14-layer-one-writes-places",
        "the clean answers themselves are waited for",
        "diverted = {seed: each_patched(model, at_the_place) for",
        "diverted = {seed: each_patched(model, clean_answers) for",
    ),
    (
        "14-layer-one-writes-places",
        "the writer is patched where it is asked, and not at the keys",
        '(("keys", slice(HALF)), ("questions", slice(HALF, None)))',
        '(("questions", slice(HALF)), ("keys", slice(HALF, None)))',
    ),
    (
        "14-parts-sum-to-the-logit",
        "the spread is taken as of a sample",
        ".var(dim=-1, correction=0, keepdim=True)",
        ".var(dim=-1, correction=1, keepdim=True)",
    ),
    (
        "14-attribution-finds-the-finder",
        "the heads cost nothing, and go on sharing the job",
        "teach(model, seed_everything(10 + seed), steps=200, price=0.15)",
        "teach(model, seed_everything(10 + seed), steps=1, price=0.0)",
    ),
    (
        "14-the-norm-makes-up",
        "the last norm divides by the spread that is left",
        "centred / spreads[0] * last.weight",
        "centred / spreads[len(held)] * last.weight",
    ),
    (
        "14-attribution-misses-the-writer",
        "what a head writes is taken for all that is lost without it",
        "    without_writer = lost_without(model, 0, writer)\n",
        "    without_writer = attributed(model)[0, writer].mean().item()\n",
    ),
    (
        "14-the-writer-acts-by-keys",
        "the writer is taken out of the queries",
        "parts_of_it = {way: lost_through(model, way, writer) for way in through}",
        'parts_of_it = {way: lost_through(model, "query", writer) for way in through}',
    ),
    (
        "14-the-writer-asks-for-the-place-before",
        "queries and keys are exchanged",
        "P @ first[0] @ P.T",
        "P @ first[0].T @ P.T",
    ),
    (
        "14-qk-asks-for-the-predecessor",
        "the writer is left out",
        "told, answers = E @ first[1], U",
        "told, answers = E, U",
    ),
    (
        "14-ov-speaks-for-what-it-sees",
        "what is asked for is read in place of what comes over",
        "E @ then[1] @ answers",
        "E @ then[0] @ answers",
    ),
    (
        "14-weights-matter-here",
        "the weights are left as they are",
        "[right_with(model, without_the_largest) for model in charged.values()]",
        "[right_with(model, lambda weights: weights) for model in charged.values()]",
    ),
    (
        "14-with-the-rest-left-too",
        "the weights are left as they are",
        "[right_with(model, nothing_at(largest)) for model in charged.values()]",
        "[right_with(model, lambda weights: weights) for model in charged.values()]",
    ),
    (
        "14-the-largest-rests-on-cls",
        "the word after the mark is taken for it",
        "(real & (weights.argmax(dim=-1) == 0)).sum()",
        "(real & (weights.argmax(dim=-1) == 1)).sum()",
    ),
    (
        "14-partners-without-the-largest",
        "the rest is scaled up after all",
        "left = {name: partners_found(nothing_at(where)) for",
        "left = {name: partners_found(nothing_at(where, scaled=True)) for",
    ),
    (
        "14-scaling-up-the-sink",
        "the word after the mark is taken for it",
        "lambda weights: largest(weights) & is_mark(weights)",
        "lambda weights: largest(weights) & is_mark(weights).roll(1)",
    ),
    (
        "14-the-sink-gives-little",
        "a weight is taken for what it brings",
        "        given = each * lengths[:, None]\n",
        "        given = each * torch.ones_like(lengths)[:, None]\n",
    ),
    (
        "14-one-weight-is-enough",
        "the second largest weight is kept in its place",
        "lambda weights: ~off_the_mark(largest)(weights)",
        "lambda weights: ~off_the_mark(second_largest)(weights)",
    ),
    (
        "14-plain-averages-bring-number",
        "nothing is brought: the embeddings are read at every layer",
        "for state in states:\n        says",
        "for state in [states[0] for _ in states]:\n        says",
    ),
    (
        "14-early-layers-miss-the-neighbour",
        "place and role are exchanged",
        "return (one + four - two - three) / 2, (one + three - two - four) / 2",
        "return (one + three - two - four) / 2, (one + four - two - three) / 2",
    ),
    (
        "14-early-layers-miss-the-neighbour",
        "a word parts noun and verb in all sentences",
        'living_read(then=then) for then in ("", " then")',
        'living_read(then=" then") for then in ("", " then")',
    ),
    (
        "14-place-can-stay-ahead",
        "a word parts noun and verb in all sentences of both probes",
        'living_read(then=then) for then in ("", " then")',
        'living_read(then=" then") for then in ("", " then")',
    ),
    (
        "14-role-is-added",
        "the words are read in one order alone",
        "in_order(front + order, then, rows.nonzero().flatten(), drawn)",
        "in_order(front + USUAL, then, rows.nonzero().flatten(), drawn)",
    ),
    (
        "14-a-probe-remembers",
        "the coins are tossed anew for each sentence, and cannot be remembered",
        "tossed = probe(coin[noun, plural],",
        "tossed = probe(torch.randint(2, (COUNT,), generator=generator),",
    ),
    (
        "14-the-neighbours-number-too",
        "the subject's number is read in place of the neighbour's",
        "neighbour = probe(other_plural, training, new=new_thing)",
        "neighbour = probe(plural, training, new=new_noun)",
    ),
    (
        "14-a-blunt-first-half",
        "the heads of layer 3 give their means",
        "[predecessors_read(seed, each) for seed in (0, 1)]",
        "[predecessors_read(seed, True) for seed in (0, 1)]",
    ),
    (
        "14-none-in-the-books-gpt",
        "a look at the place itself is taken for a look back",
        "[:, asking, asking - length + 1]",
        "[:, asking, asking]",
    ),
    (
        "14-a-prediction-in-the-making",
        "the embeddings are read in place of the blocks",
        '    sees[1:4],\n    ">=",\n    0.3,',
        '    sees[:1],\n    ">=",\n    0.3,',
    ),
    (
        "14-a-trained-lens-sees-more",
        "the trained lens is not applied",
        "least_squares(known, learned_in[-1])(x) for",
        "x for",
    ),
    (
        "14-sparse-features-overlap",
        "every feature is always present",
        "        return value * (lot < chance)\n",
        "        return value * (lot < 1.0)\n",
    ),
    (
        "14-a-dictionary-finds-features",
        "many entries at once cost nothing",
        "+ penalty[:, None] * f.sum(dim=-1)",
        "+ 0 * penalty[:, None] * f.sum(dim=-1)",
    ),
    (
        "14-clusters-find-them-too",
        "the middles stay where they were drawn",
        "        for _ in range(rounds):\n            own =",
        "        for _ in range(0):\n            own =",
    ),
    (
        "14-the-lens-misses-the-work",
        "layer 1 brings nothing",
        "x = x + attend(norm(x), visible=CAUSAL)",
        "x = x + 0 * attend(norm(x), visible=CAUSAL)",
    ),
]
