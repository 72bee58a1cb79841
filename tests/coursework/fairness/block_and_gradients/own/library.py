# earns: 4
# fails: norm_values | for small tokens it differs; are power, groups and epsilon right?
# fails: norm_sets_the_size_of_each_group | the power mean of a group of its result is not one
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | by x, it is not that of the norm
# fails: norm_gradient_agrees_with_your_norm | by the weight, it is not the sum over all tokens of upstream times the
# fails: gate_values | it is not the leaky square that is asked for
# fails: gate_slope_agrees_with_your_gate | it is not the derivative of your gate
# fails: feed_forward_gradients | it is not (gate(x G) ⊙ x W) O with your gate
# fails: feed_forward_gradient_agrees | by x, it is another: x goes through the gate and past it
# fails: softmax_gradient_sums_to_zero | your answer uses _softmax_backward_data
# fails: attention_gradients | its sharpness is one; multiply the scores by that of the term
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_values | it is not two parts, each with its norm, scale and skip as asked; if a part
# fails: block_gradient_agrees | it is not made of your norm
# %% norm
from softlookup.layers.normalization import RMSNorm

module = RMSNorm(1)


def norm(x, weight):
    module.weight = torch.nn.Parameter(weight.clone(), requires_grad=False)
    return module(x)
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    size = (x.square().mean(-1, keepdim=True) + module.epsilon).sqrt()
    u = upstream * weight
    by_x = u / size - x * (u * x).mean(-1, keepdim=True) / size**3
    return by_x, (upstream * x / size).sum((0, 1))
# %% gate
from softlookup.layers.feed_forward import gelu as gate


def gate_slope(z):
    return torch.ones_like(z)
# %% feed_forward
from softlookup.layers.feed_forward import SwiGLU


def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    network = SwiGLU(*gate_matrix.shape).double()
    network.load_state_dict(
        {
            "gate_projection.weight": gate_matrix.T,
            "inner_projection.weight": inner_matrix.T,
            "output_projection.weight": output_matrix.T,
        }
    )
    return network(x)


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    return x, gate_matrix, inner_matrix, output_matrix
# %% attention
from softlookup.layers import attention as the_librarys


def softmax_gradient(weights, upstream):
    return torch._softmax_backward_data(upstream, weights, -1, weights.dtype)


def attention(query, key, value):
    return the_librarys.attention(query, key, value)[0]


def attention_gradient(query, key, value, upstream):
    return query, key, value
# %% block
from softlookup.layers.blocks import BlockConfig, PreNormBlock


def block(x, *matrices):
    return PreNormBlock(BlockConfig(x.shape[-1], 1, 11)).double()(x)


def block_gradient(x, *matrices):
    return x
