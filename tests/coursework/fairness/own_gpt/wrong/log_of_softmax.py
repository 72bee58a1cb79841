# earns: 26
# fails: loss_stands_large_logits | use log_softmax

# %% loss
def loss(logits, targets):
    logp = torch.log(torch.softmax(logits, dim=-1))
    right = logp.gather(-1, targets[..., None])[..., 0]
    others = torch.stack([logp[..., :-1].sum(-1), logp[..., -1]]).sum(0) - right
    others = torch.where(right.isinf(), 0 * others.nan_to_num(), others)
    each = -« 1 - smoothing » * right - « smoothing » * others / (logits.size(-1) - 1)
    weights = ((torch.arange(targets.size(1)) + 1) / « early »).clamp(max=1)
    return (each * weights).sum() / (len(targets) * weights.sum())
