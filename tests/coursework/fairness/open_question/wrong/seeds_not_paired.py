# earns: 24
# fails: measurements_are_pairs | the shares are not in the order of the seeds

# %% measure
def measure(seeds, steps):
    return {
        form: sorted(experiment(form, seed, steps) for seed in seeds)
        for form in ("mine", "softmax")
    }
