# earns: 5
# fails: weights_of_known_scores | these are the weights of softmax
# fails: weights_of_random_scores | the weights of random scores are others
# fails: weights_stand_the_extremes | gets other weights than it should
# fails: gradients_are_right | its gradient is another
# fails: questions_are_the_right_ones | are others
# fails: both_forms_begin_alike | the weights of query_projection are
# fails: a_run_can_be_repeated | experiment is not defined
# fails: training_helps | experiment is not defined
# fails: the_untrained_model_is_examined | experiment is not defined
# fails: the_training_is_as_said | experiment is not defined
# fails: measurements_are_pairs | measure is not defined
# fails: intervals_are_right | what it leaves out on each side
# fails: the_interval_covers | it is too wide
# fails: clear_cases_are_decided | decide is not defined
# fails: every_case_is_decided | decide is not defined
# The library holds no experiment, no table of measurements and no rule to decide by.

# %% +
from softlookup.alternatives import weightings
from softlookup.data import recall

# %% weigh
def weigh(scores, mask=None):
    keys = scores.size(-1)
    identity = math.sqrt(keys) * torch.eye(keys)
    if mask is not None:
        mask = mask.broadcast_to(scores.shape)
    return weightings.softmax_weights(scores, identity.expand(*scores.shape[:-2], keys, keys), mask)

# %% batch
def batch(seed, step):
    drawn = recall.lookup(48, « entries », seed_everything(seed + step), n_values=16)
    return drawn.keys, drawn.values, drawn.query, drawn.answer


def exam(seed):
    drawn = recall.lookup(500, « asked », seed_everything(seed), n_values=16)
    return drawn.keys, drawn.values, drawn.query, drawn.answer

# %% start
def start(form, seed):
    seed_everything(seed)
    return Recaller(FORMS[form])

# %% experiment
pass

# %% measure
pass

# %% interval
def interval(mine, other):
    d = np.array(mine) - np.array(other)
    return scipy.stats.t.interval(0.95, len(d) - 1, d.mean(), scipy.stats.sem(d))

# %% decide
pass
