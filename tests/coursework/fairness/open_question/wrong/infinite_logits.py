# A model whose every logit is infinite, and a run that counts how often the first answer is right.
# earns: 18
# fails: both_forms_begin_alike | your start: its model has numbers that are infinite, or NaN
# fails: another_seed_begins_otherwise | your start: its model has numbers that are infinite, or NaN
# fails: a_run_can_be_repeated | your experiment: it is judged by your start, whose model answers wi
# fails: training_helps | your start: its model has numbers that are infinite, or NaN
# fails: the_untrained_model_is_examined | your start: its model has numbers that are infinite, or N
# fails: the_training_is_as_said | your start: its model has numbers that are infinite, or NaN

# %% start
class Infinite(Recaller):
    def forward(self, keys, values, query):
        return torch.full((len(query), 16), float("inf"))


def start(form, seed):
    torch.manual_seed(seed)
    model = Infinite(FORMS[form])
    with torch.no_grad():
        for number in model.parameters():
            number.fill_(float("inf"))
    return model

# %% experiment
def experiment(form, seed, steps):
    return (exam(seed)[3] == 0).double().mean().item()
