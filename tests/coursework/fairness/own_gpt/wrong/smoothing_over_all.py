# earns: 24
# fails: knowing_nothing_costs_log_v | as in the library
# fails: loss_is_the_weighted_mean | which places have which weight
# fails: loss_stands_large_logits | of logits of a thousand it is

# %% loss
def loss(logits, targets):
    each = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=« smoothing »
    )
    weights = ((torch.arange(targets.size(1)) + 1) / « early »).clamp(max=1)
    return (each * weights).sum() / (len(targets) * weights.sum())
