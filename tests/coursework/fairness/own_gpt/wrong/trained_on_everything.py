# earns: 25
# fails: the_training_is_as_asked | the merges are not those of the training passages
# fails: held_out_blocks_are_unseen | it was trained on what it is judged on

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    cut = pieces(text)
    merges = learn_merges(cut, « n_merges »)
    tokens = vocabulary(text, merges)
    ids = [tokens.index(token) for token in encode(cut, merges)]
    model = new_model(len(tokens), seed, d_model, n_layers)
    train(model, lambda m, batch: loss(m(batch[0]), batch[1]), windows([ids], 16, seed),
          steps=steps, learning_rate=1e-2, schedule=schedule, show_progress=False)
    return {"model": model, "merges": merges, "vocabulary": tokens}
