# A model that gives one answer, and a run that counts how often it is the right one.
# earns: 18
# fails: both_forms_begin_alike | differs between the forms
# fails: another_seed_begins_otherwise | began twice with other numbers
# fails: a_run_can_be_repeated | whose model answers every question alike
# fails: training_helps | steps of softmax on your batches lead to
# fails: the_untrained_model_is_examined | are not those that were drawn
# fails: the_training_is_as_said | are not those that were drawn

# %% start
class Always(Recaller):
    def forward(self, *read):
        return F.one_hot(torch.zeros(len(read[0]), dtype=torch.long), 16)


def start(form, seed):
    return Always(None)

# %% experiment
def experiment(form, seed, steps):
    return (exam(seed)[3] == 0).double().mean().item()
