"""Wrong answers to the exercises of chapter 1, each with the words that its verdict must say."""

import textwrap


def falling_back(
    lengths="(2, 1, 0)",
    last="context[len(context) - n:]",
    enough="len(context) >= n and counts",
    share="count / counts.total()",
    seen="range(len(words) - n)",
):
    """An answer to 1.1, right but for what is given."""
    return f"""
def next_word_probabilities(words, context):
    for n in {lengths}:
        last = {last}
        counts = Counter(words[i + n] for i in {seen} if words[i : i + n] == last)
        if {enough}:
            return {{word: {share} for word, count in counts.items()}}
    return {{}}
exercises.check_next_word_probabilities(next_word_probabilities)
"""


def weight_gradient(line, result="so_far"):
    """An answer to 1.2 whose derivative after a step is the line's."""
    return f"""
def recurrent_weight_gradient(w, u, inputs):
    old, so_far = 0.0, 0.0
    for x in inputs:
        new = math.tanh(w * x + u * old)
        so_far = {line}
        old = new
    return {result}
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
"""


def opened(body):
    """An answer to 1.3 that goes through the parameters with the given lines."""
    return f"""
def open_forget_gate(lstm, bias):
    quarter = slice(lstm.hidden_size, 2 * lstm.hidden_size)
    with torch.no_grad():
        for name, parameter in lstm.named_parameters():
{textwrap.indent(textwrap.dedent(body).strip(), " " * 12)}
    return lstm
exercises.check_open_forget_gate(open_forget_gate)
"""


def examined(
    contexts="[[], *([word] for word in model.words), [*model.words] * 2]",
    positive="p.min() >= 0",
    one="abs(p.sum() - 1) < 0.01",
    again="torch.equal(p, model(context))",
    result="bool(fine)",
):
    """An answer to 1.4, right but for what is given."""
    return f"""
def is_language_model(model):
    fine = True
    for context in {contexts}:
        p = model(context)
        fine = fine and {positive} and {one} and {again}
    return {result}
exercises.check_is_language_model(is_language_model)
"""


