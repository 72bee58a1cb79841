"""Mistakes to which the claims of chapter 9 fall."""

PLANTED = [
    (
        "9-decoder-block",
        "the residual around cross-attention is missing",
        "block.norm_2(x + block.cross_attention(x, memory))",
        "block.norm_2(block.cross_attention(x, memory))",
    ),
    (
        "9-memory-is-a-set",
        "the queries are shuffled too",
        "block(written, memory[:, new_order])",
        "block(written[:, [1, 0, 2, 3, 4, 5, 6]], memory[:, new_order])",
    ),
    (
        "9-decoder-is-causal",
        "the last of the three tokens is changed itself",
        "later[:, 3:] += 1 + torch.rand_like(later[:, 3:])",
        "later[:, 2:] += 1 + torch.rand_like(later[:, 2:])",
    ),
    (
        "9-keys-from-the-decoder-leak",
        "keys and values come from the memory",
        "x + block.cross_attention(x, x)",
        "x + block.cross_attention(x, memory)",
    ),
    (
        "9-whole-model",
        "the decoder sees the source's padding",
        "y = block(y, memory, memory_mask=source_mask)",
        "y = block(y, memory)",
    ),
    (
        "9-last-layer-to-all",
        "both ways hand over the last layer",
        "for way in (transformer, layer_to_layer)",
        "for way in (transformer, transformer)",
    ),
    (
        "9-equals-torch",
        "the norms of cross-attention and feed-forward are exchanged",
        "norms.append(ours.norm_3)",
        "norms.insert(1, ours.norm_3)",
    ),
    (
        "9-gradient-equals-torch",
        "the keys' rows are taken for those of queries and values, and the other way round",
        "torch.cat([part.grad for part in parts])",
        "torch.cat([part.grad for part in reversed(parts)])",
    ),
    (
        "9-size-of-the-paper",
        "the output has a table of its own",
        "tied_output=True",
        "tied_output=False",
    ),
    (
        "9-table-3",
        "the vocabulary is the one that the paper states",
        "millions(41_000, *of_model)",
        "millions(37_000, *of_model)",
    ),
    (
        "9-no-test-number-was-seen",
        "the exam begins before the training ends",
        "numerals.encode(known[10_000:11_000])",
        "numerals.encode(known[9_900:10_900])",
    ),
    (
        "9-lengths-differ",
        "German parts are counted in both languages",
        "[len(numerals.german(each)) != n_words(each) for each in exam.numbers]",
        "[\n"
        "    len(numerals.german(each)) != len(numerals.german(each)) for each "
        "in exam.numbers\n"
        "]",
    ),
    (
        "9-label-smoothing",
        "the share is spread over the wrong words alone",
        "wanted = is_right * (1 - epsilon) + epsilon / vocab_size",
        "wanted = is_right * (1 - epsilon) + (1 - is_right) * epsilon / (vocab_size - 1)",
    ),
    (
        "9-smoothed-floor",
        "the wrong words' part of the entropy is counted once",
        "(vocab_size - 1) * rest * math.log(rest)",
        "rest * math.log(rest)",
    ),
    (
        "9-post-norm-gains-from-warm-up",
        "of the runs the one is read whose rate is whole from the first step",
        '    "0.01, warmed up": "0.01 after a climb",',
        '    "0.01, warmed up": "0.01 from the first step",',
    ),
    (
        "9-pre-norm-gains-too",
        "of the runs the one is read whose rate is whole from the first step",
        '    "0.01, warmed up": "0.01 after a climb",',
        '    "0.01, warmed up": "0.01 from the first step",',
    ),
    (
        "9-small-steps-do-as-well",
        "of the runs the one is read whose rate is whole from the first step",
        '    "0.002, then 0.01": "0.01 after small steps",',
        '    "0.002, then 0.01": "0.01 from the first step",',
    ),
    (
        "9-no-gain-at-a-smaller-rate",
        "the rate is no smaller than the one that the climb reaches",
        '    "0.002, cold": "0.002 from the first step",',
        '    "0.002, cold": "0.01 from the first step",',
    ),
    (
        "9-smaller-rate-beats-warm-up",
        "the rate is no smaller than the one that the climb reaches",
        '    "0.002, cold": "0.002 from the first step",',
        '    "0.002, cold": "0.01 from the first step",',
    ),
    (
        "9-translates-the-unseen",
        "the encoder is told that the words are padding",
        "right = [exact_match(translate(model, exam), exam.target_out) for model in translators]",
        "right = [\n"
        "    exact_match(translate(model, exam, lambda b: ~source_mask(b)), exam.target_out)\n"
        "    for model in translators\n"
        "]",
    ),
    (
        "9-smoothing-caps-confidence",
        "the model speaks twice as loudly as it was trained to",
        "return logits.softmax(dim=-1).amax(dim=-1)",
        "return (2 * logits).softmax(dim=-1).amax(dim=-1)",
    ),
    (
        "9-no-pair-was-seen",
        "nothing is held back from the training",
        "for words in map(numerals.english, learned)",
        "for words in map(numerals.english, drawn[:10_000])",
    ),
    (
        "9-alibi-reads-both-ways",
        "the positions are rotary ones",
        'mirrored("alibi")',
        'mirrored("rotary")',
    ),
    (
        "9-unseen-pairs",
        "the encoder does not know in which order the words stand",
        "right_of = {",
        'said_of["a new pair"] = []\n'
        "for model in translators:\n"
        "    positions = model.source_positions\n"
        "    places, positions.table = positions.table, torch.zeros_like(positions.table)\n"
        '    said_of["a new pair"].append(translate(model, exams["a new pair"]))\n'
        "    positions.table = places\n"
        "right_of = {",
    ),
    (
        "9-pieces-suffice",
        "the words of an unknown piece are said in the English order",
        "order_of = most_frequent[len(piece)]",
        "order_of = range(len(piece))",
    ),
    (
        "9-greater-length-suffers",
        "the numbers are no longer than those of the training",
        'of_all(NEW), right_of["added"][LONGER]',
        'of_all(NEW), right_of["added"]["nothing new"]',
    ),
    (
        "9-length-jumps-by-two",
        "the numbers are as long as those of the training",
        'min(len(numerals.german(n)) for n in chosen["a greater length"])',
        'min(len(numerals.german(n)) for n in chosen["a new pair"])',
    ),
    (
        "9-random-places-help-length",
        "the translators whose sentences begin at place 0 are asked twice",
        'right_of["random places"][kind]) for kind in exams',
        'right_of["added"][kind]) for kind in exams',
    ),
    (
        "9-longer-training-mends-length",
        "the translators are read that stopped after 300 steps",
        'relative[f"{arm}, longer"])\n    for arm in ("added", "random places", "rotary", "ALiBi")',
        'relative[arm])\n    for arm in ("rotary", "ALiBi")',
    ),
    (
        "9-new-construction-fails",
        "the hundred before the thousand is taken away",
        "new, longer = of_all(NEW)",
        'new, longer = of_all("nothing new")',
    ),
    (
        "9-recurrence-goes-longer",
        "the recurrent translator is read that does not look back",
        'for share in racing["looks back", rate][LONGER]]',
        'for share in racing["fixed vector", rate][LONGER]]',
    ),
    (
        "9-recurrence-fails-there-too",
        "the hundred before the thousand is taken away",
        "for share in of[NEW]",
        'for share in of["nothing new"]',
    ),
    (
        "9-marked-cuts-do-not-help",
        "the hundred before the thousand is taken away",
        "of_all(NEW, marked)",
        'of_all("nothing new", marked)',
    ),
    (
        "9-a-hundred-examples-teach",
        "the translators are read that were told ten",
        "    runs = taught[name]\n",
        '    runs = taught["ten, ten times"]\n',
    ),
    (
        "9-told-and-known-lengths-kept",
        "they learn on from the new numbers alone",
        "    runs = taught[name]\n",
        '    runs = taught["a hundred and nothing else"]\n',
    ),
    (
        "9-alignment-follows-crossings",
        "each part is asked one place late, when it has been said",
        "    maps = attention_maps(model, some.source, some.target_in, source_mask(some))\n"
        "    return numerals",
        "    maps = attention_maps(model, some.source, some.target_out, source_mask(some))\n"
        "    return numerals",
    ),
    (
        "9-own-word-is-needed",
        "the hidden word is seen all the same",
        "seen[:, part] &= places != hidden[:, part, None]",
        "seen[:, part] &= places != hidden[:, part, None] - 1000",
    ),
    (
        "9-own-row-decides",
        "the row that is exchanged is that of the word before",
        "F.one_hot(old.source_lengths - word, before.size(1))",
        "F.one_hot(old.source_lengths - word - 1, before.size(1))",
    ),
    (
        "9-own-words-cost-more",
        "the right words are given in both ways",
        "zip(told, written.tolist(), batch.target_out.tolist(), strict=True)",
        "zip(told, told, batch.target_out.tolist(), strict=True)",
    ),
    (
        "9-wrong-answers-are-numerals",
        "the order in which the beginners say their parts is lost",
        "    answers = [tuple(numerals.GERMAN.decode(row)) for row in said]",
        "    answers = [tuple(sorted(numerals.GERMAN.decode(row))) for row in said]",
    ),
    (
        "9-beam-helps-beginners",
        "the worst of the four beams is taken",
        "by_beams = [as_long(beams[:, 0]) for",
        "by_beams = [as_long(beams[:, -1]) for",
    ),
    (
        "9-unshifted-loss-collapses",
        "the copiers are asked with the target shifted",
        "[above_the_floor(model, unshifted_loss) for model in copiers]",
        "[above_the_floor(model, smoothed_loss) for model in copiers]",
    ),
    (
        "9-unshifted-cannot-write",
        "the copiers read the right answer while they write",
        "said_copied = [translate(model, few, longest=10) for model in copiers]",
        "said_copied = [\n"
        "    model(few.source, few.target_out, source_mask(few)).argmax(dim=-1)\n"
        "    for model in copiers\n"
        "]",
    ),
    (
        "9-forgotten-mask-moves",
        "the short number comes in company of its own length",
        "numerals.encode([short]), numerals.encode([short, 77_777])",
        "numerals.encode([short]), numerals.encode([short, short])",
    ),
    (
        "9-target-mask-idle",
        "the mask hides what stands first and not what stands last",
        "Visibility(target_mask, causal=True)",
        "Visibility(target_mask.flip(-1), causal=True)",
    ),
    (
        "9-no-message-is-near",
        "the exam is drawn from all messages, near or not",
        "near_ones = sum(",
        "split = messages.Split(messages.messages()[60:], messages.messages()[:60])\n"
        "near_ones = sum(",
    ),
    (
        "9-knows-training-by-heart",
        "the training is read that is stopped after 50 steps",
        '[run["by heart"] for run in stored_answers["200 steps"]]',
        '[run["by heart"] for run in stored_answers["50 steps"]]',
    ),
    (
        "9-dictionary-finds-more-words",
        "the Transformer has learned what it is asked",
        '[*found["the Transformer"], *(found',
        "[*of_learned, *(found",
    ),
    (
        "9-neighbours-were-read",
        "the order in which the Transformer says its words is lost",
        "    return [tuple(said.split()) for said",
        "    return [tuple(sorted(said.split())) for said",
    ),
    (
        "9-most-answers-are-not-recited",
        "the Transformer answers with the nearest message",
        '"the Transformer": [in_words(run) for run',
        '"the Transformer": [[nearest(each) for each in asked] for run',
    ),
]
