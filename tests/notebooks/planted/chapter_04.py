"""Mistakes to which the claims of chapter 4 fall."""

PLANTED = [
    (
        "4-columns-agree",
        "the formula as one lecture prints it, queries before keys",
        "torch.softmax(K.T @ Q / math.sqrt(d_k), dim=0)",
        "torch.softmax(Q.T @ K / math.sqrt(d_k), dim=0)",
    ),
    (
        "4-heads-share-the-width",
        "each head has the whole width for itself",
        "for p in MultiHeadAttention(d, k).parameters())",
        "for p in MultiHeadAttention(d * k, k).parameters())",
    ),
    (
        "4-concat-is-sum",
        "each head meets every third row of W_O instead of its own run of rows",
        "found[i] @ W_O[i * d_k : (i + 1) * d_k]",
        "found[i] @ W_O[i::h]",
    ),
    (
        "4-view-cuts-memory",
        "the width is cut first",
        "number.view(3, 4, 2)[0]",
        "number.view(4, 3, 2)[:, 0]",
    ),
    (
        "4-at-once-is-loop",
        "the heads are split by view alone",
        "query, key, value = (split_heads((X @ W)[None], h) for W in side_by_side)",
        "query, key, value = ((X @ W).view(1, h, n, d_k) for W in side_by_side)",
    ),
    (
        "4-right-split-no-leak",
        "the mask points the other way",
        "attention(q, k, v, causal(n))",
        "attention(q, k, v, causal(n).T)",
    ),
    (
        "4-wrong-split-leaks",
        "the split by view alone keeps tokens apart",
        "return x.view(batch, n_heads, length, width // n_heads)",
        "return x.view(batch, length, n_heads, width // n_heads).transpose(1, 2)",
    ),
    (
        "4-equals-torch",
        "the projections are copied without transposing them",
        "torch.cat([W.T for W in side_by_side])",
        "torch.cat([W for W in side_by_side])",
    ),
    (
        "4-equals-torch",
        "the weights of the output stay where they were",
        "torchs.out_proj.weight.copy_(W_O.T)",
        "pass",
    ),
    (
        "4-two-lookups",
        "both heads look with one distribution, the mean of the two",
        "two_heads = [right_answers(models[2, s]).mean() for s in SEEDS]",
        "two_heads = [right_if(models[2, s], lambda w: w.mean(1, keepdim=True).expand_as(w)).mean()"
        " for s in SEEDS]",
    ),
    (
        "4-one-head-mixes",
        "the head looks at one record alone",
        "least_look = [looks(models[1, s])[0, :2].min() for s in SEEDS]",
        "for s in SEEDS:\n    models[1, s].attend.query_projection.weight.data *= 20\n"
        "least_look = [looks(models[1, s])[0, :2].min() for s in SEEDS]",
    ),
    (
        "4-two-cuts",
        "the reader may cut elsewhere for each mixture, as a linear one may not",
        "right += ((p < c_2) == a_is_left_of_c_2) == second_is_a",
        "right += ((p < (places_of_cuts[-1] if p is p_ba else c_2)) == a_is_left_of_c_2)"
        " == second_is_a",
    ),
    (
        "4-hidden-reader",
        "the hidden layer has lost its bend after training",
        "with_hidden = [right_answers(model).mean() for model in hidden]",
        "for model in hidden:\n    model.reader[1] = nn.Identity()\n"
        "with_hidden = [right_answers(model).mean() for model in hidden]",
    ),
    (
        "4-hidden-reader",
        "the two weights are alike, so that they hold no order",
        "with_hidden = [right_answers(model).mean() for model in hidden]",
        "with_hidden = [right_if(model, lambda w: w * 0 + 0.1).mean() for model in hidden]",
    ),
    (
        "4-order-in-the-weights",
        "the weights that are exchanged are those of two other records",
        "exchanged = [in_exchanged_order(answers_if(model, exchange)) for model in hidden]",
        "asked_places = (asked_places + 1) % N_RECORDS\n"
        "exchanged = [in_exchanged_order(answers_if(model, exchange)) for model in hidden]",
    ),
    (
        "4-three-cuts",
        "the hidden layer has lost its bend",
        "logits = model.reader(outputs).unflatten(-1, (2, N_VALUES))[..., which, :]",
        "linear = [part for part in model.reader.modules() if isinstance(part, nn.Linear)]\n"
        "        logits = nn.Sequential(*linear)(outputs)"
        ".unflatten(-1, (2, N_VALUES))[..., which, :]",
    ),
    (
        "4-linear-reader-learns-sooner",
        "both heads look with one distribution, the mean of the two",
        'soon_linear = rights(early["two heads, linear reader"])',
        "soon_linear = torch.stack([right_if(model, lambda w: w.mean(1, keepdim=True).expand_as(w))"
        '.mean() for model in early["two heads, linear reader"]])',
    ),
    (
        "4-two-heads-hold-32-values",
        "the second head asks nothing",
        "two_with_many = rights(two_of_many, test_of_many)",
        "for model in two_of_many:\n"
        "    model.attend.query_projection.weight.data[WIDTH // 2 :] = 0.0\n"
        "two_with_many = rights(two_of_many, test_of_many)",
    ),
    (
        "4-heads-specialise",
        "both heads look with one distribution, the mean of the two",
        "served = [least_served(each) for each in (*look, *look_hidden)]",
        "served = [least_served(each.mean(0, keepdim=True)) for each in (*look, *look_hidden)]",
    ),
    (
        "4-removal-is-selective",
        "rows of the stored matrix are erased, which belong to no head",
        "changed.attend.output_projection.weight[:, rows] = 0.0",
        "changed.attend.output_projection.weight[rows] = 0.0",
    ),
    (
        "4-wrong-split-costs",
        "the split mixes no tokens: it is the one that only renames columns",
        "with_mixing = right_answers(mixing).mean()",
        "with_mixing = right_answers(renaming).mean()",
    ),
    (
        "4-width-one-ranks-names",
        "queries and keys are compared across the heads",
        "singular = torch.linalg.svdvals((query.double() @ key.double().mT)[0])",
        "singular = torch.linalg.svdvals((query.double() @ key.double().mT).sum(1))",
    ),
    (
        "4-narrow-keys",
        "of the wider keys only the first number is compared",
        "with_wider_keys = right_answers(wider_keys).mean()",
        "wider_keys.attend.key.weight.data[1::2] = wider_keys.attend.key.bias.data[1::2] = 0.0\n"
        "with_wider_keys = right_answers(wider_keys).mean()",
    ),
]
