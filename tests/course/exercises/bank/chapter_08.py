"""Wrong answers to the exercises of chapter 8, each with the words that its verdict must say."""

WRONG = [
    (
        "8.1",
        "sines and cosines are exchanged",
        "have changed places",
        """
def sinusoids(length, d_model):
    angles = torch.arange(length)[:, None] / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2], table[:, 1::2] = angles.cos(), angles.sin()
    return table

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.1",
        "halves in place of alternating columns",
        "your sines fill the first half",
        """
def sinusoids(length, d_model):
    angles = torch.arange(length)[:, None] / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.1",
        "the exponent is i / d_model",
        "fall too slowly",
        """
def sinusoids(length, d_model):
    angles = torch.arange(length)[:, None] / 10000.0 ** (torch.arange(d_model // 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.1",
        "each column has a frequency of its own",
        "run at different speeds",
        """
def sinusoids(length, d_model):
    table = torch.arange(length)[:, None] / 10000.0 ** (torch.arange(d_model) / d_model)
    table[:, 0::2], table[:, 1::2] = table[:, 0::2].sin(), table[:, 1::2].cos()
    return table

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.1",
        "positions from 1",
        "counted from 1",
        """
def sinusoids(length, d_model):
    places = torch.arange(1, length + 1)[:, None]
    angles = places / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.1",
        "multiplied by the power in place of divided",
        "turn faster, not slower",
        """
def sinusoids(length, d_model):
    powers = 10000.0 ** (torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.arange(length).double()[:, None] * powers
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.2",
        "the rotation runs backwards",
        "the signs of the two sines are exchanged",
        """
def shift(offset, d_model):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        angle = offset / 10000 ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1], M[i + 1, i] = -math.sin(angle), math.sin(angle)
    return M

exercises.check_shift(shift)
""",
    ),
    (
        "8.2",
        "sines and cosines in halves",
        "its four numbers stand in a block",
        """
def shift(offset, d_model):
    angles = offset / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    cosine, sine = angles.cos().diag(), angles.sin().diag()
    return torch.cat([torch.cat([cosine, sine], 1), torch.cat([-sine, cosine], 1)])

exercises.check_shift(shift)
""",
    ),
    (
        "8.2",
        "every clock turns by the same angle",
        "each has its own speed",
        """
def shift(offset, d_model):
    c, s = math.cos(offset), math.sin(offset)
    return torch.block_diag(*[torch.tensor([[c, s], [-s, c]])] * (d_model // 2))

exercises.check_shift(shift)
""",
    ),
    (
        "8.2",
        "a fit by least squares to few positions",
        "many matrices fit",
        """
def shift(offset, d_model):
    table = positions.sinusoidal(64, d_model, dtype=torch.float64)[:40]
    step = abs(offset)
    before, after = (table[:-step], table[step:]) if offset > 0 else (table[step:], table[:-step])
    noise = torch.linspace(-1, 1, d_model, dtype=torch.float64)
    fit = torch.linalg.lstsq(before, after, driver="gelsd").solution.T
    null = torch.linalg.svd(before).Vh[-1]
    return fit + torch.outer(noise, null)

exercises.check_shift(shift)
""",
    ),
    (
        "8.3",
        "the pairs are not put side by side again",
        "side by side again",
        """
def rotary(x):
    length, width = x.shape[-2:]
    places = torch.arange(length, dtype=torch.float64)[:, None]
    angles = places / 10000 ** (torch.arange(0, width, 2) / width)
    even, odd = x[..., 0::2], x[..., 1::2]
    cosine, sine = angles.cos(), angles.sin()
    return torch.cat([even * cosine - odd * sine, even * sine + odd * cosine], -1)
exercises.check_rotary(rotary)
""",
    ),
    (
        "8.3",
        "the sinusoids are added",
        "add nothing, they turn",
        """
def rotary(x):
    return x + positions.sinusoidal(x.size(-2), x.size(-1), dtype=x.dtype)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.3",
        "the pairs are halves",
        "weights trained with one fail with the other",
        """
def rotary(x):
    length, width = x.shape[-2:]
    exponents = torch.arange(0, width, 2, dtype=x.dtype) / width
    angles = torch.arange(length, dtype=x.dtype)[:, None] / 10000.0**exponents
    first, second = x.chunk(2, dim=-1)
    turned = first * angles.cos() - second * angles.sin()
    return torch.cat([turned, first * angles.sin() + second * angles.cos()], dim=-1)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.3",
        "turned the other way",
        "you turned the other way",
        """
def rotary(x):
    length, width = x.shape[-2:]
    exponents = torch.arange(0, width, 2, dtype=x.dtype) / width
    angles = torch.arange(length, dtype=x.dtype)[:, None] / 10000.0**exponents
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = even * angles.cos() + odd * angles.sin(), odd * angles.cos() - even * angles.sin()
    return torch.stack(turned, dim=-1).flatten(-2)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.3",
        "positions along the heads",
        "grows along the heads",
        """
def rotary(x):
    heads, width = x.size(1), x.size(-1)
    exponents = torch.arange(0, width, 2, dtype=x.dtype) / width
    angles = torch.arange(heads, dtype=x.dtype)[:, None, None] / 10000.0**exponents
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.3",
        "no minus before the sine",
        "carry the same sign",
        """
def rotary(x):
    length, width = x.shape[-2:]
    exponents = torch.arange(0, width, 2, dtype=x.dtype) / width
    angles = torch.arange(length, dtype=x.dtype)[:, None] / 10000.0**exponents
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = even * angles.cos() + odd * angles.sin(), even * angles.sin() + odd * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.4",
        "only the shape is compared",
        "adds nothing at all",
        """
def tells_order(add, x):
    return add(x).shape == x.shape

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "it only asks whether anything changes",
        "added along the batch",
        """
def tells_order(add, x):
    return not torch.equal(add(x), x)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "it looks at one sentence only",
        "runs on from one sentence to the next",
        """
def tells_order(add, x):
    added = (add(x) - x)[0]
    apart = torch.cdist(added, added) + torch.eye(len(added))
    return bool((apart > 1e-9).all())

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "it compares neighbours only",
        "repeat after 3 places",
        """
def tells_order(add, x):
    added = add(x) - x
    same = torch.allclose(added, added[:1].expand_as(added))
    return same and bool(((added[0, 1:] - added[0, :-1]).abs().amax(-1) > 1e-9).all())

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "small vectors are taken for none",
        "you reject a learned table at its start",
        """
def tells_order(add, x):
    added = add(x) - x
    same = torch.allclose(added, added[:1].expand_as(added))
    apart = torch.cdist(added[0], added[0]) + 9 * torch.eye(x.size(1))
    return same and bool((apart > 0.5).all())

exercises.check_tells_order(tells_order)
""",
    ),
]

ALSO_RIGHT = [
    (
        "8.1",
        "with loops and the formulas word for word",
        """
def sinusoids(length, d_model):
    table = torch.zeros(length, d_model, dtype=torch.float64)
    for position in range(length):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            table[position, 2 * i] = math.sin(angle)
            table[position, 2 * i + 1] = math.cos(angle)
    return table

exercises.check_sinusoids(sinusoids)
""",
    ),
    (
        "8.2",
        "entry by entry",
        """
def shift(offset, d_model):
    M = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        angle = offset / 10000 ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1], M[i + 1, i] = math.sin(angle), -math.sin(angle)
    return M

exercises.check_shift(shift)
""",
    ),
    (
        "8.3",
        "with complex numbers",
        """
def rotary(x):
    length, width = x.shape[-2:]
    exponents = torch.arange(0, width, 2, dtype=x.dtype) / width
    angles = torch.arange(length, dtype=x.dtype)[:, None] / 10000.0**exponents
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

exercises.check_rotary(rotary)
""",
    ),
    (
        "8.4",
        "with other words, and loops",
        """
def tells_order(add, x):
    added = add(x) - x
    other = add(torch.zeros_like(x))
    if not torch.allclose(added, other, atol=1e-9):
        return False
    for place in range(x.size(1)):
        for sentence in range(x.size(0)):
            if not torch.allclose(other[sentence, place], other[0, place], atol=1e-9):
                return False
        for before in range(place):
            if torch.allclose(other[0, place], other[0, before], atol=1e-9):
                return False
    return True

exercises.check_tells_order(tells_order)
""",
    ),
]
