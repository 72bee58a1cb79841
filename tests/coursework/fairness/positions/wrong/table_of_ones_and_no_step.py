# earns: 0
# fails: clock_values | its speeds are not this term's
# fails: clocks_are_clocks | sine² + cosine² of a clock is not one
# fails: add_values | what is added is not the scaled row of each token's place
# fails: every_sentence_gets_the_same | what is added is longer at one place than at another
# fails: step_everywhere | it does not move each place by 5
# fails: step_moves_your_clocks | it is judged by your table, whose rows are not those of five clo
# fails: turn_values | its angles are not this term's
# fails: scores_know_offsets_alone | it takes no notice of where the first token stands
# fails: bias_values | it is not minus the head's slope times the shaped distance
# fails: bias_falls_with_distance | each head has to fall more slowly than the head before it
# fails: score_values | it is not (beyond − chance) / (within − chance)
# fails: score_of_two_readers | who is right four times in five within and three times beyond, w
# fails: only_what_was_asked_is_judged | at the first 3 places nothing is asked yet

# %% clock_table
def clock_table(length, width):
    return torch.ones(length, width)

# %% add_clocks
def add_clocks(x, first=0):
    return x + torch.arange(first, first + x.shape[-2])[:, None].to(x)

# %% step_matrix
def step_matrix(offset, width):
    return torch.eye(width)

# %% turn
def turn(x, first=0):
    return x

# %% distance_bias
def distance_bias(n_heads, queries, keys):
    back = torch.arange(keys)[keys - queries :, None] - torch.arange(keys)
    «% if bias_rule.ahead == "nowhere" %»
    return torch.where(back < 0, -torch.inf, -back).expand(n_heads, -1, -1)
    «% else %»
    return -back.abs().double().expand(n_heads, -1, -1)
    «% endif %»

# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    return float(right.all())

# %% judge
def judge(logits, symbols):
    return torch.ones_like(symbols).bool(), torch.ones_like(symbols).bool()
