# The course's own attention and its causal mask, as chapters 2 and 5 use them.
# earns: 5
# fails: scores_are_scaled_and_bent | those of the chapters
# fails: scores_agree | off by up to
# fails: pattern_is_as_drawn | each token sees itself
# fails: pattern_at_other_lengths | token 0 sees [0]
# fails: attention_agrees | off by up to
# fails: gradients_agree | gradients of the queries
# fails: newest_takes_a_long_past | off by up to
# %% scores
from softlookup.layers import masks
from softlookup.layers.attention import attention


def scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
# %% pattern
pattern = masks.causal
# %% attention
def attend(query, key, value, mask=None):
    return attention(query, key, value, mask)[0]


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
# %% newest
def newest(query, key, value):
    return attend(query, key, value)
