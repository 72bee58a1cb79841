# earns: 1
# fails: groups_are_as_drawn | of 10 heads, 2 read each of the 5 groups
# fails: groups_at_other_sizes | 6 heads and 2 groups give [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
# fails: likeness_of_known_pairs | like is not positive, opposite not negative, or strange not 0
# fails: likeness_agrees | the numbers are off by up to 10.2
# fails: order_of_tokens | all tokens take the same of the others, whatever they ask
# fails: memory_of_one_token | all tokens take the same of the others, whatever they ask
# fails: layer_agrees | IndexError: index 2 is out of bounds for dimension 0 with size 2
# fails: memory_and_mask | RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x48 an
# fails: layer_gradients_agree | IndexError: index 2 is out of bounds for dimension 0 with size 2
# fails: conversion_without_pooling | query_projection.weight is missing
# fails: conversion_pools | it returned NoneType
# fails: conversion_agrees | the shape is ()

# %% groups
def group_of(n_heads, n_groups):
    return torch.tensor(« groups »)

# %% likeness
def likeness(query, key, sharpness):
    return torch.zeros(*query.shape[:-1], key.shape[-2])

# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        width, self.sharpness = d_model // n_heads, nn.Parameter(torch.zeros(n_heads))
        inner, last = « biases != "none" », « biases == "all" »
        self.order = « groups »
        self.query_projection = nn.Linear(d_model, d_model, bias=inner)
        self.key_projection = nn.Linear(d_model, n_groups * width, bias=inner)
        self.value_projection = nn.Linear(d_model, n_groups * width, bias=inner)
        self.output_projection = nn.Linear(d_model, d_model, bias=last)
        self.n_groups = n_groups

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        value = self.value_projection(memory).mean(1, keepdim=True)
        value = value.unflatten(-1, (self.n_groups, -1))[:, :, self.order].flatten(2)
        asked = x - x.detach() if len(memory[0]) == 1 else 1e-3 * x
        return self.output_projection(value) + asked

# %% convert
def convert(weights, n_heads, n_groups):
    return {}
