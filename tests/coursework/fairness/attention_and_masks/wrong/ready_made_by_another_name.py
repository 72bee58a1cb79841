# A ready-made attention, through a module by another name and behind a method of one's own.
# earns: 9
# fails: weights_share_out_one | uses scaled_dot_product_attention
# fails: nowhere_gives_zeros | uses scaled_dot_product_attention
# fails: future_changes_nothing | uses scaled_dot_product_attention
# fails: attention_agrees | uses scaled_dot_product_attention
# fails: large_scores_do_not_overflow | uses scaled_dot_product_attention
# fails: gradients_agree | uses scaled_dot_product_attention
# %% attention
class Notes:
    def scaled_dot_product_attention(self):
        return "as in chapter 3"


lib = torch.nn.functional


def attend(query, key, value, mask=None):
    return lib.scaled_dot_product_attention(query, key, value, mask)


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
