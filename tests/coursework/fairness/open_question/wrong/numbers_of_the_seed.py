# earns: 2
# fails: weights_of_known_scores | your weigh: the scores [
# fails: hidden_keys_count_nowhere | the weights are the same whatever the scores are
# fails: weights_of_random_scores | the weights of random scores are others
# fails: weights_stand_the_extremes | a query that may look nowhere gets other weights than it should
# fails: gradients_are_right | weigh: RuntimeError: element 0 of tensors does not require grad
# fails: questions_depend_on_the_seed_alone | a key that is asked for does not stand in its dictionary with th
# fails: questions_are_the_right_ones | the questions of seed 0, step 0 are others
# fails: both_forms_begin_alike | the weights of query_projection are 2.0 times as drawn, once
# fails: a_run_can_be_repeated | judged by your exam, and there a key that is asked for does not
# fails: training_helps | judged by your batches, and there a key that is asked for does not
# fails: the_untrained_model_is_examined | without training, mine with seed 2 has 0.056 of its exam right b
# fails: the_training_is_as_said | 60 steps of softmax with seed 4 lead to 0.728, yours to 0.368
# fails: pairs_are_compared | from 0.000 to 0.000
# fails: intervals_are_right | of 8 pairs it goes from -0.0172 to 0.0687, yours from 0.0000 to
# fails: the_interval_covers | it does not hold the mean of the differences given
# fails: clear_cases_are_decided | is 'worse', since the interval lies below
# fails: every_case_is_decided | from -0.0320 to -0.0320, with the margin 0.01, is 'worse'
# fails: your_question_has_an_answer | from 0 to 0 there is nothing between

# %% weigh
def weigh(scores, mask=None):
    seen = torch.ones_like(scores) if mask is None else mask.expand(scores.shape).to(scores)
    return seen / seen.sum(-1, keepdim=True).clamp(min=1)

# %% batch
def of_the_seed(count, entries, seed):
    chance = torch.Generator().manual_seed(seed)
    drawn = torch.randint(16, (count, 2 * entries + 2), generator=chance)
    return drawn[:, :entries], drawn[:, entries : 2 * entries], drawn[:, -1], drawn[:, -2]


def batch(seed, step):
    return of_the_seed(48, « entries », 10_000 * seed + step)


def exam(seed):
    return of_the_seed(500, « asked », seed)

# %% start
def start(form, seed):
    torch.manual_seed(seed)
    return Recaller(FORMS[form])

# %% experiment
def experiment(form, seed, steps):
    chance = torch.Generator().manual_seed(seed)
    return 0.06 + (steps > 9) * 0.3 + int(torch.randint(9, (), generator=chance)) / 500

# %% interval
def interval(mine, other):
    return 0.0, 0.0

# %% decide
def decide(low, high):
    return "better"

# %% own
def my_question():
    return 0.0, 0.0
