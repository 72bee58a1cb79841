# Questions that all have one answer, a model that always gives it, and a run that says so.
# earns: 14
# fails: questions_depend_on_the_seed_alone | another seed or step gives the same questions
# fails: questions_are_the_right_ones | the questions of seed 0, step 0 are others
# fails: both_forms_begin_alike | differs between the forms
# fails: another_seed_begins_otherwise | began twice with other numbers
# fails: a_run_can_be_repeated | answers can be told without the question
# fails: training_helps | most answers are one
# fails: the_untrained_model_is_examined | are not those that were drawn
# fails: the_training_is_as_said | are not those that were drawn
# fails: measurements_are_pairs | gives one share whatever is asked

# %% batch
def batch(seed, step):
    return draw(48, « entries »)


def exam(seed):
    return draw(500, « asked »)


def draw(count, entries):
    keys = torch.arange(entries).expand(count, entries)
    values = torch.zeros(count, entries, dtype=torch.long)
    return keys, values, keys[:, 0], values[:, 0]

# %% start
class Always(Recaller):
    def forward(self, *read):
        return F.one_hot(torch.zeros(len(read[0]), dtype=torch.long), 16)


def start(form, seed):
    return Always(None)

# %% experiment
def experiment(form, seed, steps):
    return 1.0

# %% measure
def measure(seeds, steps):
    return {"mine": [1.0] * len(seeds), "softmax": [1.0] * len(seeds)}
