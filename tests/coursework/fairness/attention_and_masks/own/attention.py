# The course's own attention and its causal mask, as chapters 2 and 5 use them.
# earns: 0
# fails: scores_are_scaled_and_bent | those of the chapters
# fails: scores_agree | off by up to
# fails: pattern_is_as_drawn | each token sees itself
# fails: pattern_at_other_lengths | token 0 sees [0]
# fails: weights_share_out_one | your answer uses layers.attention
# fails: nowhere_gives_zeros | your answer uses layers.attention
# fails: future_changes_nothing | your answer uses layers.attention
# fails: attention_agrees | your answer uses layers.attention
# fails: large_scores_do_not_overflow | your answer uses layers.attention
# fails: gradients_agree | your answer uses layers.attention
# fails: newest_is_the_last_row | your answer uses layers.attention
# fails: newest_takes_a_long_past | your answer uses layers.attention
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
