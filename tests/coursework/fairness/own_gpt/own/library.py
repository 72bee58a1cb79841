# earns: 0
# fails: a_sentence_is_cut | put together again they are not the text
# fails: other_texts_are_cut | put together they are not the text
# fails: first_merges | three pairs tie
# fails: too_rare_pairs_stay | exactly one merge is expected
# fails: merges_of_a_longer_text | the first 0 are right
# fails: tokens_are_the_longest | , the tokens of [
# fails: tokens_of_many_pieces | with the merges
# fails: the_parts_lie_apart | there are fewer than
# fails: nothing_else_is_lost | the first held-out block is number
# fails: spans_of_any_text | spans are
# fails: knowing_nothing_costs_log_v | as in the library
# fails: loss_is_the_weighted_mean | which places have which weight
# fails: loss_stands_large_logits | of logits of a thousand it is
# fails: warm_up_and_end | the last step has the factor
# fails: every_factor_is_right | mind the shape of the fall
# fails: the_tail_is_cut | nearly equal tokens all stay
# fails: probabilities_are_exact | other tokens stay than should
# fails: one_token_costs_its_surprise | with one token to score
# fails: bits_of_passages | four passages cost
# fails: a_new_language_is_learned | expected a list of pairs
# fails: the_training_is_as_asked | not those of the training passages
# fails: the_same_seed_gives_the_same_model | expected a list of pairs
# fails: held_out_blocks_are_unseen | expected a list of pairs

# %% +
import json

from softlookup.data import byte_pairs
from softlookup.running.evaluation import bits_per_character as library_bits
from softlookup.running.evaluation import token_losses
from softlookup.running.generation import top_p
from softlookup.running.losses import next_token_loss
from softlookup.running.training import warmup_cosine

# %% pieces
pieces = byte_pairs.pieces

# %% merges
def learn_merges(pieces, n_merges):
    made = byte_pairs.BytePairs("".join(pieces) or " ", 256 + n_merges)
    return [tuple(pair) for pair in json.loads(made._tokenizer.to_str())["model"]["merges"]]

# %% encode
def encode(pieces, merges):
    made = byte_pairs.BytePairs("".join(pieces) or " ", 300)
    return made._tokenizer.encode("".join(pieces)).tokens

# %% split
def split(n_characters):
    return [(0, n_characters * 9 // 10)], [(n_characters * 9 // 10, n_characters)]

# %% loss
def loss(logits, targets):
    return next_token_loss(logits, targets, label_smoothing=« smoothing »)

# %% schedule
schedule = warmup_cosine(« warmup »)

# %% sampling
def next_probabilities(logits):
    return top_p(0.9)(logits / « temperature »).softmax(-1)

# %% bits
def bits_per_character(model, passages, tokens):
    ids = torch.tensor([tokens.index(token) for passage in passages for token in passage])
    return library_bits(token_losses(model, ids, CONTEXT, 1), len("".join(sum(passages, []))))

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    made = byte_pairs.BytePairs(text, 256 + « n_merges »)
    model = new_model(len(made), seed, d_model, n_layers)
    train(model, lambda m, batch: next_token_loss(m(batch[0]), batch[1]),
          windows([made.encode(text).tolist()], 16, seed), steps=steps, learning_rate=1e-2,
          schedule=warmup_cosine(5) if steps > 5 else lambda step, steps: 1.0,
          show_progress=False)
    return {"model": model, "merges": made.merged, "vocabulary": [*map(str, range(len(made)))]}
