"""Wrong answers to the exercises of chapter 14, each with the words that its verdict must say."""

INDUCTION = """
def induction_score(weights, tokens):
    found = []
    for row in range(len(tokens)):
        for i in range(tokens.size(1)):
            before = [j for j in range(i) if tokens[row, j] == tokens[row, i]]
            if before:
                found.append({})
    return torch.stack(found).mean(dim=0)

exercises.check_induction_score(induction_score)
"""

SILENCE = """
def silence(outputs, head, matrix, bias):
    muted = outputs.clone()
    muted[:, head] = 0.0
    {}

exercises.check_silence(silence)
"""

WRONG = [
    (
        "14.1",
        "the weight on the earlier occurrence",
        "finds its own like",
        INDUCTION.format("weights[row, :, i, before[-1]]"),
    ),
    (
        "14.1",
        "what stood before the earlier occurrence",
        "stood before the earlier occurrence",
        INDUCTION.format("weights[row, :, i, max(before[-1] - 1, 0)]"),
    ),
    (
        "14.1",
        "queries and keys exchanged",
        "queries and keys are exchanged",
        INDUCTION.format("weights[row, :, before[-1] + 1, i]"),
    ),
    (
        "14.1",
        "the first occurrence",
        "you take its first occurrence",
        INDUCTION.format("weights[row, :, i, before[0] + 1]"),
    ),
    (
        "14.1",
        "divided by all places",
        "you divide by all places",
        """
def induction_score(weights, tokens):
    total = 0
    for row in range(len(tokens)):
        for i in range(tokens.size(1)):
            before = [j for j in range(i) if tokens[row, j] == tokens[row, i]]
            if before:
                total = total + weights[row, :, i, before[-1] + 1]
    return total / tokens.numel()

exercises.check_induction_score(induction_score)
""",
    ),
    (
        "14.1",
        "the score of a previous-token head",
        "does not look at the tokens",
        """
def induction_score(weights, tokens):
    return weights.diagonal(offset=-1, dim1=2, dim2=3).mean(dim=(0, 2))

exercises.check_induction_score(induction_score)
""",
    ),
    (
        "14.1",
        "the heads are averaged away",
        "(5,) is expected",
        INDUCTION.format("weights[row, :, i, before[-1] + 1].mean()"),
    ),
    (
        "14.2",
        "the bias is left out",
        "left out the bias",
        SILENCE.format("return muted.transpose(1, 2).flatten(2) @ matrix"),
    ),
    (
        "14.2",
        "all others are silenced",
        "silenced all the others",
        SILENCE.format("return (outputs - muted).transpose(1, 2).flatten(2) @ matrix + bias"),
    ),
    (
        "14.2",
        "the others are scaled up",
        "scaled the other heads up",
        SILENCE.format(
            "return muted.transpose(1, 2).flatten(2) @ matrix * outputs.size(1)"
            " / (outputs.size(1) - 1) + bias"
        ),
    ),
    (
        "14.2",
        "columns in place of rows",
        "set columns of the matrix to zero",
        """
def silence(outputs, head, matrix, bias):
    width = outputs.size(-1)
    matrix = matrix.clone()
    matrix[:, head * width : (head + 1) * width] = 0.0
    return outputs.transpose(1, 2).flatten(2) @ matrix + bias

exercises.check_silence(silence)
""",
    ),
    (
        "14.2",
        "heads flattened without a transpose",
        "transpose first",
        SILENCE.format("return muted.reshape(len(muted), -1, len(matrix)) @ matrix + bias"),
    ),
    (
        "14.2",
        "the caller's outputs are changed",
        "in place",
        """
def silence(outputs, head, matrix, bias):
    outputs[:, head] = 0.0
    return outputs.transpose(1, 2).flatten(2) @ matrix + bias

exercises.check_silence(silence)
""",
    ),
    (
        "14.3",
        "a label for each occurrence",
        "different labels in different places",
        """
def control_labels(words, n_classes, generator):
    return torch.randint(n_classes, words.shape, generator=generator)

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.3",
        "a rule in place of chance",
        "follow from the word's number",
        """
def control_labels(words, n_classes, generator):
    return words % n_classes

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.3",
        "the generator is not used",
        "other labels each time",
        """
def control_labels(words, n_classes, generator):
    return torch.randint(n_classes, (int(words.max()) + 1,))[words]

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.3",
        "the last class is never drawn",
        "not all of your classes occur",
        """
def control_labels(words, n_classes, generator):
    return torch.randint(n_classes - 1, (int(words.max()) + 1,), generator=generator)[words]

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.3",
        "numbers that are no classes",
        "are no classes",
        """
def control_labels(words, n_classes, generator):
    return torch.rand(int(words.max()) + 1, generator=generator)[words]

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.4",
        "no norm",
        "left out the last norm",
        """
def lens(x, gain, bias, table):
    return x @ table.T

exercises.check_lens(lens)
""",
    ),
    (
        "14.4",
        "no gain and bias",
        "lacks its gain and bias",
        """
def lens(x, gain, bias, table):
    return F.layer_norm(x, x.shape[-1:]) @ table.T

exercises.check_lens(lens)
""",
    ),
    (
        "14.4",
        "probabilities",
        "logits come before the softmax",
        """
def lens(x, gain, bias, table):
    return (F.layer_norm(x, x.shape[-1:], gain, bias) @ table.T).softmax(dim=-1)

exercises.check_lens(lens)
""",
    ),
    (
        "14.4",
        "a norm over the tokens",
        "runs over the tokens",
        """
def lens(x, gain, bias, table):
    centred = x - x.mean(dim=1, keepdim=True)
    spread = (centred**2).mean(dim=1, keepdim=True).sqrt()
    return (gain * centred / spread + bias) @ table.T

exercises.check_lens(lens)
""",
    ),
    (
        "14.4",
        "states in place of logits",
        "(3, 13, 23) is expected",
        """
def lens(x, gain, bias, table):
    return F.layer_norm(x, x.shape[-1:], gain, bias)

exercises.check_lens(lens)
""",
    ),
    (
        "14.3",
        "a table as long as the text",
        "has no row in your table",
        """
def control_labels(words, n_classes, generator):
    return torch.randint(n_classes, (len(words),), generator=generator)[words]

exercises.check_control_labels(control_labels)
""",
    ),
]

ALSO_RIGHT = [
    ("14.1", "loops and a list", INDUCTION.format("weights[row, :, i, before[-1] + 1]")),
    (
        "14.2",
        "the whole less the head's part, in an einsum",
        """
def silence(outputs, head, matrix, bias):
    heads = matrix.view(outputs.size(1), outputs.size(3), -1)
    whole = torch.einsum("bhld,hdw->blw", outputs, heads)
    return whole - outputs[:, head] @ heads[head] + bias

exercises.check_silence(silence)
""",
    ),
    (
        "14.3",
        "a dictionary",
        """
def control_labels(words, n_classes, generator):
    label = {}
    for word in words.tolist():
        if word not in label:
            label[word] = int(torch.randint(n_classes, (1,), generator=generator))
    return torch.tensor([label[word] for word in words.tolist()])

exercises.check_control_labels(control_labels)
""",
    ),
    (
        "14.4",
        "the norm by hand",
        """
def lens(x, gain, bias, table):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = (centred**2).mean(dim=-1, keepdim=True)
    return torch.einsum("blw,vw->blv", gain * centred / (variance + 1e-5).sqrt() + bias, table)

exercises.check_lens(lens)
""",
    ),
]
