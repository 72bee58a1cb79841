# A name that the course's own library has for it.
# earns: 19
# fails: norm_gradient_far_and_flat | write it out
# fails: norm_gradient_values | write it out
# fails: norm_gradient_agrees_with_your_norm | write it out
# %% norm_gradient
from softlookup.course.exercises.coursework import gradients


def norm_gradient(x, weight, upstream):
    return gradients(norm, [x, weight], upstream)
