# earns: 25
# fails: warm_up_and_end | the last step has the factor
# fails: every_factor_is_right | mind the shape of the fall

# %% schedule
def schedule(step, steps):
    if step < « warmup »:
        return (step + 1) / « warmup »
    p = (step - « warmup ») / (steps - « warmup »)
    return (1 + math.cos(math.pi * p)) / 2
