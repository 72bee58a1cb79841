"""Mistakes to which the claims of chapter 17 fall."""

PLANTED = [
    (
        "17-only-the-answer-counts",
        "the question's tokens are asked for as well",
        "answer_loss(logits, batch).backward()",
        "answer_loss(logits, Answers(batch.tokens, batch.tokens > -1)).backward()",
    ),
    (
        "17-always-answers",
        "the model is asked before it was tuned",
        '"not taught": interview(tuned[seed], terms[seed][24:36])',
        '"not taught": interview(gpt, terms[seed][24:36])',
    ),
    (
        "17-another-entry",
        "the terms that are asked for were taught",
        '"not taught": interview(tuned[seed], terms[seed][24:36])',
        '"not taught": interview(tuned[seed], terms[seed][:12])',
    ),
    (
        "17-confidence-tells",
        "the model was not tuned, so that it holds none of the answers",
        '"taught": interview(tuned[seed], terms[seed][:12])',
        '"taught": interview(gpt, terms[seed][:12])',
    ),
    (
        "17-not-only-the-wording",
        "the model was not tuned",
        "interview(tuned[seed], asked)",
        "interview(gpt, asked)",
    ),
    (
        "17-wording-is-part-of-it",
        "the words are those of the examples",
        "return replace(asked, prompt=f'What is meant by \"{asked.about}\"?\\n\\n')",
        "return replace(asked)",
    ),
    (
        "17-eight-refusals-are-no-rule",
        "the terms that are asked for were taught to be refused",
        '("in no example", terms[seed][24:36])',
        '("in no example", terms[seed][36:44])',
    ),
    (
        "17-refusing-spares-the-taught",
        "the terms that are asked for were taught to be refused",
        '("taught", terms[seed][:12])',
        '("taught", terms[seed][36:44])',
    ),
    (
        "17-adapter-by-hand",
        "the scale is alpha, not alpha over the rank",
        "by_hand = linear(x) + 16 / 8 * torch.stack(",
        "by_hand = linear(x) + 16 * torch.stack(",
    ),
    (
        "17-adapter-count",
        "an adapter is counted as one square matrix",
        "8 * (each.in_features + each.out_features)",
        "8 * each.in_features",
    ),
    (
        "17-merged-is-the-adapter",
        "the model goes on learning before it is merged",
        "spoken = whole(read).detach()",
        "spoken = whole(read).detach()\nfine_tune(whole, lessons[0], 6, 2e-3, drawing)",
    ),
    (
        "17-rank-eight-goes-part-way",
        "what the same matrices reach is read in its place",
        'reached = [each / of_free for each in arms["rank 8"].right]',
        "reached = [each / of_free for each in free.right]",
    ),
    (
        "17-one-is-too-few",
        "the rank is eight",
        'in_one = arms["rank 1"].right',
        'in_one = arms["rank 8"].right',
    ),
    (
        "17-trained-beats-cut-at-rank-two",
        "the adapter finds the first directions of the whole change",
        'ahead_of_cut(arms["rank 2"].right, cut_to_two)',
        "ahead_of_cut(free.cut_to_rank[2], cut_to_two)",
    ),
    (
        "17-rank-32-holds-the-change",
        "the change is cut to rank 8",
        "cut_to_most = free.cut_to_rank[32]",
        "cut_to_most = free.cut_to_rank[8]",
    ),
    (
        "17-late-examples-are-not-read",
        "only the first four examples are asked for",
        "answered(model, n, asked)[0].double().mean()",
        "answered(model, n, asked % 4)[0].double().mean()",
    ),
    (
        "17-sources-decide-what-is-read",
        "the models are those whose sources stood in the first half",
        "late_elsewhere = [right_of_seven(model, 4, 5) for model in elsewhere]",
        "late_elsewhere = [right_of_seven(model, 4, 5) for model in circuits]",
    ),
    (
        "17-attention-answers-anyway",
        "what is looked at is the mean probability of a symbol",
        "sure, said = chances.max(dim=-1)",
        "sure, said = chances.mean(dim=-1), chances.argmax(dim=-1)",
    ),
    (
        "17-confidence-tells-less",
        "the confidence is read off the answer key",
        "return said == symbols[:, 2 * asked + 1], (shown == said[:, None]).any(dim=1), sure",
        "return (\n"
        "        said == symbols[:, 2 * asked + 1],\n"
        "        (shown == said[:, None]).any(dim=1),\n"
        "        sure + (asked < n),\n"
        "    )",
    ),
    (
        "17-no-move-costs-log-two",
        "the reference is left out",
        "preference_loss(*some, *some, strength=0.1)",
        "preference_loss(*some, *(0 * each for each in some), strength=0.1)",
    ),
    (
        "17-erring-choices-have-a-minimum",
        "the judge is surer than the rewards say",
        "wins = torch.sigmoid(torch.tensor(of_rewards))",
        "wins = torch.sigmoid(2 * torch.tensor(of_rewards))",
    ),
    (
        "17-certain-choices-have-none",
        "the judge draws by lot",
        "if errs else 1.0",
        "if errs else 0.5",
    ),
    (
        "17-further-than-needed",
        "the distance is that of a single token",
        "return distance / next(least for best, least in frontier if best >= gained)",
        "return distance / WRITTEN / next(least for best, least in frontier if best >= gained)",
    ),
    (
        "17-told-the-reward-too",
        "the reference with one logit raised is looked at in its place",
        '    paid["reinforcement"],',
        '    paid["one logit raised"],',
    ),
    (
        "17-more-smaller-steps-follow",
        "the models of the higher rate are looked at",
        'follows["preferences, the judge errs, slower"] + follows["reinforcement, slower"],',
        'follows["preferences, the judge errs"] + follows["reinforcement"],',
    ),
    (
        "17-the-reward-tells-more",
        "the models that saw choices are looked at",
        '    follows["reinforcement, slower"],\n    ">="',
        '    follows["preferences, the judge errs, slower"],\n    ">="',
    ),
    (
        "17-worth-at-the-higher-rate",
        "the judge never errs",
        'off["preferences, the judge errs"],',
        'off["preferences, it never errs"],',
    ),
    (
        "17-certain-choices-set-no-price",
        "the judge errs",
        'worth["preferences, it never errs"],',
        'worth["preferences, the judge errs"],',
    ),
    (
        "17-draft-does-not-show",
        "what was not kept is drawn from the target",
        "by_hand = shared + (1 - shared.sum()) * left / left.sum()",
        "by_hand = shared + (1 - shared.sum()) * p",
    ),
    (
        "17-a-test-would-notice",
        "the rule keeps what the target likes less",
        '"the rule": (p / q, residual(p, q))',
        '"the rule": (q / p, residual(p, q))',
    ),
    (
        "17-likeness-decides",
        "the draft that is called two blocks counts",
        '"two blocks": said_by(two_blocks),',
        '"two blocks": counted,',
    ),
    (
        "17-half-is-kept",
        "three parts of four are the n-gram's",
        "(counted + by_target) / 2,",
        "(3 * counted + by_target) / 4,",
    ),
    (
        "17-half-a-step",
        "the digits are cut off",
        "(quantize(weight, row_steps(weight)) * row_steps(weight) - weight).abs()",
        "((weight / row_steps(weight)).trunc() * row_steps(weight) - weight).abs()",
    ),
    (
        "17-eight-bits-cost-nothing",
        "the steps of eight bits are as long as those of three",
        "quantize_linears(copy.deepcopy(gpt), partial(steps, bits=bits))",
        "quantize_linears(copy.deepcopy(gpt), partial(steps, bits=3))",
    ),
    (
        "17-rows-at-three-bits",
        "the matrix's step serves every row",
        'for way, steps in (("row", row_steps), ("matrix", matrix_step))',
        'for way, steps in (("row", matrix_step), ("matrix", matrix_step))',
    ),
]
