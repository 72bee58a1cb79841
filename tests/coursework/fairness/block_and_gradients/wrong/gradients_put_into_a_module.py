# PyTorch's derivation, traced in a cell and put into a module by a call.
# earns: 17
# fails: norm_gradient_far_and_flat | a person decides
# fails: norm_gradient_values | a person decides
# fails: norm_gradient_agrees_with_your_norm | a person decides
# fails: block_gradient_values | a person decides
# fails: block_gradient_agrees | a person decides
# %% norm_gradient
from torch.fx.experimental.proxy_tensor import make_fx
def draw(*s):
    return torch.randn(*s, dtype=torch.float64)
kept = torch.nn.Module()
kept.add_module("steps", make_fx(lambda x, w, u: torch.func.vjp(norm, x, w)[1](u), tracing_mode="symbolic")(draw(3, 7, 32), draw(32), draw(3, 7, 32)))
def norm_gradient(x, weight, upstream):
    """The gradients of (norm(x, weight) * upstream).sum() by x and by weight."""
    return kept.steps(x, weight, upstream)