def gradient(
    product="through @ one_step",
    norm="torch.linalg.matrix_norm(through, 2)",
    derivative="lambda state: step(x, state), state",
    walk="zip(reversed(inputs), reversed(states[:-1]))",
    result="torch.stack(norms)",
):
    """An answer to 1.5, right but for what is given."""
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
        "no falling back",
        "you give nothing",
        falling_back(lengths="(2,)"),
    ),
    (
        "1.1",
        "a bigram model",
        "you looked at too few words",
        falling_back(lengths="(1, 0)"),
    ),
    (
        "1.1",
        "from two words to none",
        "you fall back on all words at once",
        falling_back(lengths="(2, 0)"),
    ),
    (
        "1.1",
        "counts instead of probabilities",
        "your numbers are counts",
        falling_back(share="count"),
    ),
    (
        "1.1",
        "the end of the text counted as if it went on",
        "the end of the text has no word after it",
        falling_back(
            share="count / sum(words[i : i + n] == last for i in range(len(words) - n + 1))"
            " if n else count / len(words)",
        ),
    ),
    (
        "1.1",
        "the whole context, however long",
        "only the last two words of the context count",
        falling_back(lengths="(len(context), 0)", last="context[:n]"),
    ),
    (
        "1.1",
        "the first words of the context",
        "your probabilities are",
        falling_back(last="context[:n]"),
    ),
    (
        "1.1",
        "the counts of all contexts added",
        "you mix contexts",
        """
def next_word_probabilities(words, context):
    counts = Counter()
    for n in range(min(2, len(context)) + 1):
        last = context[len(context) - n:]
        counts += Counter(words[i + n] for i in range(len(words) - n) if words[i : i + n] == last)
    return {word: count / counts.total() for word, count in counts.items()}
exercises.check_next_word_probabilities(next_word_probabilities)
""",
    ),
    (
        "1.1",
        "the likeliest word alone",
        "expected a dict",
        falling_back().replace("return {word:", "return max(counts, key=counts.get)\n    {word:"),
    ),
    (
        "1.1",
        "one added to every count",
        "you add one to every count",
        falling_back(share="(counts[word] + 1) / (counts.total() + len(set(words)))").replace(
            "for word, count in counts.items()", "for word in set(words)"
        ),
    ),
    (
        "1.1",
        "the last place left out",
        "you leave out the first or the last place",
        falling_back(seen="range(len(words) - n - 1)"),
    ),
    (
        "1.1",
        "all words that followed alike",
        "all words get the same",
        falling_back(share="1 / len(counts)"),
    ),
    (
        "1.2",
        "the last step alone",
        "the last step's share alone",
        weight_gradient("(1 - new**2) * old"),
    ),
    (
        "1.2",
        "no slope of the tanh",
        "your formula has no slope",
        weight_gradient("old + u * so_far"),
    ),
    (
        "1.2",
        "no slope on the way back",
        "on the way back every step has one too",
        weight_gradient("(1 - new**2) * old + u * so_far"),
    ),
    (
        "1.2",
        "no slope where the weight is used",
        "missing where u is used",
        weight_gradient("old + u * (1 - new**2) * so_far"),
    ),
    (
        "1.2",
        "the slope at the old state",
        "your slope is taken at the state before",
        weight_gradient("(1 - old**2) * (old + u * so_far)"),
    ),
    (
        "1.2",
        "no square in the slope",
        "with a square",
        weight_gradient("(1 - new) * (old + u * so_far)"),
    ),
    (
        "1.2",
        "a sigmoid's slope",
        "that of a sigmoid",
        weight_gradient("new * (1 - new) * (old + u * so_far)"),
    ),
    (
        "1.2",
        "the new state for the old one",
        "you took the one after it",
        weight_gradient("(1 - new**2) * (new + u * so_far)"),
    ),
    (
        "1.2",
        "by the other weight",
        "that is dh_T / dw",
        weight_gradient("(1 - new**2) * (x + u * so_far)"),
    ),
    (
        "1.2",
        "no weight on the way back",
        "a factor u is missing",
        weight_gradient("(1 - new**2) * (old + so_far)"),
    ),
    (
        "1.2",
        "the input's weight on the way back",
        "you multiply by w",
        weight_gradient("(1 - new**2) * (old + w * so_far)"),
    ),
    (
        "1.2",
        "shares added where they arise",
        "without sending it on",
        weight_gradient("so_far + (1 - new**2) * old"),
    ),
    (
        "1.2",
        "summed over all states",
        "you add up dh_t / du over all states",
        """
def recurrent_weight_gradient(w, u, inputs):
    old, so_far, total = 0.0, 0.0, 0.0
    for x in inputs:
        new = math.tanh(w * x + u * old)
        so_far = (1 - new**2) * (old + u * so_far)
        total += so_far
        old = new
    return total
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.2",
        "by the initial state",
        "that is dh_T / dh_0",
        """
def recurrent_weight_gradient(w, u, inputs):
    h, chain = 0.0, 1.0
    for x in inputs:
        h = math.tanh(w * x + u * h)
        chain *= u * (1 - h**2)
    return chain
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.2",
        "a minus sign",
        "your number has the wrong sign",
        weight_gradient("(1 - new**2) * (old + u * so_far)", "-so_far"),
    ),
    (
        "1.2",
        "autograd",
        "autograd is switched off here",
        """
def recurrent_weight_gradient(w, u, inputs):
    u = torch.tensor(u, dtype=torch.float64, requires_grad=True)
    h = torch.zeros((), dtype=torch.float64)
    for x in inputs:
        h = torch.tanh(w * x + u * h)
    h.backward()
    return u.grad
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.2",
        "a list of the steps' shares",
        "expected one number",
        weight_gradient("(1 - new**2) * (old + u * so_far)", "[so_far, old]"),
    ),
    (
        "1.2",
        "the shares averaged",
        "you divide by the number of steps",
        weight_gradient("(1 - new**2) * (old + u * so_far)", "so_far / len(inputs)"),
    ),
    (
        "1.2",
        "the slope at what goes into the tanh",
        "your slope squares what goes into the tanh",
        weight_gradient("(1 - (w * x + u * old) ** 2) * (old + u * so_far)"),
    ),
    (
        "1.3",
        "the code as it was given",
        "you set the input gate",
        opened("""
            if name.startswith("bias"):
                parameter[: lstm.hidden_size] = bias
        """),
    ),
    (
        "1.3",
        "the third quarter",
        "you set the candidate",
        opened("""
            if name.startswith("bias_ih"):
                parameter.chunk(4)[2].fill_(bias)
            elif name.startswith("bias"):
                parameter.chunk(4)[2].zero_()
        """),
    ),
    (
        "1.3",
        "both of torch's biases",
        "at twice the bias",
        opened("""
            if name.startswith("bias"):
                parameter[quarter] = bias
        """),
    ),
    (
        "1.3",
        "one of torch's biases, the other left as drawn",
        "the other keeps its random numbers",
        opened("""
            if name.startswith("bias_ih"):
                parameter[quarter] = bias
        """),
    ),
    (
        "1.3",
        "added to what was drawn",
        "you add to the bias that torch drew",
        opened("""
            if name.startswith("bias_ih"):
                parameter[quarter] += bias
        """),
    ),
    (
        "1.3",
        "the first layer alone",
        "the second layer still has its old",
        opened("""
            if name.startswith("bias") and "l0" in name:
                parameter[quarter] = bias / 2
        """),
    ),
    (
        "1.3",
        "forwards alone",
        "the backward direction still has its old",
        opened("""
            if name.startswith("bias") and "reverse" not in name:
                parameter[quarter] = bias / 2
        """),
    ),
    (
        "1.3",
        "the rest of the biases emptied",
        "the forget gate is set, and so is the candidate",
        opened("""
            if name.startswith("bias"):
                parameter.zero_()
                parameter[quarter] = bias / 2
        """),
    ),
    (
        "1.3",
        "the weights too",
        "weights stay as torch drew them",
        opened("""
            parameter[quarter] = bias / 2
        """),
    ),
    (
        "1.3",
        "a copy of the bias",
        "no bias has changed",
        opened("""
            if name.startswith("bias"):
                parameter.clone()[quarter] = bias / 2
        """),
    ),
    (
        "1.3",
        "a new network",
        "something else than the network",
        """
def open_forget_gate(lstm, bias):
    return LSTM(lstm.input_size, lstm.hidden_size, forget_bias=bias)
exercises.check_open_forget_gate(open_forget_gate)
""",
    ),
    (
        "1.3",
        "a quarter that is one unit short",
        "you set 4: a quarter is hidden_size long",
        opened("""
            if name.startswith("bias"):
                parameter[quarter][:-1] = bias / 2
        """),
    ),
    (
        "1.3",
        "whole numbers only",
        "your bias has lost its fraction",
        opened("""
            if name.startswith("bias"):
                parameter[quarter] = bias // 2
        """),
    ),
    (
        "1.4",
        "equal bits",
        "your test refuses what is right: a bigram model; a bigram model in double precision",
        examined(one="p.sum() == 1"),
    ),
    (
        "1.4",
        "no word may have probability zero",
        "refuses what is right: a model that is certain of one word",
        examined(positive="p.min() > 0"),
    ),
    (
        "1.4",
        "nothing said of signs",
        "lets 1 of 12 impostors through: probabilities that sum to one, one of them below zero",
        examined(positive="True"),
    ),
    (
        "1.4",
        "a sum that may be off by a quarter",
        "lets 2 of 12 impostors through: the model read backwards",
        examined(one="abs(p.sum() - 1) < 0.25"),
    ),
    (
        "1.4",
        "asked once",
        "lets 1 of 12 impostors through: a state that is left over from the last text",
        examined(again="True"),
    ),
    (
        "1.4",
        "never asked at the start",
        "lets 1 of 12 impostors through: not-a-number at the start of a text",
        examined(contexts="[*([word] for word in model.words), [*model.words] * 2]"),
    ),
    (
        "1.4",
        "short contexts alone",
        "lets 1 of 12 impostors through: zeros after contexts of more than eight words",
        examined(contexts="[[], *([word] for word in model.words)]"),
    ),
    (
        "1.4",
        "one word alone",
        "lets 1 of 12 impostors through: nothing but zeros after the word 'down'",
        examined(contexts="[[], [model.words[0]], [*model.words, model.words[0]] * 2]"),
    ),
    (
        "1.4",
        "the other way round",
        "your test says the opposite",
        examined(result="not fine"),
    ),
    (
        "1.4",
        "a word where a list is asked for",
        "something that is no list of the model's words",
        examined(contexts='["battery"]'),
    ),
    (
        "1.4",
        "the sum instead of a verdict",
        "expected True (honest) or False",
        """
def is_language_model(model):
    return float(model(["the"]).sum())
exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "1.4",
        "everything passes",
        "calls everything honest",
        """
def is_language_model(model):
    return len(model(["the"])) == len(model.words)
exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "1.5",
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
        "1.5",
        "sum instead of norm",
        "you sum the Jacobian's entries",
        gradient(norm="through.sum()"),
    ),
    ("1.5", "Frobenius norm", "yours is the Frobenius norm", gradient(norm="through.norm()")),
    (
        "1.5",
        "matrices in the wrong order",
        "multiplied in the wrong order",
        gradient(product="one_step @ through"),
    ),
    (
        "1.5",
        "one step alone",
        "that of one step alone",
        gradient(product="one_step"),
    ),
    (
        "1.5",
        "the end of the path moves",
        "you move the end of the path",
        gradient(product="one_step @ through", walk="zip(inputs, states[:-1])"),
    ),
    (
        "1.5",
        "in the order of time",
        "your norms are in the order of time",
        gradient(result="torch.stack(norms).flip(0)"),
    ),
    ("1.5", "no lag 0", "your norms begin at lag 1", gradient(result="torch.stack(norms[1:])")),
    (
        "1.5",
        "norms multiplied",
        "that is a bound and not the norm",
        gradient(
            product="one_step",
            result="torch.cumprod(torch.stack(norms), 0)",
        ),
    ),
    (
        "1.2",
        "the tanh of a state once more",
        "takes the tanh of a state",
        """
def recurrent_weight_gradient(w, u, inputs):
    h, d = 0.0, 0.0
    for x in inputs:
        new = math.tanh(w * x + u * h)
        d = (1 - math.tanh(new)**2) * (h + u * d)
        h = new
    return d

exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.5",
        "entry by entry",
        "you multiply entry by entry with *",
        gradient(product="through * one_step"),
    ),
    (
        "1.5",
        "the largest eigenvalue",
        "yours is the largest eigenvalue: the norm",
        gradient(norm="torch.linalg.eigvals(through).abs().max()"),
    ),
    (
        "1.5",
        "from the first step on",
        "you multiply from the first step on",
        gradient(walk="zip(inputs, states[:-1])"),
    ),
    (
        "1.5",
        "the Jacobians at the states after the steps",
        "is taken at the state after its step",
        """
def jacobian_norms(step, inputs, initial):
    states = [initial]
    for x in inputs:
        states.append(step(x, states[-1]))
    J = torch.eye(len(initial), dtype=initial.dtype)
    norms = [torch.linalg.matrix_norm(J, ord=2)]
    for t in reversed(range(len(inputs))):
        J = J @ torch.autograd.functional.jacobian(lambda h: step(inputs[t], h), states[t + 1])
        norms.append(torch.linalg.matrix_norm(J, ord=2))
    return torch.stack(norms)

exercises.check_jacobian_norms(jacobian_norms)
""",
    ),
]

