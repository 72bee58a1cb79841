# earns: 18
# fails: both_forms_begin_alike | may be one of the beginning
# fails: another_seed_begins_otherwise | the same seed began twice
# fails: a_run_can_be_repeated | what is not seeded?
# fails: the_untrained_model_is_examined | your function says
# fails: the_training_is_as_said | a run changes the next one
# fails: measurements_are_pairs | what did the runs before it change?

# %% start
torch.manual_seed(15)


def start(form, seed):
    model = Recaller(FORMS[form])
    with torch.no_grad():
        model.query_projection.weight *= « gain »
        model.key_projection.weight *= « gain »
    return model
