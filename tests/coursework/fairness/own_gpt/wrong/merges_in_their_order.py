# earns: 25
# fails: tokens_are_the_longest | , the tokens of [
# fails: tokens_of_many_pieces | with the merges

# %% encode
def encode(pieces, merges):
    tokens = []
    for piece in pieces:
        parts = list(piece)
        for pair in merges:
            place = 0
            while place < len(parts) - 1:
                if (parts[place], parts[place + 1]) == tuple(pair):
                    parts[place : place + 2] = ["".join(pair)]
                place += 1
        tokens += parts
    return tokens
