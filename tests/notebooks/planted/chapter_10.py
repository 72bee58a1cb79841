"""Mistakes to which the claims of chapter 10 fall."""

PLANTED = [
    (
        "10-targets-are-shifted",
        "the targets are held against what is read two places on",
        "(asked[:, :-1] == read[:, 1:]).float().mean()",
        "(asked[:, :-2] == read[:, 2:]).float().mean()",
    ),
    (
        "10-merges-agree",
        "the second most frequent pair is merged",
        "return pairs.most_common(1)[0]",
        "return pairs.most_common(2)[-1]",
    ),
    (
        "10-perplexities-differ",
        "the surprise is shared among characters, as if tokens were as short as these",
        "pair.append((bits(losses), perplexity(losses)))",
        "pair.append((bits(losses), perplexity(losses * len(losses) / len(val_text))))",
    ),
    (
        "10-counting-by-hand",
        "the shorter context counts how often a letter came, not after how many different ones",
        "words_before = Counter(second for _, second in set(pairs))",
        "words_before = Counter(second for _, second in pairwise(word))",
    ),
    (
        "10-length-costs-kneser-ney-nothing",
        "below the highest order Kneser and Ney count how often a token came",
        'costs["kneser_ney"],\n    "<=",',
        'costs["absolute_discounting"],\n    "<=",',
    ),
    (
        "10-quotes-flatter",
        "the copies are cleaned away before the n-gram reads them",
        "learned = NGramCounts(tokens.encode(text), len(tokens), best_key[2])",
        "learned = NGramCounts(\n"
        "        tokens.encode(leave_out_shared(text, val_text)), len(tokens), best_key[2]\n"
        "    )",
    ),
    (
        "10-cache-pays",
        "the cache is doubted so much that it has no say",
        "gains = {key: plain - by_quarter(cached_losses[key]) for key in (short_key, long_key)}",
        "gains = {}\n"
        "for key in (short_key, long_key):\n"
        "    model = CachedNGrams(best_counter, key[0], (1, 2, 3), key[1] * 1e6)\n"
        '    gains[key] = plain - by_quarter(count_losses(model, "byte pairs"))',
    ),
    (
        "10-own-gpt-is-the-librarys",
        "tokens see the one that comes next",
        ".triu(diagonal=1)",
        ".triu(diagonal=2)",
    ),
    (
        "10-feed-forward-leads-at-first",
        "the GPT's table, too, has learned at the higher rate",
        'by_label["GPT"] - by_label["feed-forward"],',
        'by_label["GPT, T at 0.02"] - by_label["feed-forward"],',
    ),
    (
        "10-bigram-leads-at-first",
        "the count does not look at the token before",
        'kneser_ney(counts["byte pairs"], 2)',
        'kneser_ney(counts["byte pairs"], 1)',
    ),
    (
        "10-stored-as-measured",
        "the text is cut into blocks",
        "gpt_losses = network_losses(small.model, 128)",
        "gpt_losses = network_losses(small.model, 128, stride=128)",
    ),
    (
        "10-cache-takes-the-lead",
        "the n-gram remembers nothing of what it has just read",
        'with_cache = behind["n-gram, short cache"]',
        'with_cache = behind["n-gram"]',
    ),
    (
        "10-tuning-closes-the-gap",
        "the GPT learns at the rate that was chosen on an earlier text",
        '[each - by_cache for each in tuned.validation["GPT"]]',
        '[each - by_cache for each in runs.validation["GPT"]]',
    ),
    (
        "10-they-know-different-things",
        "the GPT is about as good, and surprised where the n-gram is",
        '"GPT, n-gram with a cache": (gpt_losses, cache_losses),',
        '"GPT, n-gram with a cache": (1.01 * cache_losses, cache_losses),',
    ),
    (
        "10-half-tells-the-distance",
        "the whole difference is taken, and not its half",
        "torch.cosh((gpt_losses - cache_losses) / 2)",
        "torch.cosh(gpt_losses - cache_losses)",
    ),
    (
        "10-surprised-further-apart",
        "the partner of the GPT is a second GPT",
        'kinds_apart = apart(stored["GPT and short cache"], stored["GPT"], '
        'stored["n-gram, short cache"])',
        'kinds_apart = apart(stored["two GPTs"], stored["GPT"], stored["GPT"].roll(1))',
    ),
    (
        "10-blocks-forget",
        "each block is read after three quarters of the one before it",
        "cost = block_losses - gpt_losses",
        "cost = gpt_losses - gpt_losses",
    ),
    (
        "10-test-stored-as-measured",
        "the bits are shared among the tokens",
        "return bits_per_character(losses, len(test_text))",
        "return bits_per_character(losses, len(losses))",
    ),
    (
        "10-mixture-wins-on-test",
        "the partner is about as good, and surprised where the n-gram is",
        'mixed(test_losses["GPT"], test_losses[f"n-gram, {partner}"])',
        'mixed(1.01 * test_losses[f"n-gram, {partner}"], test_losses[f"n-gram, {partner}"])',
    ),
    (
        "10-tuned-gpt-leads-on-test",
        "the GPT learns at the rate that was chosen on an earlier text",
        '"tuned": tested["n-gram, short cache"] - tuned_test["GPT"],',
        '"tuned": tested["n-gram, short cache"] - tested["GPT"],',
    ),
    (
        "10-long-cache-stays-ahead",
        "the cache holds no more than the GPT sees",
        'each - on_text["n-gram, long cache"][0]',
        'each - on_text["n-gram, short cache"][0]',
    ),
    (
        "10-flatter-keeps-more",
        "the temperature sharpens",
        "TEMPERATURE = 2.0",
        "TEMPERATURE = 0.5",
    ),
    (
        "10-order-matters",
        "the temperature is one, and flattens nothing",
        "TEMPERATURE = 2.0",
        "TEMPERATURE = 1.0",
    ),
    (
        "10-cache-same-tokens",
        "the newest token is sent alone, without the cache",
        "return small.model(read[:, caches[0].length :], caches)[:, -1]",
        "return small.model(read[:, -1:])[:, -1]",
    ),
    (
        "10-cache-same-logits",
        "each token is sent alone, without the cache",
        "small.model(whole[:, [t]], one_by_one[0])[0, 0]",
        "small.model(whole[:, [t]])[0, 0]",
    ),
    (
        "10-cache-counts",
        "the cache is there, and everything is sent all the same",
        "caches = counted.make_caches(batch=1) if use_cache else None",
        "caches = None",
    ),
    (
        "10-cache-clock",
        "the cache spares no token",
        "caches = counted.make_caches(batch=1) if use_cache else None",
        "caches = None",
    ),
    (
        "10-pre-training-pays",
        "the weights are those of a model that read nothing",
        "gpt.load_state_dict(own.state_dict())",
        "gpt.load_state_dict(fresh().state_dict())",
    ),
    (
        "10-book-beats-the-long-cache",
        "the n-gram of the half has counted the book as well",
        '    worth["that n-gram, long cache"],',
        '    adapted["the same with the long cache"] - adapted["GPT, book, then first half"],',
    ),
    (
        "10-tuned-gpt-is-hardly-ahead",
        "the n-gram has counted the half chapter alone",
        'both_counted = adapted["the same with the short cache"]',
        'both_counted = adapted["n-gram, first half alone"]',
    ),
    (
        "10-gpt2-sizes",
        "the window is twice as long",
        "count(50_257, 1_024, *size)",
        "count(50_257, 2_048, *size)",
    ),
    (
        "10-gpt3-size",
        "a layer is missing",
        "gpt3 = count(50_257, 2_048, 12_288, 96, 96)",
        "gpt3 = count(50_257, 2_048, 12_288, 96, 95)",
    ),
]
