# earns: 17
# fails: questions_depend_on_the_seed_alone | make a new generator
# fails: questions_are_the_right_ones | are others
# fails: a_run_can_be_repeated | what is not seeded?
# fails: the_untrained_model_is_examined | of its exam right by its logits
# fails: the_training_is_as_said | a run changes the next one
# fails: measurements_are_pairs | what did the runs before it change?

# %% batch
chance = torch.Generator().manual_seed(« base »)


def batch(seed, step):
    return draw_questions(48, « entries », chance)


def exam(seed):
    return draw_questions(500, « asked », chance)
