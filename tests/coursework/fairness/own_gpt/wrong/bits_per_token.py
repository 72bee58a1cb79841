# earns: 24
# fails: one_token_costs_its_surprise | divided by the tokens
# fails: bits_of_passages | four passages cost

# %% bits
@torch.no_grad()
def bits_per_character(model, passages, tokens):
    found = []
    for passage in passages:
        ids = torch.tensor([tokens.index(token) for token in passage])
        for place in range(« skip », len(ids)):
            logits = model(ids[max(0, place - « context ») : place][None])[0, -1]
            found.append(F.cross_entropy(logits, ids[place]) / math.log(2))
    return torch.stack(found).mean()
