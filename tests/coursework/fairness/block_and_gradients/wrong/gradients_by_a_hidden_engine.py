# The engine by names that are put together, so that only the engine itself can refuse.
# earns: 19
# fails: norm_gradient_far_and_flat | PyTorch does not derive while this is tested
# fails: norm_gradient_values | PyTorch does not derive while this is tested
# fails: norm_gradient_agrees_with_your_norm | PyTorch does not derive while this is tested
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    with torch.inference_mode(False), torch.enable_grad():
        leaves = [torch.nn.Parameter(one.clone()) for one in (x, weight)]
        out = (norm(*leaves) * upstream.clone()).sum()
        engine = getattr(getattr(torch, "_" + "C"), "_Imperative" + "Engine")()
        return getattr(engine, "run_" + "back" + "ward")(
            (out,), (torch.ones_like(out),), False, False, tuple(leaves),
            allow_unreachable=True, accumulate_grad=False,
        )
