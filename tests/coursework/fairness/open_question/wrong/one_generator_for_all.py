# earns: 22
# fails: questions_depend_on_the_seed_alone | make a new generator
# fails: questions_are_the_right_ones | are others

# %% batch
chance = torch.Generator().manual_seed(« base »)


def batch(seed, step):
    return draw_questions(48, « entries », chance)


def exam(seed):
    return draw_questions(500, « asked », chance)
