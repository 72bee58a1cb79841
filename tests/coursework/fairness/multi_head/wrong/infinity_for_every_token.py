# A layer without a parameter, whose every number is infinite.
# earns: 10
# fails: parameters_have_their_names | your GroupedAttention: of the text's parameters it lacks ['ke
# fails: order_of_tokens | your GroupedAttention: it holds numbers that are infinite, or NaN
# fails: memory_of_one_token | your answer cannot be compared: KeyError: 'value_projection.weight'
# fails: layer_agrees | your GroupedAttention: its parameter key_projection.weight has the shape Non
# fails: memory_and_mask | your GroupedAttention: its parameter key_projection.weight has the shape
# fails: layer_gradients_agree | your GroupedAttention: its parameter key_projection.weight has the

# %% layer
class GroupedAttention(torch.nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()

    def forward(self, x, memory=None, mask=None):
        return torch.full_like(x, float("inf"))
