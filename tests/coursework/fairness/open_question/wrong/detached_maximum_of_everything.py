# earns: 24
# fails: gradients_are_right | its gradient is another

# %% weigh
def weigh(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    top = scores.amax(-1, keepdim=True).clamp(min=« room »)
    parts = (scores - top).exp()
    return parts / (parts.sum(-1, keepdim=True) + (« room » - top).exp()).detach()
