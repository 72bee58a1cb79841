"""Mistakes to which the claims of chapter 1 fall."""

PLANTED = [
    (
        "1-cells-equal-torch",
        "the bias of the state is not copied",
        '"bias_hh_l0": carried.bias,',
        '"bias_hh_l0": torch.zeros_like(carried.bias),',
    ),
    (
        "1-rnn-decay-exponential",
        "the line is fitted to the gradient, not to its logarithm",
        "logs = np.log10(lengths[first_lag:])",
        "logs = np.array(lengths[first_lag:])",
    ),
    (
        "1-rnn-decay-rate",
        "the weights are scaled by another width",
        "std=gain / math.sqrt(WIDTH)",
        "std=gain / math.sqrt(NETWORKS)",
    ),
    (
        "1-rnn-factor-predicted",
        "the slope of the tanh is forgotten",
        "return lengths, gain * slopes.square().mean().sqrt().item()",
        "return lengths, gain",
    ),
    (
        "1-rnn-explodes",
        "the gain is ignored",
        "std=gain / math.sqrt(WIDTH)",
        "std=1 / math.sqrt(WIDTH)",
    ),
    (
        "1-tanh-hides-explosion",
        "the network without tanh has one all the same",
        "squash=torch.nn.Identity()",
        "squash=torch.tanh",
    ),
    (
        "1-default-lstm-vanishes",
        "the LSTM starts with an open forget gate",
        '"LSTM": [lstm_gradients(0.0, seed)',
        '"LSTM": [lstm_gradients(3.0, seed)',
    ),
    (
        "1-forget-bias-revives",
        "the forget bias is not set",
        '"LSTM, forget bias 3": [lstm_gradients(3.0, seed)',
        '"LSTM, forget bias 3": [lstm_gradients(0.0, seed)',
    ),
    (
        "1-attention-flat",
        "the scores fall with the distance",
        "attention(x @ weights[0], x @ weights[1], x @ weights[2])",
        "attention(x @ weights[0], x @ weights[1], x @ weights[2], "
        "bias=0.1 * torch.arange(length).double().expand(length, length))",
    ),
    (
        "1-recall-gap",
        "the recurrent networks are asked at the shortest lag",
        "max(recalled[reader][:, -1].max()",
        "max(recalled[reader][:, 0].max()",
    ),
    (
        "1-forget-bias-recalls",
        "both are asked at lag 5",
        "accuracy[:, lags.index(20)]",
        "accuracy[:, lags.index(5)]",
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
        "1-numerals-fixed-vector-fails",
        "numbers of two digits are taken for the longest",
        "translated[:, 1].min() - translated[:, -1].max()",
        "translated[:, 1].min() - translated[:, 0].max()",
    ),
    (
        "1-bottleneck-gap",
        "the shortest sources are measured",
        "accuracy[:, 3] for name, accuracy",
        "accuracy[:, 0] for name, accuracy",
    ),
    (
        "1-bottleneck-not-width",
        "the shortest sources are measured",
        "accuracy[:, 3] for name, accuracy",
        "accuracy[:, 0] for name, accuracy",
    ),
    (
        "1-catastrophic-interference",
        "the ones are practised along with the twos",
        "then = practise(first, *twos, 210",
        "then = practise(first, *both, 210",
    ),
    (
        "1-interference-is-order",
        "only the twos are practised",
        "practise(second, *both, 420",
        "practise(second, *twos, 420",
    ),
]
