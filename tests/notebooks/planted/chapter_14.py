"""Mistakes to which the claims of chapter 14 fall."""

PLANTED = [
    (
        "14-a-head-by-hand",
        "the scores are not scaled",
        "by_hand = (scores / 32**0.5).softmax(dim=-1)",
        "by_hand = scores.softmax(dim=-1)",
    ),
    (
        "14-partners-are-found",
        "the partners come in another order",
        "embed([one for one, _ in pairs]) @ embed([other for _, other in pairs]).T",
        "embed([one for one, _ in pairs]) @ embed([other for _, other in pairs[::-1]]).T",
    ),
    (
        "14-the-map-of-chapter-3",
        "the words come in another order",
        "(embed(words) - word_vectors(words)).abs().max()",
        "(embed(words[::-1]) - word_vectors(words)).abs().max()",
    ),
    (
        "14-patterns-hold",
        "the other half's weights are averaged over the heads",
        "searched[name].flatten()[best], measured[name].flatten()[best]",
        "searched[name].flatten()[best], measured[name].mean()",
    ),
    (
        "14-a-previous-token-head",
        "the head's neighbour is looked at",
        "look(sentence)[1][0, 2].diagonal(-1)",
        "look(sentence)[1][0, 3].diagonal(-1)",
    ),
    (
        "14-the-best-head-is-picked",
        "a shift counts whichever way it goes",
        "best_of_each_world = (signs @ shift / 7).amax(dim=1)",
        "best_of_each_world = (signs @ shift.abs() / 7).amax(dim=1)",
    ),
    (
        "14-no-head-changes-sides",
        "either preference counts as a change",
        "flips = ((first_word > 0) & (second_word < 0))",
        "flips = ((first_word > 0) | (second_word < 0))",
    ),
    (
        "14-one-layer-cannot",
        "the models of two layers are judged twice",
        "one = max(right(model) for model in one_layer.values())",
        "one = max(right(model) for model in two_layers.values())",
    ),
    (
        "14-substitutes-hide-a-head",
        "only one head is silenced",
        'with ablated(free, [("layers.1", head) for head in range(4)]):',
        'with ablated(free, [("layers.1", head) for head in range(1)]):',
    ),
    (
        "14-ablation-destroys",
        "the head with the least induction score is silenced",
        "finder = previous[0].argmax().item(), induction[1].argmax().item()",
        "finder = previous[0].argmax().item(), induction[1].argmin().item()",
    ),
    (
        "14-another-head-does-not",
        "the induction head is among the others",
        "spared.append(min(table[1, h].item() for h in range(4) if h != finder))",
        "spared.append(min(table[1, h].item() for h in range(4)))",
    ),
    (
        "14-patching-restores",
        "the corrupted run's own outputs are patched",
        "clean = head_outputs(model, tokens[:, :-1])",
        "clean = head_outputs(model, corrupted[:, :-1])",
    ),
    (
        "14-layer-one-writes-places",
        "layer 2 is patched",
        'writers = {("layers.0", h): clean["layers.0"][:, h] for h in range(4)}',
        'writers = {("layers.1", h): clean["layers.1"][:, h] for h in range(4)}',
    ),
    (
        "14-weights-matter-here",
        "the weights are left as they are",
        'with reweighted(free, ["layers.1"], without_the_largest):',
        'with reweighted(free, ["layers.1"], lambda weights: weights):',
    ),
    (
        "14-weights-do-not-matter-there",
        "the sentences come in another order than their partners",
        "partners_without = partners_found(cosines())",
        "partners_without = partners_found(cosines().flip(0))",
    ),
    (
        "14-attention-brings-number",
        "every probe reads the embeddings",
        '"number, new nouns": [probe(state, plural, strange) for state in states]',
        '"number, new nouns": [probe(states[0], plural, strange) for state in states]',
    ),
    (
        "14-a-probe-remembers",
        "the probe reads the embeddings, which hold no noun",
        '"coin, known nouns": [probe(state, control, known) for state in states]',
        '"coin, known nouns": [probe(states[0], control, known) for state in states]',
    ),
    (
        "14-new-words-end-memory",
        "the number is taken for the coin",
        '"coin, new nouns": [probe(state, control, strange) for state in states]',
        '"coin, new nouns": [probe(state, plural, strange) for state in states]',
    ),
    (
        "14-the-last-reading-is-the-model",
        "the last norm is left out",
        "model.embedding.scores(model.stack.final_norm(x)) for x in stream",
        "model.embedding.scores(x) for x in stream",
    ),
    (
        "14-every-layer-improves",
        "the layers are read from the last to the first",
        "nats = [next_token_loss(layer, following).item() for layer in readings]",
        "nats = [next_token_loss(layer, following).item() for layer in readings.flip(0)]",
    ),
]
