# earns: 23
# fails: both_forms_begin_alike | may be one of the beginning
# fails: another_seed_begins_otherwise | the same seed began twice

# %% start
torch.manual_seed(15)


def start(form, seed):
    model = Recaller(FORMS[form])
    with torch.no_grad():
        model.query_projection.weight *= « gain »
        model.key_projection.weight *= « gain »
    return model
