# earns: 24
# fails: too_rare_pairs_stay | exactly one merge is expected
# fails: merges_of_a_longer_text | ties, and the stop

# %% merges
def learn_merges(pieces, n_merges):
    words = [list(piece) for piece in pieces]
    merges = []
    while len(merges) < n_merges:
        scores = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not scores:
            break
        best = max(scores, key=scores.get)
        merges.append(best)
        for word in words:
            place = 0
            while place < len(word) - 1:
                if (word[place], word[place + 1]) == best:
                    word[place : place + 2] = ["".join(best)]
                place += 1
    return merges
