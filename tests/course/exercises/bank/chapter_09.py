"""Wrong answers to the exercises of chapter 9, each with the words that its verdict must say."""

WRONG = [
    (
        "9.1",
        "the mask is forgotten",
        "the source's padding is seen",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value)
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the mask is inverted",
        "your mask is the wrong way round",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, ~source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "keys and values come from the decoder",
        "your keys and values come from the decoder",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        key = split_heads(module.key_projection(token), module.n_heads)
        value = split_heads(module.value_projection(token), module.n_heads)
        heads, _ = attention(query, key, value)
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the memory asks",
        "the source asks",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(memory), module.n_heads)
        key = split_heads(module.key_projection(token), module.n_heads)
        value = split_heads(module.value_projection(token), module.n_heads)
        heads, _ = attention(query, key, value)
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "heads are not split",
        "one head as wide as the model",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key, value = module.key_projection(memory), module.value_projection(memory)
    token, all_found = first, []
    for step in range(n_words):
        heads, _ = attention(module.query_projection(token), key, value, source_mask)
        all_found.append(module.output_projection(heads))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the output projection is forgotten",
        "the output projection is missing",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(merge_heads(heads))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "a causal mask over the source",
        "you put a causal mask on the source",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        seen = source_mask & (torch.arange(memory.size(1)) <= step)
        heads, _ = attention(query, key, value, seen.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the scores are not scaled",
        "not divided by the root of a head's width",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        scores = (query @ key.mT).masked_fill(~source_mask.unsqueeze(1), -math.inf)
        heads = scores.softmax(-1) @ value
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the scores are scaled by the width of the model",
        "you divided by the root of the model's width",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        scores = query @ key.mT / math.sqrt(memory.size(-1))
        scores = scores.masked_fill(~source_mask.unsqueeze(1), -math.inf)
        heads = scores.softmax(-1) @ value
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "keys and values are projected by each other's matrix",
        "the projections of keys and values are exchanged",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.value_projection(memory), module.n_heads)
    value = split_heads(module.key_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the memory is projected anew for each word",
        "once is enough",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    token, all_found = first, []
    for step in range(n_words):
        key = split_heads(module.key_projection(memory), module.n_heads)
        value = split_heads(module.value_projection(memory), module.n_heads)
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the first token asks each time",
        "every word asks with the first token",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(first), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "what was found asks as it is",
        "you let what was found ask as it is",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = all_found[-1]
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "only the last word comes back",
        "one row for each word",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    key = split_heads(module.key_projection(memory), module.n_heads)
    value = split_heads(module.value_projection(memory), module.n_heads)
    token, all_found = first, []
    for step in range(n_words):
        query = split_heads(module.query_projection(token), module.n_heads)
        heads, _ = attention(query, key, value, source_mask.unsqueeze(1))
        all_found.append(module.output_projection(merge_heads(heads)))
        token = following(all_found[-1])
    return all_found[-1]

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the module is called",
        "you call the module itself",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    token, all_found = first, []
    for step in range(n_words):
        all_found.append(module(token, memory, Visibility(source_mask)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.2",
        "padding counts",
        "you counted the padding",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    return ((1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)).mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the sum in place of the mean",
        "you returned the sum over the tokens",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    return each[target != PADDING].sum()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "padding is zeroed and counted in the mean",
        "its places are still counted",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    return (each * (target != PADDING)).mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the right word gets nothing of the share",
        "over the other tokens only",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    vocab_size = logits.size(-1)
    wanted = torch.full_like(logits, label_smoothing / (vocab_size - 1))
    wanted.scatter_(-1, target[..., None], 1 - label_smoothing)
    return -(wanted * logits.log_softmax(-1)).sum(-1)[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "nothing is smoothed",
        "plain cross-entropy",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    return -log_p.gather(-1, target[..., None])[..., 0][target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the share is given to nobody",
        "gave it to nobody",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, target[..., None])[..., 0][target != PADDING]
    return (1 - label_smoothing) * hit.mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "each word gets the whole share",
        "each token of the vocabulary gets the whole share",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * hit - label_smoothing * log_p.sum(-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the logarithm of a softmax",
        "logits in the hundreds give no finite number",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.softmax(-1).log()
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "each sentence has a mean of its own",
        "a word of a short sentence counts for more",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    means = []
    for sentence, words in zip(logits, target, strict=True):
        log_p = sentence[words != PADDING].log_softmax(-1)
        hit = -log_p.gather(-1, words[words != PADDING][:, None])[:, 0]
        each = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
        means.append(each.mean())
    return torch.stack(means).mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the softmax is over the places",
        "softmax over the places of the sentence",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    log_p = logits.log_softmax(1)
    hit = -log_p.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "torch's loss is called",
        "you call a loss function of torch",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    return F.cross_entropy(
        logits.flatten(0, 1),
        target.flatten(),
        ignore_index=PADDING,
        label_smoothing=label_smoothing,
    )

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.3",
        "the right word's own part is forgotten",
        "you forgot the share that the right word gets back",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log((1 - smoothing) / wrong)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the share goes to the others alone",
        "you spread the share over the other words only",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log((1 - smoothing) * (vocab_size - 1) / smoothing)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "no logarithm",
        "logits differ by its logarithm",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return right / wrong

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "probabilities are subtracted",
        "you subtract probabilities",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return right - wrong

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the gap is turned round",
        "your sign is wrong",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log(wrong / right)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the right word alone",
        "the log-probability of the right word alone",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log(right)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "a wrong word alone",
        "the surprise at a wrong word alone",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return -math.log(wrong)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "one wrong word gets all",
        "you gave the whole share to one wrong word",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log((1 - smoothing) / smoothing)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "each wrong word gets all",
        "to each wrong word",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log(right / smoothing)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "in bits",
        "your gap is in bits",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log2(right / wrong)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "to the base of ten",
        "to the base of 10",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return math.log10(right / wrong)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the entropy of the labels",
        "that is the least loss itself",
        """
def logit_gap(vocab_size, smoothing):
    wrong = smoothing / vocab_size
    right = 1 - smoothing + wrong
    return -(right * math.log(right) + (vocab_size - 1) * wrong * math.log(wrong))

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.4",
        "token is a rank",
        "places in a shortlist",
        """
def beam_step(scores, log_probabilities):
    k = len(scores)
    n = min(k, log_probabilities.size(1))
    best, words = log_probabilities.topk(n, dim=-1)
    candidates = scores.unsqueeze(1) + best
    new_scores, places = candidates.flatten().topk(k)
    parents = places.div(n, rounding_mode="floor")
    tokens = places.remainder(n)
    return new_scores, parents, tokens


exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "another order of the three",
        "holds no scores",
        """
def beam_step(scores, log_probabilities):
    total = scores[:, None] + log_probabilities
    best, places = total.flatten().topk(len(scores))
    size = log_probabilities.size(-1)
    return places // size, places % size, best
exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "the division leaves fractions",
        "divide with //, not with /",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).flatten().topk(len(scores))
    vocab_size = log_probabilities.size(-1)
    return best, place / vocab_size, place % vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "each beginning keeps its own best child",
        "greedy search three times over",
        """
def beam_step(scores, log_probabilities):
    best, tokens = (scores[:, None] + log_probabilities).max(-1)
    return best, torch.arange(len(scores)), tokens

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "the scores so far are forgotten",
        "you forgot what the beginnings have cost",
        """
def beam_step(scores, log_probabilities):
    best, place = log_probabilities.flatten().topk(len(scores))
    vocab_size = log_probabilities.size(-1)
    return best, place // vocab_size, place % vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "chosen by the last token, scored afterwards",
        "you chose by the last token alone",
        """
def beam_step(scores, log_probabilities):
    best, place = log_probabilities.flatten().topk(len(scores))
    vocab_size = log_probabilities.size(-1)
    parents = place // vocab_size
    return scores[parents] + best, parents, place % vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "log-probabilities are multiplied",
        "you multiplied log-probabilities",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] * log_probabilities).flatten().topk(len(scores))
    vocab_size = log_probabilities.size(-1)
    return best, place // vocab_size, place % vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "parents and tokens are exchanged",
        "you exchanged parents and tokens",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).flatten().topk(len(scores))
    vocab_size = log_probabilities.size(-1)
    return best, place % vocab_size, place // vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "divided by the number of beams",
        "you divide by the number of beams",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).flatten().topk(len(scores))
    return best, place // len(scores), place % len(scores)

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "tokens count through all rows",
        "your tokens count through all rows",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).flatten().topk(len(scores))
    return best, place // log_probabilities.size(-1), place

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "the worst are kept",
        "you kept the worst beginnings",
        """
def beam_step(scores, log_probabilities):
    totals = (scores[:, None] + log_probabilities).flatten()
    best, place = totals.topk(len(scores), largest=False)
    vocab_size = log_probabilities.size(-1)
    return best, place // vocab_size, place % vocab_size

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "two children for each beginning at most",
        "do you allow it so many",
        """
