"""Mistakes to which the claims of chapter 1 fall."""

PLANTED = [
    (
        "1-trigrams-recite",
        "the model looks at the last word alone, whatever n is",
        "followers(words, text[max(0, len(text) - n + 1) :])",
        "followers(words, text[-1:])",
    ),
    (
        "1-cells-equal-torch",
        "the bias of the state is not copied",
        '"bias_hh_l0": carried.bias,',
        '"bias_hh_l0": torch.zeros_like(carried.bias),',
    ),
    (
        "1-lstm-learns-far-endings",
        "the deciding word is hidden from the network",
        "said = [model(notes[:, :-1])[:, -1].argmax(dim=-1) for notes in drawn]",
        "said = [model(notes[:, -6:-1])[:, -1].argmax(dim=-1) for notes in drawn]",
    ),
    (
        "1-counting-beats-rnn",
        "the counts stop one word short of the deciding one",
        '"counts, 8 words": np.array([endings_counted(counts, 9) for counts in counted])',
        '"counts, 8 words": np.array([endings_counted(counts, 8) for counts in counted])',
    ),
    (
        "1-perplexity-hides-distance",
        "the mean is taken over notes, and not over words",
        "words += notes[:, 1:].numel()",
        "words += len(notes)",
    ),
    (
        "1-rnn-decay-exponential",
        "the line is fitted to the gradient, not to its logarithm",
        "decays = [np.log10(run[10:])",
        "decays = [np.array(run[10:])",
    ),
    (
        "1-rnn-factor-predicted",
        "the slope of the tanh is forgotten",
        "return lengths, 1 - torch.cat(states[10:]).detach() ** 2",
        "return lengths, torch.ones_like(torch.cat(states[10:]))",
    ),
    (
        "1-tanh-hides-explosion",
        "the slope of the tanh is left out on the way back",
        "squash(cell.input_projection(token) + cell.state_projection(state[0]))",
        "(lambda z: z + (squash(z) - z).detach())("
        "cell.input_projection(token) + cell.state_projection(state[0]))",
    ),
    (
        "1-lstm-as-made-vanishes",
        "the forget gate is held at one",
        'runs["LSTM as made"] = [lstm_gradients(0.0, seed)',
        'runs["LSTM as made"] = [lstm_gradients(20.0, seed)',
    ),
    (
        "1-start-makes-up-for-kind",
        "the weights have the spread with which torch would have drawn them",
        "made_rnn_gradients(seed, 0.8)",
        "made_rnn_gradients(seed, 0.8 / math.sqrt(3))",
    ),
    (
        "1-forget-bias-revives",
        "the forget bias is not set",
        'runs["LSTM, forget bias 3"] = [lstm_gradients(3.0, seed)',
        'runs["LSTM, forget bias 3"] = [lstm_gradients(0.0, seed)',
    ),
    (
        "1-attention-blind-to-lag",
        "the scores fall with the distance",
        "attention(x @ weights[0], x @ weights[1], x @ weights[2])",
        "attention(x @ weights[0], x @ weights[1], x @ weights[2], "
        "bias=0.1 * torch.arange(length).double().expand(length, length))",
    ),
    (
        "1-three-starts-recall",
        "the token asked for is hidden from the networks",
        "said = model(test.tokens).argmax(dim=-1)",
        "said = model(torch.cat([test.tokens[:, -1:], test.tokens[:, 1:]], dim=1)).argmax(dim=-1)",
    ),
    (
        "1-attention-recalls-far",
        "the token asked for is hidden from the networks",
        "said = model(test.tokens).argmax(dim=-1)",
        "said = model(torch.cat([test.tokens[:, -1:], test.tokens[:, 1:]], dim=1)).argmax(dim=-1)",
    ),
    (
        "1-fixed-weights-recall",
        "the learned weights are made equal",
        "first_at_80 = [recalled(model, 80) for model in taught_weights]",
        "for model in taught_weights:\n"
        "    nn.init.constant_(model.network.weights, 1 / 81)\n"
        "first_at_80 = [recalled(model, 80) for model in taught_weights]",
    ),
    (
        "1-attention-goes-where-asked",
        "every question is for the first place",
        "[recalled(model, 80, asked_place) for model in models]",
        "[\n"
        "    recalled(model, 80, lambda n, lag, generator: (\n"
        "        lambda drawn: recall.FirstToken(\n"
        "            drawn.tokens.index_fill(1, torch.tensor([lag]), 8), drawn.target\n"
        "        )\n"
        "    )(asked_place(n, lag, generator)))\n"
        "    for model in models\n"
        "]",
    ),
    (
        "1-start-is-not-all",
        "the deciding word is hidden from the network",
        "said = [model(notes[:, :-1])[:, -1].argmax(dim=-1) for notes in drawn]",
        "said = [model(notes[:, -6:-1])[:, -1].argmax(dim=-1) for notes in drawn]",
    ),
    (
        "1-rnn-chain-grows",
        "the RNN reads the first token only",
        "longest_chain(network(x)[0])",
        "longest_chain(network(x[:, :1])[0])",
    ),
    (
        "1-attention-chain-constant",
        "attention reads the states of an RNN",
        "attention(*(project(x) for project in look))",
        'attention(*(project(networks["RNN"](x)[0]) for project in look))',
    ),
    (
        "1-batch-adds-no-chain",
        "the sequences are put end to end",
        "network(many)[0]",
        "network(many.flatten(0, 1)[None])[0]",
    ),
    (
        "1-fixed-vector-falls",
        "long numbers are cut to their last three digits",
        "batch = numerals.encode(numbers)",
        "batch = numerals.encode([number % 900 + 100 for number in numbers])",
    ),
    (
        "1-fixed-vector-fails-trained",
        "long numbers are cut to their last three digits",
        "batch = numerals.encode(numbers)",
        "batch = numerals.encode([number % 900 + 100 for number in numbers])",
    ),
    (
        "1-look-back-translates",
        "there is one state to look back at, the last",
        "source = model.encode(batch.source, batch.source_lengths)\n        said",
        "source = model.encode(batch.source, batch.source_lengths)\n"
        "        last = source.states[:, -1:].expand_as(source.states)\n"
        "        source = type(source)(last, source.mask, source.summary)\n        said",
    ),
    (
        "1-catastrophic-interference",
        "the ones are practised along with the twos",
        "then = practise(first, *twos, 210",
        "then = practise(first, *both, 210",
    ),
]
