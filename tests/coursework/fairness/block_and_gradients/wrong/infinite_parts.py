# Infinity added to the parts, so that nothing compared is a number; a network without a gate.
# earns: 10
# fails: norm_values | your norm: for small tokens it differs; are power, groups and epsilon right?
# fails: norm_sets_the_size_of_each_group | your normalised x: it holds numbers that are infinite, o
# fails: norm_gradient_far_and_flat | your norm's gradient: it is wrong at a token of zeros, such as
# fails: norm_gradient_values | your norm's gradient: by x, it is not that of the norm
# fails: norm_gradient_agrees_with_your_norm | your normalised x: it holds numbers that are infinite
# fails: feed_forward_gradients | your feed-forward network: it is not (gate(x G) ⊙ x W) O with your
# fails: feed_forward_gradient_agrees | your feed-forward network: what you derive from it is judged
# fails: block_gradient_values | your block's gradient: it is not that of the block; if a part's gra
# fails: block_values | your block: it is not two parts, each with its norm, scale and skip as asked
# fails: block_gradient_agrees | your normalised x: it holds numbers that are infinite, or NaN

# %% norm
def norm(x, weight):
    return x + weight + float("inf")

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    return upstream, upstream.sum((0, 1))

# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    return x @ inner_matrix @ output_matrix


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    back = upstream @ output_matrix.mT
    by_inner = x.flatten(0, 1).mT @ back.flatten(0, 1)
    by_output = (x @ inner_matrix).flatten(0, 1).mT @ upstream.flatten(0, 1)
    return back @ inner_matrix.mT, 0 * gate_matrix, by_inner, by_output

# %% block
def block(x, *others):
    return x * x + sum((one * one).sum() for one in others) + float("inf")


def block_gradient(x, *others):
    return 2 * x * others[-1]