def beam_step(scores, log_probabilities):
    total, words = (scores[:, None] + log_probabilities).topk(2)
    best, place = total.flatten().topk(len(scores))
    return best, place // 2, words.flatten()[place]

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "the best beginning for each token",
        "the best beginning for each token",
        """
def beam_step(scores, log_probabilities):
    total, parents = (scores[:, None] + log_probabilities).max(dim=0)
    best, tokens = total.topk(len(scores))
    return best, parents[tokens], tokens

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "the best last",
        "backwards along the beam",
        """
def beam_step(scores, log_probabilities):
    total = (scores[:, None] + log_probabilities).flatten()
    best, place = total.sort()
    best, place = best[-len(scores) :], place[-len(scores) :]
    width = log_probabilities.size(1)
    return best, place // width, place % width

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "probabilities for scores",
        "yours is the exponential of the right one",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).exp().flatten().topk(len(scores))
    width = log_probabilities.size(1)
    return best, place // width, place % width

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.5",
        "a sentence's whole source is exchanged, and no word alone",
        "lets 1 of 15 impostors through: each token reads its best word alone",
        """
def is_decoder_block(block):
    torch.manual_seed(1)
    x, memory = torch.randn(3, 5, 12), torch.randn(3, 6, 12)
    mask = torch.ones(3, 1, 6, dtype=torch.bool)
    mask[1, 0, 4:] = False
    mask[2, 0, 2:] = False
    before = block(x, memory, mask)

    def moved(*changed):
        return (block(*changed) - before).abs().amax(dim=-1) > 1e-5

    for sentence in range(3):
        for place in range(5):
            other, expected = x.clone(), torch.zeros(3, 5, dtype=torch.bool)
            other[sentence, place] = torch.randn(12)
            expected[sentence, place:] = True
            if not torch.equal(moved(other, memory, mask), expected):
                return False
        other = memory.clone()
        other[sentence] = torch.randn(6, 12)
        moving = moved(x, other, mask)
        if not moving[sentence].all() or moving.sum() != 5:
            return False
    other = memory.clone()
    other[~mask[:, 0]] = torch.randn(int((~mask).sum()), 12)
    order = torch.randperm(6)
    return not (moved(x, other, mask).any() or moved(x, memory[:, order], mask[..., order]).any())

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "only that the future moves nothing",
        "lets 11 of 15 impostors through",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    return not any(moved(other(x, 0, place))[0, :place].any() for place in range(5))

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "only that the memory is a set",
        "lets 12 of 15 impostors through",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    order = torch.tensor([2, 0, 3, 1])
    return not moved(memory=memory[:, order], mask=mask[..., order]).any()

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "only what the source moves",
        "lets 6 of 15 impostors through",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    padding_moves = moved(memory=other(memory, 1, 3)).any()
    return bool(moved(memory=other(memory, 0, 2))[0].all() and not padding_moves)

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "only that the source moves something",
        "lets 8 of 15 impostors through",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    return bool(moved(memory=other(memory, 0, 2))[0].all())

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "equal bits are asked for",
        "your test refuses what is right: a block in single precision",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    return torch.equal(block(other(x, 0, 4), memory, mask)[:, :4], before[:, :4])

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "only the shapes",
        "calls everything honest",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    return before.shape == x.shape

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "the answer is turned round",
        "your test says the opposite",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    for place in range(5):
        here = moved(other(x, 0, place))
        if here[1].any() or here[0, :place].any() or not here[0, place:].all():
            return True
    for word in range(4):
        for sentence in range(2):
            here = moved(memory=other(memory, sentence, word))
            if here[1 - sentence].any() or (here[sentence] != mask[sentence, 0, word]).any():
                return True
    order = torch.tensor([2, 0, 3, 1])
    return bool(moved(memory=memory[:, order], mask=mask[..., order]).any())

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "the future may move a little",
        "lets 1 of 15 impostors through: a hundredth",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    for place in range(5):
        here = (block(other(x, 0, place), memory, mask) - before).abs().amax(dim=-1) > 0.1
        if here[1].any() or here[0, :place].any() or not moved(other(x, 0, place))[0, place:].all():
            return False
    for word in range(4):
        for sentence in range(2):
            here = moved(memory=other(memory, sentence, word))
            if here[1 - sentence].any() or (here[sentence] != mask[sentence, 0, word]).any():
                return False
    order = torch.tensor([2, 0, 3, 1])
    return not moved(memory=memory[:, order], mask=mask[..., order]).any()

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "one sentence at a time",
        "lets 1 of 15 impostors through: a tenth",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    for place in range(5):
        here = moved(other(x, 0, place))
        if here[0, :place].any() or not here[0, place:].all():
            return False
    for word in range(4):
        for sentence in range(2):
            here = moved(memory=other(memory, sentence, word))
            if (here[sentence] != mask[sentence, 0, word]).any():
                return False
    order = torch.tensor([2, 0, 3, 1])
    return not moved(memory=memory[:, order], mask=mask[..., order]).any()

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "a decoder may not read its own past",
        "this is right: all outputs from a changed token on move",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(0)
    x, memory = torch.randn(2, 5, 12, generator=draw), torch.randn(2, 4, 12, generator=draw)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    before = block(x, memory, mask)

    def moved(x=x, memory=memory, mask=mask):
        return (block(x, memory, mask) - before).abs().amax(dim=-1) > 1e-4

    def other(tensor, sentence, place):
        changed = tensor.clone()
        changed[sentence, place] = torch.randn(12, generator=draw)
        return changed

    return not moved(other(x, 0, 0))[0, 1:].any()

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.1",
        "heads are cut with view alone",
        "you cut the heads with view or reshape alone",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):

    B, S, D = memory.shape
    H = module.n_heads
    k = module.key_projection(memory).view(B, H, S, D // H)
    v = module.value_projection(memory).view(B, H, S, D // H)
    token, found = first, []
    for _ in range(n_words):
        q = module.query_projection(token).view(B, H, 1, D // H)
        out, _ = attention(q, k, v, source_mask.unsqueeze(1))
        out = module.output_projection(out.reshape(B, 1, D))
        found.append(out)
        token = following(out)
    return torch.cat(found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the next token is made of the token",
        "you make the next token of the last token",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):

    k = split_heads(module.key_projection(memory), module.n_heads)
    v = split_heads(module.value_projection(memory), module.n_heads)
    token, found = first, []
    for _ in range(n_words):
        q = split_heads(module.query_projection(token), module.n_heads)
        out = module.output_projection(merge_heads(attention(q, k, v, source_mask.unsqueeze(1))[0]))
        found.append(out)
        token = following(token)
    return torch.cat(found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.1",
        "the tokens come back",
        "you return the tokens that ask",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):

    k = split_heads(module.key_projection(memory), module.n_heads)
    v = split_heads(module.value_projection(memory), module.n_heads)
    tokens = [first]
    for _ in range(n_words - 1):
        q = split_heads(module.query_projection(tokens[-1]), module.n_heads)
        out = module.output_projection(merge_heads(attention(q, k, v, source_mask.unsqueeze(1))[0]))
        tokens.append(following(out))
    return torch.cat(tokens, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.2",
        "the smoothed part counts the padding",
        "the smoothed part is a mean over all places",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):

    surprise = -logits.log_softmax(dim=-1)
    keep = target != PADDING
    at_right = surprise.gather(-1, target[..., None])[..., 0]
    return (1 - label_smoothing) * at_right[keep].mean() + label_smoothing * surprise.mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the share is written down",
        "`label_smoothing` changes nothing in yours",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):

    surprise = -logits.log_softmax(dim=-1)
    at_right = surprise.gather(-1, target[..., None])[..., 0]
    each = 0.9 * at_right + 0.1 * surprise.mean(dim=-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "no gradient",
        "your loss is right and has no gradient",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):

    surprise = -logits.log_softmax(dim=-1).detach()
    at_right = surprise.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * at_right + label_smoothing * surprise.mean(dim=-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.2",
        "the greatest logit of all tokens is subtracted",
        "is the greatest logit of all tokens subtracted",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    shifted = logits - logits.max()
    surprise = shifted.exp().sum(dim=-1, keepdim=True).log() - shifted
    at_right = surprise.gather(-1, target[..., None])[..., 0]
    each = (1 - label_smoothing) * at_right + label_smoothing * surprise.mean(dim=-1)
    return each[target != PADDING].mean()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.3",
        "rounded",
        "made a whole number",
        """
