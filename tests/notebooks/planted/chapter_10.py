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
        "the byte pairs are bytes: nothing was merged, so tokens are as short as characters",
        'kinds = {"characters": characters, "byte pairs": tokens}',
        'kinds = {"characters": characters, "byte pairs": BytePairs(train_text, 256)}',
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
        'count_losses(smooth(counts["characters"], order), "characters") for order in (14, 8)',
        "count_losses(model, 'characters')\n"
        "        for order in (14, 8)\n"
        "        for discount in [absolute_discounting if smooth is kneser_ney else smooth]\n"
        '        for model in [discount(counts["characters"], order)]',
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
        "CachedNGrams(best_counter, window, (1, 2, 3), doubt)",
        "CachedNGrams(best_counter, window, (1, 2, 3), doubt * 1e6)",
    ),
    (
        "10-own-gpt-is-the-librarys",
        "tokens see the one that comes next",
        ".triu(diagonal=1)",
        ".triu(diagonal=2)",
    ),
    (
        "10-feed-forward-leads-at-first",
        "the feed-forward models' tables learn no faster than the GPT's",
        "FeedForwardLM(len(tokens), 96, n, hidden=256), 2e-2",
        "FeedForwardLM(len(tokens), 96, n, hidden=256), 3e-3",
    ),
    (
        "10-bigram-leads-at-first",
        "the count does not look at the token before",
        'n_gram_losses["kneser_ney", "byte pairs", 2]',
        'n_gram_losses["kneser_ney", "byte pairs", 1]',
    ),
    (
        "10-stored-as-measured",
        "the window is eight times as short",
        "gpt_losses = network_losses(small.model, 128)",
        "gpt_losses = network_losses(small.model, 16)",
    ),
    (
        "10-they-know-different-things",
        "the GPT is about as good, and surprised where the n-gram is",
        "mixed_losses = mixed(gpt_losses, cache_losses)",
        "mixed_losses = mixed(1.01 * cache_losses, cache_losses)",
    ),
    (
        "10-blocks-forget",
        "each block is read after three quarters of the one before it",
        "block_losses = network_losses(small.model, 128, stride=128)",
        "block_losses = network_losses(small.model, 128, stride=32)",
    ),
    (
        "10-test-stored-as-measured",
        "the models are not told what stands before the test text",
        'opened = {"before": val_text, "text": test_text}',
        'opened = {"before": train_text, "text": test_text}',
    ),
    (
        "10-mixture-wins-on-test",
        "the partner is about as good, and surprised where the n-gram is",
        'mixed(test_losses["GPT"], test_losses[f"n-gram, {partner}"])',
        'mixed(1.01 * test_losses[f"n-gram, {partner}"], test_losses[f"n-gram, {partner}"])',
    ),
    (
        "10-near-in-four-chapters",
        "the cache is doubted so much that it has no say",
        "CachedNGrams(best_counter, window, (1, 2, 3), doubt)",
        "CachedNGrams(best_counter, window, (1, 2, 3), doubt * 1e6)",
    ),
    (
        "10-lead-is-gone",
        "the cache is never asked",
        '"n-gram, short cache": count_losses(short_cache, "byte pairs", **opened)',
        '"n-gram, short cache": count_losses(best_counter, "byte pairs", **opened)',
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
        "10-tuned-gpt-is-not-ahead",
        "the n-gram has counted the half chapter alone",
        'n_gram_of(torch.cat([train_ids["byte pairs"], first_half]))',
        "n_gram_of(first_half)",
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
