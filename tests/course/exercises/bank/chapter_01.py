"""Wrong answers to the exercises of chapter 1, each with the words that its verdict must say."""


def bigrams(body):
    """An answer to 1.1 that has counted pairs and goes on with the given lines."""
    return f"""
def bigram_probabilities(words):
    pairs = Counter(itertools.pairwise(words))
    firsts, seconds = Counter(words[:-1]), Counter(words[1:])
    table = {{}}
    for (word, after), count in pairs.items():
        {body}
    return table
exercises.check_bigram_probabilities(bigram_probabilities)
"""


def rnn(expression):
    """An answer to 1.2 that returns the expression."""
    return f"""
def rnn_step(x, hidden, input_weights, state_weights, bias):
    return {expression}
exercises.check_rnn_step(rnn_step)
"""


def lstm(
    memory="torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.tanh(g)",
    hidden="torch.sigmoid(o) * torch.tanh(new)",
    order="i, f, g, o",
    result="shown, new",
):
    """An answer to 1.3, right but for what is given."""
    return f"""
def lstm_step(x, hidden, memory, input_weights, state_weights, bias):
    {order} = (x @ input_weights + hidden @ state_weights + bias).chunk(4, dim=-1)
    new = {memory}
    shown = {hidden}
    return {result}
exercises.check_lstm_step(lstm_step)
"""


def gradient(
    product="through @ one_step",
    norm="torch.linalg.matrix_norm(through, 2)",
    derivative="lambda state: step(x, state), state",
    walk="zip(reversed(inputs), reversed(states[:-1]))",
    result="torch.stack(norms)",
):
    """An answer to 1.4, right but for what is given."""
    return f"""
def jacobian_norms(step, inputs, initial):
    states = [initial]
    for x in inputs:
        states.append(step(x, states[-1]))
    through = torch.eye(len(initial))
    norms = [{norm}]
    for x, state in {walk}:
        one_step = torch.autograd.functional.jacobian({derivative})
        through = {product}
        norms.append({norm})
    return {result}
exercises.check_jacobian_norms(jacobian_norms)
"""