def logit_gap(vocab_size, smoothing):
    return round(math.log(1 + vocab_size * (1 - smoothing) / smoothing))

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the vocabulary has no part in it",
        "`vocab_size` changes nothing in yours",
        """
def logit_gap(vocab_size, smoothing):
    return 1 / smoothing

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "a descent that ends too soon",
        "you have not arrived",
        """
def logit_gap(vocab_size, smoothing):
    logits = torch.zeros(1, vocab_size, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([logits], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        F.cross_entropy(logits, torch.tensor([0]), label_smoothing=smoothing).backward()
        optimizer.step()
    return (logits[0, 0] - logits[0, 1]).item()

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "more words, a greater gap",
        "1.000, where its label is 0.903, and the loss rises already as the gap grows",
        """
def logit_gap(vocab_size, smoothing):
    return vocab_size * (1 - smoothing) / smoothing**0.5

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.3",
        "the logs are divided",
        "you divide the logs",
        """
def logit_gap(vocab_size, smoothing):
    return math.log(1 - smoothing + smoothing / vocab_size) / math.log(smoothing / vocab_size)

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.5",
        "the mask keeps its order",
        "leaves the mask as it was",
        """
def is_decoder_block(block):

    torch.manual_seed(0)
    x, m = torch.randn(2, 6, 12), torch.randn(2, 5, 12)
    mask = torch.ones(2, 1, 5, dtype=torch.bool)
    mask[1, 0, 3:] = False
    before = block(x, m, mask)
    def same(a, b):
        return torch.allclose(a, b, atol=1e-5)
    for t in range(6):
        y = x.clone()
        y[:, t] = torch.randn(12)
        after = block(y, m, mask)
        if not same(after[:, :t], before[:, :t]):
            return False
        for u in range(t, 6):
            if same(after[:, u], before[:, u]): return False
    n = m.clone()
    n[1, 3:] = 7.0
    if not same(block(x, n, mask), before):
        return False
    p = torch.randperm(5)
    return same(block(x, m[:, p], mask), before)

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "nothing has to move",
        "It never changes a token early in the text",
        """
def is_decoder_block(block):

    torch.manual_seed(0)
    x, m = torch.randn(2, 6, 12), torch.randn(2, 5, 12)
    mask = torch.ones(2, 1, 5, dtype=torch.bool)
    mask[1, 0, 3:] = False
    before = block(x, m, mask)
    for t in range(5):
        y = x.clone()
        y[:, t + 1:] = torch.randn_like(y[:, t + 1:])
        if not torch.allclose(block(y, m, mask)[:, :t + 1], before[:, :t + 1], atol=1e-5):
            return False
    n = m.clone()
    n[1, 3:] = 7.0
    if not torch.allclose(block(x, n, mask), before, atol=1e-5):
        return False
    p = torch.randperm(5)
    if not torch.allclose(block(x, m[:, p], mask[:, :, p]), before, atol=1e-5):
        return False
    alone = torch.cat([block(x[i:i+1], m[i:i+1], mask[i:i+1]) for i in range(2)])
    return torch.allclose(alone, before, atol=1e-5)

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
    (
        "9.5",
        "a tolerance in which all is the same",
        "calls nothing honest, however right. Its tolerance is too wide",
        """
def is_decoder_block(block):

    torch.manual_seed(0)
    x, m = torch.randn(2, 6, 12), torch.randn(2, 5, 12)
    mask = torch.ones(2, 1, 5, dtype=torch.bool)
    mask[1, 0, 3:] = False
    before = block(x, m, mask)
    def same(a, b):
        return torch.allclose(a, b, atol=0.3)
    for t in range(6):
        y = x.clone()
        y[:, t] = torch.randn(12)
        after = block(y, m, mask)
        if not same(after[:, :t], before[:, :t]):
            return False
        for u in range(t, 6):
            if same(after[:, u], before[:, u]): return False
    for s in range(5):
        n = m.clone()
        n[0, s] = torch.randn(12)
        after = block(x, n, mask)
        if not same(after[1], before[1]): return False
        if same(after[0], before[0]): return False
    n = m.clone()
    n[1, 3:] = 7.0
    if not same(block(x, n, mask), before):
        return False
    p = torch.randperm(5)
    return same(block(x, m[:, p], mask[:, :, p]), before)

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
]

ALSO_RIGHT = [
    (
        "9.1",
        "a loop over the heads",
        """
def look_word_by_word(module, first, following, memory, source_mask, n_words):
    width = first.size(-1) // module.n_heads
    keys, values = module.key_projection(memory), module.value_projection(memory)
    token, all_found = first, []
    while len(all_found) < n_words:
        query, shares_found = module.query_projection(token), []
        for head in range(module.n_heads):
            at = slice(head * width, (head + 1) * width)
            scores = torch.einsum("bnd,bmd->bnm", query[..., at], keys[..., at])
            scores = (scores / math.sqrt(width)).masked_fill(~source_mask, -math.inf)
            shares_found.append(scores.softmax(-1) @ values[..., at])
        all_found.append(module.output_projection(torch.cat(shares_found, dim=-1)))
        token = following(all_found[-1])
    return torch.cat(all_found, dim=1)

exercises.check_cross_attention(look_word_by_word)
""",
    ),
    (
        "9.2",
        "against the whole smoothed distribution",
        """
def smoothed_cross_entropy(logits, target, label_smoothing):
    vocab_size = logits.size(-1)
    wanted = (1 - label_smoothing) * F.one_hot(target, vocab_size) + label_smoothing / vocab_size
    each = logits.logsumexp(-1) - (wanted * logits).sum(-1)
    real = (target != PADDING).to(each.dtype)
    return (each * real).sum() / real.sum()

exercises.check_smoothed_loss(smoothed_cross_entropy)
""",
    ),
    (
        "9.3",
        "by the softmax of two logits",
        """
def logit_gap(vocab_size, smoothing):
    wanted = torch.full((vocab_size,), smoothing / vocab_size, dtype=torch.float64)
    wanted[0] += 1 - smoothing
    logits = wanted.log()
    return logits[0] - logits[1]

exercises.check_logit_gap(logit_gap)
""",
    ),
    (
        "9.4",
        "by sorting a list",
        """
def beam_step(scores, log_probabilities):
    candidates = [
        (scores[row] + log_probabilities[row, column], row, column)
        for row in range(len(scores))
        for column in range(log_probabilities.size(-1))
    ]
    candidates.sort(key=lambda each: -each[0])
    best, parents, tokens = zip(*candidates[: len(scores)], strict=True)
    return torch.stack(best), torch.tensor(parents), torch.tensor(tokens)

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.4",
        "by unravelling, as a list",
        """
def beam_step(scores, log_probabilities):
    best, place = (scores[:, None] + log_probabilities).flatten().topk(len(scores))
    return [best, *torch.unravel_index(place, log_probabilities.shape)]

exercises.check_beam_step(beam_step)
""",
    ),
    (
        "9.5",
        "by derivatives",
        """
def is_decoder_block(block):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(2, 3, 12, generator=draw, dtype=torch.float64)
    memory = torch.randn(2, 4, 12, generator=draw, dtype=torch.float64)
    mask = torch.tensor([[[True, True, True, True]], [[True, True, False, False]]])
    of_x, of_memory = torch.autograd.functional.jacobian(
        lambda x, memory: block(x, memory, mask), (x, memory)
    )
    moves = of_x.abs().sum(dim=(2, 5)) > 1e-5
    asked = of_memory.abs().sum(dim=(2, 5)) > 1e-5
    same = torch.eye(2).bool()[:, None, :, None]
    right = torch.ones(3, 3).tril().bool()[None, :, None, :] & same
    words = mask[None, :, 0].unsqueeze(1).expand(2, 3, 2, 4) & same
    order = torch.tensor([1, 3, 0, 2])
    shuffled = block(x, memory[:, order], mask[..., order])
    unmoved = torch.allclose(shuffled, block(x, memory, mask), atol=1e-4)
    return torch.equal(moves, right) and torch.equal(asked, words) and unmoved

exercises.check_is_decoder_block(is_decoder_block)
""",
    ),
]
