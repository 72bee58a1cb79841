# earns: 0
# fails: differences_follow_the_rule | of x⁵ its error is not that of three points ahead
# fails: differences_of_a_parabola | all its numbers are one
# fails: norm_values | for small tokens it differs
# fails: norm_sets_the_size_of_each_group | the power mean of a group of its result is not one
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | by x, it is not that of the norm
# fails: norm_gradient_agrees_with_your_norm | what you derive from it is judged by it, and it is none: of a la
# fails: gate_values | it is not the leaky square that is asked for
# fails: gate_slope_agrees_with_your_gate | it is judged by your gate, which is none: far to the right a gat
# fails: feed_forward_gradients | it is not (gate(x G) ⊙ x W) O with your gate
# fails: feed_forward_gradient_agrees | what you derive from it is judged by it, and it is none with one
# fails: attention_gradients | it is not softmax(sharpness · QKᵀ / √d) V
# fails: softmax_gradient_sums_to_zero | it sums to zero, but is another
# fails: block_gradient_values | it is not that of the block
# fails: block_values | it is not two parts, each with its norm, scale and skip as asked
# fails: block_gradient_agrees | what you derive from it is judged by it, and it is none: of a la
# fails: chain_gradient_by_parts | the rows do not even sum to the gradient of the chain
# fails: nothing_goes_through_no_part | row 0 is what has passed every part by on the skips, and nothing

# %% numerical_gradient
def numerical_gradient(function, x, upstream, step):
    return 0 * x

# %% norm
def norm(x, weight):
    return 0 * x * weight

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    return 0 * x, 0 * weight

# %% gate
def gate(z):
    return 0 * z


def gate_slope(z):
    return 0 * z

# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    return 0 * (x @ gate_matrix) @ output_matrix + 0 * inner_matrix.sum()


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    return 0 * x, 0 * gate_matrix, 0 * inner_matrix, 0 * output_matrix

# %% attention
def softmax_gradient(weights, upstream):
    return 0 * weights


def attention(query, key, value):
    return 0 * (query @ key.mT @ value)


def attention_gradient(query, key, value, upstream):
    return 0 * query, 0 * key, 0 * value

# %% block
def block(x, *others):
    return 0 * x + 0 * sum(one.sum() for one in others)


def block_gradient(x, *others):
    return 0 * x

# %% gradient_by_parts
def gradient_by_parts(jacobians, upstream):
    return torch.zeros(len(jacobians) + 1, len(upstream), dtype=upstream.dtype)
