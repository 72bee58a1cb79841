"""Mistakes to which the claims of chapter 4 fall."""

PLANTED = [
    (
        "4-concat-is-sum",
        "each head meets every third row of W_O instead of its own run of rows",
        "found[i] @ W_O[i * d_k : (i + 1) * d_k]",
        "found[i] @ W_O[i::h]",
    ),
    (
        "4-right-split-no-leak",
        "the mask points the other way",
        "attention(q, k, v, causal(n))",
        "attention(q, k, v, causal(n).T)",
    ),
    (
        "4-wrong-split-leaks",
        "the wrong split is the right one",
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
        "only the better of the two answers is counted",
        "accuracy = shares.mean(dim=2)",
        "accuracy = shares.max(dim=2).values",
    ),
    (
        "4-one-head-answers-one",
        "the model with two heads is measured",
        "worse, better = shares[0]",
        "worse, better = shares[1]",
    ),
    (
        "4-heads-specialise",
        "the heads were never trained",
        "looks(models[2, seed])",
        "looks(TwoQuestions(32, 2))",
    ),
    (
        "4-ablation-is-selective",
        "rows of the stored matrix are erased, which belong to no head",
        "copy.attend.output_projection.weight[:, rows] = 0.0",
        "copy.attend.output_projection.weight[rows] = 0.0",
    ),
    (
        "4-too-many-heads",
        "the narrowest heads are never measured",
        "right_answers(models[k, s])",
        "right_answers(models[min(k, 16), s])",
    ),
]
