# earns: 24
# fails: knowing_nothing_costs_log_v | your loss: equal logits over
# fails: loss_is_the_weighted_mean | divide by the sum of the weights
# fails: loss_stands_large_logits | of logits of a thousand it is

# %% loss
def loss(logits, targets):
    logp = logits.log_softmax(-1)
    right = logp.gather(-1, targets[..., None])[..., 0]
    each = -« 1 - smoothing » * right - « smoothing » * (logp.sum(-1) - right) / (logits.size(-1) - 1)
    weights = ((torch.arange(targets.size(1)) + 1) / « early »).clamp(max=1)
    return (each * weights).mean()
