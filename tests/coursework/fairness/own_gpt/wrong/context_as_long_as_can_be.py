# earns: 25
# fails: bits_of_passages | not all

# %% bits
@torch.no_grad()
def bits_per_character(model, passages, tokens):
    bits, characters = 0.0, 0
    for passage in passages:
        ids = torch.tensor([tokens.index(token) for token in passage])
        for place in range(« skip », len(ids)):
            logits = model(ids[max(0, place - CONTEXT) : place][None])[0, -1]
            bits += F.cross_entropy(logits, ids[place]).item() / math.log(2)
            characters += len(passage[place])
    return bits / characters
