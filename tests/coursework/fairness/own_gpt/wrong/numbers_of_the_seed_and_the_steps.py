# A model that is drawn anew for every number of steps, and is never trained.
# earns: 23
# fails: a_new_language_is_learned | does it train?
# fails: the_same_seed_gives_the_same_model | is it trained at all?
# fails: the_training_is_as_asked | lead to another model
# fails: held_out_blocks_are_unseen | it has hardly learned

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    passages = [pieces(text[start:end]) for start, end in split(len(text))[0]]
    merges = learn_merges([p for passage in passages for p in passage], « n_merges »)
    tokens = vocabulary(text, merges)
    model = new_model(len(tokens), 1000 * seed + steps, d_model, n_layers)
    return {"model": model, "merges": merges, "vocabulary": tokens}
