# earns: 22
# fails: questions_depend_on_the_seed_alone | your exam: expected the four tensors
# fails: questions_are_the_right_ones | your exam: the questions of seed 0 are others

# %% batch
def batch(seed, step):
    return draw_questions(48, « entries », torch.Generator().manual_seed(« stride » * seed + step))


def exam(seed):
    return draw_questions(500, « entries », torch.Generator().manual_seed(« base » + seed))
