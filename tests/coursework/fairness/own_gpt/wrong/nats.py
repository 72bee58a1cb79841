# earns: 24
# fails: one_token_costs_its_surprise | it is in nats
# fails: bits_of_passages | four passages cost

# %% bits
@torch.no_grad()
def bits_per_character(model, passages, tokens):
    nats, characters = 0.0, 0
    for passage in passages:
        ids = torch.tensor([tokens.index(token) for token in passage])
        for place in range(« skip », len(ids)):
            logits = model(ids[max(0, place - « context ») : place][None])[0, -1]
            nats += F.cross_entropy(logits, ids[place]).item()
            characters += len(passage[place])
    return nats / characters
