# earns: 6
# fails: clock_values | its speeds are not this term's
# fails: clocks_are_clocks | sine² + cosine² of a clock is not one; does each sine stand where its cosine
# fails: add_values | The size of tensor a (7) must match the size of tensor b (3) at non-singleton
# fails: step_everywhere | it does not move each place by 5
# fails: turn_values | its angles are not this term's
# fails: scores_know_offsets_alone | only the first 18 of 24 features are turned; the others stay as they are
# fails: bias_values | it is not minus the head's slope times the shaped distance
# fails: bias_falls_with_distance | each head has to fall more slowly than the head before it
# %% clock_table
from softlookup.layers.positions import sinusoidal


def clock_table(length, width):
    return sinusoidal(length, width, base=« clock_rule.base »)
# %% add_clocks
from softlookup.layers.positional_encodings import SinusoidalPositions


def add_clocks(x, first=0):
    return SinusoidalPositions(512, x.size(-1), base=« clock_rule.base »)(x, first)
# %% step_matrix
from softlookup.layers.positions import shift_matrix


def step_matrix(offset, width):
    return shift_matrix(offset, width, base=« clock_rule.base »)
# %% turn
from softlookup.layers.positions import rotate


def turn(x, first=0):
    return rotate(x, first, base=« turn_rule.base »)
# %% distance_bias
from softlookup.layers.positions import alibi_bias as distance_bias