WRONG = [
    (
        "1.1",
        "the last word is followed by the first",
        "your text wraps around",
        """
def bigram_probabilities(words):
    counts = {}
    for word, after in zip(words, [*words[1:], words[0]]):
        counts.setdefault(word, Counter())[after] += 1
    return {w: {a: n / row.total() for a, n in row.items()} for w, row in counts.items()}
exercises.check_bigram_probabilities(bigram_probabilities)
""",
    ),
    (
        "1.1",
        "joint instead of conditional",
        "these are joint probabilities",
        bigrams("table.setdefault(word, {})[after] = count / pairs.total()"),
    ),
    (
        "1.1",
        "counts instead of probabilities",
        "your numbers are counts",
        bigrams("table.setdefault(word, {})[after] = count"),
    ),
    (
        "1.1",
        "the model read backwards",
        "that is P(word | next)",
        bigrams("table.setdefault(word, {})[after] = count / seconds[after]"),
    ),
    (
        "1.1",
        "the table indexed by the next word",
        "swap the two keys",
        bigrams("table.setdefault(after, {})[word] = count / firsts[word]"),
    ),
    (
        "1.1",
        "the last word counted as a first word",
        "the last word of the text has no word after it",
        bigrams("table.setdefault(word, {})[after] = count / words.count(word)"),
    ),
    (
        "1.1",
        "a flat dictionary of pairs",
        "expected a dict of dicts",
        bigrams("table[word, after] = count / firsts[word]"),
    ),
    (
        "1.2",
        "no tanh",
        "there is no tanh",
        rnn("x @ input_weights + hidden @ state_weights + bias"),
    ),
    (
        "1.2",
        "matrices swapped",
        "your two matrices are swapped",
        rnn("torch.tanh(x @ state_weights + hidden @ input_weights + bias)"),
    ),
    (
        "1.2",
        "no recurrence",
        "nothing recurs",
        rnn("torch.tanh(x @ input_weights + bias)"),
    ),
    (
        "1.2",
        "a sigmoid",
        "you squash with a sigmoid",
        rnn("torch.sigmoid(x @ input_weights + hidden @ state_weights + bias)"),
    ),
    (
        "1.2",
        "no bias",
        "leaves the bias out",
        rnn("torch.tanh(x @ input_weights + hidden @ state_weights)"),
    ),
    (
        "1.2",
        "weights transposed, as torch stores them",
        "your matrices are transposed",
        rnn("torch.tanh(x @ input_weights.T + hidden @ state_weights.T + bias)"),
    ),
    (
        "1.2",
        "tanh over the token only",
        "your tanh covers the token only",
        rnn("torch.tanh(x @ input_weights + bias) + hidden @ state_weights"),
    ),
    (
        "1.3",
        "no forget gate",
        "the forget gate is missing",
        lstm(memory="memory + torch.sigmoid(i) * torch.tanh(g)"),
    ),
    (
        "1.3",
        "gates in another order",
        "in the order input, forget, output, candidate",
        lstm(order="i, f, o, g"),
    ),
    (
        "1.3",
        "input and forget gate swapped",
        "your input and forget gates are swapped",
        lstm(order="f, i, g, o"),
    ),
    (
        "1.3",
        "tanh and sigmoid swapped",
        "your tanh and sigmoid are swapped",
        lstm(memory="torch.tanh(f) * memory + torch.tanh(i) * torch.sigmoid(g)"),
    ),
    (
        "1.3",
        "candidate through a sigmoid",
        "your candidate is squashed by a sigmoid",
        lstm(memory="torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.sigmoid(g)"),
    ),
    (
        "1.3",
        "forgets where it should keep",
        "works the wrong way round",
        lstm(memory="(1 - torch.sigmoid(f)) * memory + torch.sigmoid(i) * torch.tanh(g)"),
    ),
    (
        "1.3",
        "raw memory shown",
        "shows the raw memory",
        lstm(hidden="torch.sigmoid(o) * new"),
    ),
    (
        "1.3",
        "no output gate",
        "the output gate is missing",
        lstm(hidden="torch.tanh(new)"),
    ),
    (
        "1.3",
        "memory returned first",
        "you return the memory first",
        lstm(result="new, shown"),
    ),
    (
        "1.4",
        "by the input instead of the state",
        "you differentiate by the input",
        """
def jacobian_norms(step, inputs, initial):
    states = [initial]
    for x in inputs:
        states.append(step(x, states[-1]))
    norms, through = [], torch.eye(len(initial))
    jacobian = torch.autograd.functional.jacobian
    for x, state in zip(reversed(inputs), reversed(states[:-1])):
        by_input = jacobian(lambda x: step(x, state), x)
        norms.append(torch.linalg.matrix_norm(through @ by_input, 2))
        through = through @ jacobian(lambda state: step(x, state), state)
    norms.append(torch.linalg.matrix_norm(through, 2))
    return torch.stack(norms)
exercises.check_jacobian_norms(jacobian_norms)
""",
    ),
    (
        "1.4",
        "sum instead of norm",
        "you sum the Jacobian's entries",
        gradient(norm="through.sum()"),
    ),
    ("1.4", "Frobenius norm", "yours is the Frobenius norm", gradient(norm="through.norm()")),
    (
        "1.4",
        "matrices in the wrong order",
        "multiplied in the wrong order",
        gradient(product="one_step @ through"),
    ),
    (
        "1.4",
        "one step alone",
        "that of one step alone",
        gradient(product="one_step"),
    ),
    (
        "1.4",
        "the end of the path moves",
        "you move the end of the path",
        gradient(product="one_step @ through", walk="zip(inputs, states[:-1])"),
    ),
    (
        "1.4",
        "in the order of time",
        "your norms are in the order of time",
        gradient(result="torch.stack(norms).flip(0)"),
    ),
    ("1.4", "no lag 0", "your norms begin at lag 1", gradient(result="torch.stack(norms[1:])")),
    (
        "1.4",
        "norms multiplied",
        "that is a bound and not the norm",
        gradient(
            product="one_step",
            result="torch.cumprod(torch.stack(norms), 0)",
        ),
    ),
]

ALSO_RIGHT = [
    (
        "1.1",
        "a loop over all words, with zeros for what never follows",
        """
def bigram_probabilities(words):
    table = {}
    for word in words[:-1]:
        after = [second for first, second in zip(words, words[1:]) if first == word]
        table[word] = {other: after.count(other) / len(after) for other in set(words)}
    return table
exercises.check_bigram_probabilities(bigram_probabilities)
""",
    ),
    (
        "1.2",
        "einsum, in double precision",
        """
def rnn_step(x, hidden, input_weights, state_weights, bias):
    both = torch.cat([x, hidden], dim=1).double()
    weights = torch.cat([input_weights, state_weights]).double()
    return torch.einsum("bi,ij->bj", both, weights).add(bias).tanh()
exercises.check_rnn_step(rnn_step)
""",
    ),
    (
        "1.3",
        "torch's own cell",
        """
def lstm_step(x, hidden, memory, input_weights, state_weights, bias):
    cell = nn.LSTMCell(x.size(1), hidden.size(1))
    cell.load_state_dict({
        "weight_ih": input_weights.T, "weight_hh": state_weights.T,
        "bias_ih": bias, "bias_hh": torch.zeros_like(bias),
    })
    return cell(x, (hidden, memory))
exercises.check_lstm_step(lstm_step)
""",
    ),
    (
        "1.4",
        "autograd through the whole path at once",
        """
def jacobian_norms(step, inputs, initial):
    def last_state(state, start):
        for x in inputs[start:]:
            state = step(x, state)
        return state
    states = [initial]
    for x in inputs:
        states.append(step(x, states[-1]))
    norms = []
    for start in reversed(range(len(states))):
        whole = torch.func.jacrev(lambda state: last_state(state, start))(states[start])
        norms.append(float(np.linalg.svd(whole.detach().numpy())[1][0]))
    return norms
exercises.check_jacobian_norms(jacobian_norms)
""",
    ),
]
