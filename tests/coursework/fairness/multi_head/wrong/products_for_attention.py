# Each token times the sum of the memory: no weights, no parameters.
# earns: 10
# fails: parameters_have_their_names | of the text's parameters it lacks
# fails: order_of_tokens | weights do not share out one
# fails: memory_of_one_token | KeyError
# fails: layer_agrees | its parameter
# fails: memory_and_mask | its parameter
# fails: layer_gradients_agree | its parameter
# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()

    def forward(self, x, memory=None, mask=None):
        return x * (x if memory is None else memory).sum((1, 2), keepdim=True)
