# earns: 24
# fails: both_forms_begin_alike | the weights of query_projection are

# %% start
def start(form, seed):
    torch.manual_seed(seed)
    return Recaller(FORMS[form])
