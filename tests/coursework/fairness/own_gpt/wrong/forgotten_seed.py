# earns: 25
# fails: the_same_seed_gives_the_same_model | another seed gives the same model
# fails: the_training_is_as_asked | lead to another model

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    passages = [pieces(text[start:end]) for start, end in split(len(text))[0]]
    merges = learn_merges([p for passage in passages for p in passage], « n_merges »)
    tokens = vocabulary(text, merges)
    ids = [[tokens.index(token) for token in encode(passage, merges)] for passage in passages]
    model = new_model(len(tokens), 0, d_model, n_layers)
    train(model, lambda m, batch: loss(m(batch[0]), batch[1]), windows(ids, 16, 0),
          steps=steps, learning_rate=1e-2, schedule=schedule, show_progress=False)
    return {"model": model, "merges": merges, "vocabulary": tokens}
