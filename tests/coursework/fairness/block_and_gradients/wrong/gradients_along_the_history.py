# Not the engine goes backward, but the student, along the history that PyTorch keeps.
# earns: 19
# fails: norm_gradient_far_and_flat | PyTorch does not derive while this is tested
# fails: norm_gradient_values | PyTorch does not derive while this is tested
# fails: norm_gradient_agrees_with_your_norm | PyTorch does not derive while this is tested

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    with torch.inference_mode(False), torch.enable_grad():
        leaves = [torch.nn.Parameter(each.clone()) for each in (x, weight)]
        found = backwards(history(norm(*leaves)), upstream.clone())
    return tuple(found[leaf].detach() for leaf in leaves)


def backwards(last, upstream):
    """Call each step of a history with what has arrived there, the last one first."""
    steps = []

    def visit(step):
        for before, _ in befores(step):
            if before is not None and before not in steps:
                visit(before)
        steps.append(step)

    visit(last)
    arrived, found = {last: upstream}, {}
    for step in reversed(steps):
        if hasattr(step, "variable"):
            found[step.variable] = arrived[step]
            continue
        passed = step(arrived[step])
        passed = passed if isinstance(passed, tuple) else (passed,)
        for (before, _), one in zip(befores(step), passed):
            if before is not None and one is not None:
                arrived[before] = arrived[before] + one if before in arrived else one
    return found


def history(tensor):
    return getattr(tensor, "grad" + "_fn")


def befores(step):
    return getattr(step, "next" + "_functions")
