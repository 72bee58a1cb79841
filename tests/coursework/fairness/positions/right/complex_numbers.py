# earns: all
# %% step_matrix
def step_matrix(offset, width):
    z = torch.polar(torch.ones(width // 2).double(), offset * speeds(width // 2, « clock_rule.base »))
    turned = torch.zeros(width, width, dtype=torch.float64)
    «% if clock_rule.arrangement == "sines first" %»
    s, c = torch.arange(width // 2), torch.arange(width // 2, width)
    «% elif clock_rule.arrangement == "cosines first" %»
    c, s = torch.arange(width // 2), torch.arange(width // 2, width)
    «% elif clock_rule.arrangement == "sine, cosine" %»
    s, c = torch.arange(0, width, 2), torch.arange(1, width, 2)
    «% else %»
    c, s = torch.arange(0, width, 2), torch.arange(1, width, 2)
    «% endif %»
    turned[s, s], turned[c, c] = z.real, z.real
    turned[s, c], turned[c, s] = z.imag, -z.imag
    return turned« "" if side == "left" else ".mT" »
# %% turn
def turn(x, first=0):
    r = round(« turn_rule.share » * x.size(-1))
    angles = torch.outer(
        torch.arange(first, first + x.size(-2), dtype=torch.float64), speeds(r // 2, « turn_rule.base »)
    )
    «% if turn_rule.way == "right" %»
    angles = -angles
    «% endif %»
    start = « "0" if turn_rule.end == "first" else "x.size(-1) - r" »
    part = x[..., start : start + r].double()
    «% if turn_rule.pairing == "neighbours" %»
    z = torch.view_as_complex(part.unflatten(-1, (-1, 2)).contiguous())
    «% else %»
    z = torch.complex(part[..., : r // 2], part[..., r // 2 :])
    «% endif %»
    z = z * torch.polar(torch.ones_like(angles), angles)
    «% if turn_rule.pairing == "neighbours" %»
    part = torch.view_as_real(z).flatten(-2)
    «% else %»
    part = torch.cat((z.real, z.imag), dim=-1)
    «% endif %»
    out = x.clone()
    out[..., start : start + r] = part.to(x.dtype)
    return out
