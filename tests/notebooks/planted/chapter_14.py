"""Mistakes to which the claims of chapter 14 fall."""

PLANTED = [
    (
        "14-a-head-by-hand",
        "the scores are not scaled",
        "A = (q @ k.T / 32**0.5).softmax(dim=-1)",
        "A = (q @ k.T).softmax(dim=-1)",
    ),
    (
        "14-words-stay",
        "attention puts what it found in the word's place",
        "x = block.norm_1(skip * x + block.self_attention(x))",
        "x = block.norm_1(block.self_attention(x))",
    ),
    (
        "14-names-hold",
        "the word before the other name is taken for it",
        "found.append(row[:, tokens.index(partner)] - row[:, others].mean(dim=1))",
        "found.append(row[:, tokens.index(partner) - 1] - row[:, others].mean(dim=1))",
    ),
    (
        "14-patterns-hold",
        "the chosen heads are measured in an encoder that never learned",
        "searched, measured = patterns(sentences[::2]), patterns(sentences[1::2])",
        "searched, measured = patterns(sentences[::2]), patterns(sentences[1::2], untrained)",
    ),
    (
        "14-many-rest-on-cls",
        "the word after the mark is taken for it",
        "zip(found, (place - 1, 0 * place), strict=True)",
        "zip(found, (place - 1, 0 * place + 1), strict=True)",
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
        "in_new = torch.sub(*preferences(of_the_broken, animal_second)).mean(dim=0)\n"
        'claims.finding(\n    "14-it-turns-to-the-animal",',
    ),
    (
        "14-it-turns-to-the-animal",
        "sentences in which both nouns are things are taken for those with an animal",
        "    in_new[chosen],\n",
        "    two_things,\n",
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
        "two_right = [right(model) for model in two_layers.values()]\n",
        "for model in two_layers.values():\n"
        "    model.layers[0].output_projection.weight.data.zero_()\n"
        "two_right = [right(model) for model in two_layers.values()]\n",
    ),
    (
        "14-the-heads-form-as-the-loss-falls",
        "the heads of the layer that writes are taken for those that find",
        "induction[-1].max()]",
        "induction[0].max()]",
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
        "14-a-told-key-suffices",
        "the keys are those of two places before",
        "told_before = [with_moved_keys(1, seed)",
        "told_before = [with_moved_keys(2, seed)",
    ),
    (
        "14-a-patch-by-hand",
        "the head before it is patched",
        "outputs[:, head] = given",
        "outputs[:, head - 1] = given",
    ),
    (
        "14-substitutes-hide-a-head",
        "a head's substitutes go with it",
        "table[at] = without(model, [at], way, outputs)",
        "table[at] = without(model, [(at[0], head) for head in range(HEADS)], way, outputs)",
    ),
    (
        "14-one-head-finds",
        "the heads cost nothing, and go on sharing the job",
        "teach(model, seed_everything(10 + seed), steps=200, price=0.15)",
        "teach(model, seed_everything(10 + seed), steps=1, price=0.0)",
    ),
    (
        "14-one-head-writes",
        "the smallest head is taken for the writer",
        "pairs[seed] = [sizes(model, layer).argmax().item() for layer in range(2)]",
        "pairs[seed] = [sizes(model, 0).argmin().item(), sizes(model, 1).argmax().item()]",
    ),
    (
        "14-patching-restores",
        "the corrupted run's own outputs are patched",
        "clean = head_outputs(model, clean_texts[:, :-1])",
        "clean = head_outputs(model, corrupted[:, :-1])",
    ),
    (
        "14-patching-restores",
        "the writer is patched in place of the finder",
        'of_ours(restored, 1),\n    ">=",',
        'of_ours(restored, 0),\n    ">=",',
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
        "14-free-models-share-the-plan",
        "the corrupted run's own outputs are patched",
        "clean = head_outputs(model, clean_texts[:, :-1])",
        "clean = head_outputs(model, corrupted[:, :-1])",
    ),
    (
        "14-free-models-share-the-plan",
        "layer 1 is patched where it is asked, and not at the keys",
        "*(answers_patched(model, first, at_the_place) for",
        "*(answers_patched(model, first, at_the_place, slice(HALF, None)) for",
    ),
    (
        "14-parts-sum-to-the-logit",
        "the spread is taken as of a sample",
        "sum(parts.values()).var(dim=-1, correction=0, keepdim=True)",
        "sum(parts.values()).var(dim=-1, correction=1, keepdim=True)",
    ),
    (
        "14-attribution-finds-the-finder",
        "the heads cost nothing, and go on sharing the job",
        "teach(model, seed_everything(10 + seed), steps=200, price=0.15)",
        "teach(model, seed_everything(10 + seed), steps=1, price=0.0)",
    ),
    (
        "14-attribution-finds-the-finder",
        "another sequence's answers are waited for",
        "by_finder.append(finder_adds / whole)",
        "of_another = attributed(model, clean_answers.roll(1, dims=0))\n"
        "    by_finder.append(of_another[1, finder].mean().item() / whole)",
    ),
    (
        "14-attribution-misses-the-writer",
        "what a head writes is taken for all that is lost without it",
        "writers_share.append(writer_adds / writer_lost)",
        "writers_share.append(writer_adds / added[0, writer].mean().item())",
    ),
    (
        "14-the-writer-acts-by-keys",
        "the writer is taken out of the queries",
        "through[way].append(lost_through(model, way, writer) / writer_lost)",
        'through[way].append(lost_through(model, "query", writer) / writer_lost)',
    ),
    (
        "14-the-writer-asks-for-the-place-before",
        "queries and keys are exchanged",
        "P @ QK_1 @ P.T",
        "P @ QK_1.T @ P.T",
    ),
    (
        "14-qk-asks-for-the-predecessor",
        "the writer is left out",
        "E @ QK_2 @ (E @ OV_1).T",
        "E @ QK_2 @ E.T",
    ),
    (
        "14-one-term-finds-the-key",
        "the writer brings places in place of symbols",
        "@ (E / spread) @ OV_1",
        "@ ((x - E) / spread) @ OV_1",
    ),
    (
        "14-ov-speaks-for-what-it-sees",
        "what is asked for is read in place of what comes over",
        "E @ OV_2 @ U",
        "E @ QK_2 @ U",
    ),
    (
        "14-weights-matter-here",
        "the weights are left as they are",
        "right_with(without_the_largest)",
        "right_with(lambda weights: weights)",
    ),
    (
        "14-weights-matter-here",
        "the second largest weight is taken for the largest",
        "right_with(nothing_at(largest))",
        "right_with(nothing_at(second_largest))",
    ),
    (
        "14-the-largest-rests-on-cls",
        "the word after the mark is taken for it",
        "(weights.argmax(dim=-1) == 0).transpose",
        "(weights.argmax(dim=-1) == 1).transpose",
    ),
    (
        "14-the-sink-can-go",
        "the rest is scaled up after all",
        "partners_found(nothing_at(on_the_mark))",
        "partners_found(without_the_largest)",
    ),
    (
        "14-the-sink-can-go",
        "the largest weight that is not on the mark is taken for it",
        "partners_found(nothing_at(on_the_mark))",
        "partners_found(nothing_at(not_on_the_mark))",
    ),
    (
        "14-a-probe-remembers",
        "the coins are tossed anew for each sentence, and cannot be remembered",
        "of_coins = probe(coin[noun, plural],",
        "of_coins = probe(torch.randint(2, (COUNT,), generator=generator),",
    ),
    (
        "14-a-table-tells-nearly-as-much",
        "the table is counted on a small part of the text",
        "small.tokens.encode(parts.train))",
        "small.tokens.encode(parts.train[:3000]))",
    ),
    (
        "14-the-lens-misses-the-work",
        "layer 1 brings nothing",
        "x = x + attend(norm(x), visible=CAUSAL)",
        "x = x + 0 * attend(norm(x), visible=CAUSAL)",
    ),
    (
        "14-what-is-read-need-not-be-used",
        "the layers bring nothing",
        "x = x + attend(norm(x), visible=CAUSAL)",
        "x = x + 0 * attend(norm(x), visible=CAUSAL)",
    ),
    (
        "14-what-is-read-need-not-be-used",
        "all but the embedding is taken away",
        "cut = judge - model.embedding.table[own]",
        "cut = model.embedding.table[own]",
    ),
    (
        "14-read-again",
        "the cache forgets before anything comes again",
        "with_cache = CachedNGrams(n_gram, 128, (1, 2, 3), 8.0)",
        "with_cache = CachedNGrams(n_gram, 8, (1, 2, 3), 8.0)",
    ),
    (
        "14-heads-that-look-one-past",
        "the token before is looked at, and not what came next in the first reading",
        "torch.cat([each[:, :, asks, asks - length + 1].mean(dim=(0, 2)) for each in maps])",
        "torch.cat([each[:, :, asks, asks - 1].mean(dim=(0, 2)) for each in maps])",
    ),
    (
        "14-copying-was-not-yet",
        "the training that reads once is taken for the one that reads twice",
        'for run in (wrote_down, trained_on["once"])',
        'for run in (trained_on["once"], wrote_down)',
    ),
]