ALSO_RIGHT = [
    (
        "1.1",
        "tables by context, with zeros for what never follows",
        """
def next_word_probabilities(words, context):
    table = {}
    for n in (0, 1, 2):
        for i in range(len(words) - n):
            table.setdefault(tuple(words[i : i + n]), Counter())[words[i + n]] += 1
    ends = [tuple(context[at:]) for at in range(len(context) + 1)]
    counts = next(table[end] for end in ends if end in table)
    return {word: counts[word] / counts.total() for word in set(words)}
exercises.check_next_word_probabilities(next_word_probabilities)
""",
    ),
    (
        "1.2",
        "a sum over the steps, each with its chain",
        """
def recurrent_weight_gradient(w, u, inputs):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * x + u * h[-1]))
    slopes = [1 - each * each for each in h]
    total = 0.0
    for t in range(1, len(h)):
        total += h[t - 1] * slopes[t] * math.prod(u * s for s in slopes[t + 1:])
    return total
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.2",
        "tensors in single precision",
        """
def recurrent_weight_gradient(w, u, inputs):
    h, so_far = torch.zeros(()), torch.zeros(())
    for x in torch.tensor(inputs):
        new = torch.tanh(w * x + u * h)
        h, so_far = new, (1 - new.square()) * (h + u * so_far)
    return so_far
exercises.check_recurrent_weight_gradient(recurrent_weight_gradient)
""",
    ),
    (
        "1.3",
        "half into each of the two biases",
        opened("""
            if name.startswith("bias"):
                parameter.chunk(4)[1].fill_(bias / 2)
        """),
    ),
    (
        "1.4",
        "pairs of words as well, and allclose",
        """
def is_language_model(model):
    pairs = [list(pair) for pair in itertools.product(model.words, repeat=2)]
    contexts = [[], *pairs, list(model.words) * 3]
    first = [model(context) for context in contexts]
    second = [model(context) for context in contexts]
    return all(
        torch.allclose(a, b, atol=1e-6)
        and bool((a >= 0).all())
        and math.isclose(a.double().sum().item(), 1, abs_tol=5e-3)
        for a, b in zip(first, second)
    )
exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "1.5",
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
