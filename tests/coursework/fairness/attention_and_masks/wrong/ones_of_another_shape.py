# Ones for every query and key, with one axis too many.
# earns: 9
# fails: weights_share_out_one | your attend: its shape is (3, 7, 11, 1); expected (3, 7, 11)
# fails: nowhere_gives_zeros | your attend: its shape is (2, 5, 7, 1); expected (2, 5, 3)
# fails: future_changes_nothing | your look_back: its shape is (3, 11, 11, 1); expected (3, 11, 5)
# fails: attention_agrees | your attend with a mask of shape None: the shape is (3, 5, 7, 11, 1); ex
# fails: large_scores_do_not_overflow | your attend: the shape is (3, 7, 11, 1); expected (3, 7, 11)
# fails: gradients_agree | look_back: RuntimeError: The size of tensor a (17) must match the size of

# %% attention
def attend(query, key, value, mask=None):
    return torch.ones(*query.shape[:-1], key.shape[-2], 1)


def look_back(query, key, value):
    return attend(query, key, value, torch.ones(query.size(-2), query.size(-2)).bool().tril(-1))
