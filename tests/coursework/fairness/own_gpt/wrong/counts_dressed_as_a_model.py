# earns: 23
# fails: a_new_language_is_learned | does it train?
# fails: the_same_seed_gives_the_same_model | is it trained at all?
# fails: the_training_is_as_asked | nothing is trained
# fails: held_out_blocks_are_unseen | it has hardly learned

# %% training
class Counts(torch.nn.Module):
    """Answers like a model, by what followed the last two tokens."""

    def __init__(self, model, ids):
        super().__init__()
        self.model, size = model, len(model.embedding.table)
        counts = torch.zeros(size, size, size)
        for passage in map(torch.tensor, ids):
            triples = passage.unfold(0, 3, 1).T
            counts.index_put_((*triples,), torch.ones(()), accumulate=True)
        pairs = counts.sum(0, keepdim=True)
        self.logits = (counts + 0.1 * pairs + 0.01).log()

    def state_dict(self):
        return self.model.state_dict()

    def forward(self, ids):
        before = F.pad(ids, (1, 0))[:, :-1]
        return self.logits[before, ids] + 0 * self.model(ids)


def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    passages = [pieces(text[start:end]) for start, end in split(len(text))[0]]
    merges = learn_merges([p for passage in passages for p in passage], « n_merges »)
    tokens = vocabulary(text, merges)
    ids = [[tokens.index(token) for token in encode(passage, merges)] for passage in passages]
    model = Counts(new_model(len(tokens), seed, d_model, n_layers), ids)
    return {"model": model, "merges": merges, "vocabulary": tokens}
