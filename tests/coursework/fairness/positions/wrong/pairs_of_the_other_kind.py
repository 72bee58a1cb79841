# earns: 19
# fails: turn_values | its pairs are neighbours
# %% turn
def turn(x, first=0):
    r = round(« turn_rule.share » * x.shape[-1])
    angles = torch.arange(first, first + x.shape[-2])[:, None] * speeds(r // 2, « turn_rule.base »)
    angles = « "" if turn_rule.way == "left" else "-" »angles
    start = « "0" if turn_rule.end == "first" else "x.shape[-1] - r" »
    part = x[..., start : start + r]
    «% if turn_rule.pairing == "halves" %»
    a, b = part[..., 0::2], part[..., 1::2]
    «% else %»
    a, b = part.chunk(2, -1)
    «% endif %»
    both = (a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos())
    «% if turn_rule.pairing == "halves" %»
    part = torch.stack(both, -1).flatten(-2)
    «% else %»
    part = torch.cat(both, -1)
    «% endif %»
    return torch.cat((x[..., :start], part.to(x), x[..., start + r :]), -1)
