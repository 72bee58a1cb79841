# earns: all
# %% clock_table
class Clocks(nn.Module):
    """A table that is kept, and made longer when it is too short."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.register_buffer("table", torch.zeros(0, width, dtype=torch.float64))

    def forward(self, length):
        if length > len(self.table):
            self.table = self.make(length)
        return self.table[:length]

    def make(self, length):
        d = self.width
        n = « "d // 2" if clock_rule.odd == "zero" else "(d + 1) // 2" »
        angles = torch.einsum(
            "p,i->pi", torch.arange(length).double(), speeds(n, « clock_rule.base »)
        )
        hands = {"sin": angles.sin(), "cos": angles.cos()}
        first, second = « '("sin", "cos")' if clock_rule.arrangement.startswith("sine") else '("cos", "sin")' »
        table = torch.zeros(length, d, dtype=torch.float64)
        «% if clock_rule.arrangement.endswith("first") %»
        table[:, :n] = hands[first]
        rest = min(n, d - n)
        table[:, n : n + rest] = hands[second][:, :rest]
        «% else %»
        whole = 2 * n - (2 * n > d)
        table[:, 0 : 2 * n : 2] = hands[first]
        table[:, 1:whole:2] = hands[second][:, : whole // 2]
        «% endif %»
        return table


def speeds(n, base):
    i = torch.arange(n, dtype=torch.float64)
    return {
        "ends": lambda: torch.logspace(0, -1 if n > 1 else 0, n, base=base).double(),
        "half steps": lambda: torch.exp(-math.log(base) * (2 * i + 1) / (2 * n)),
        "squares": lambda: torch.exp(-math.log(base) * (i / n).square()),
        "periods": lambda: n / (n + (base - 1) * i),
    }["« clock_rule.spacing »"]()


tables = {}


def clock_table(length, width):
    return tables.setdefault(width, Clocks(width))(length)
# %% add_clocks
class AddClocks(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(float(scale)).double(), requires_grad=False)

    def forward(self, x, first=0):
        return x + self.scale * clock_table(first + x.size(-2), x.size(-1))[first:]


add_clocks = AddClocks(« scale »)
# %% turn
class Turn(nn.Module):
    def __init__(self, share, base):
        super().__init__()
        self.share, self.base = share, base

    def matrix(self, place, r):
        """One rotation of r features, as a matrix for rows."""
        rows = torch.zeros(r, r, dtype=torch.float64)
        for i, speed in enumerate(speeds(r // 2, self.base).tolist()):
            a, b = « "(2 * i, 2 * i + 1)" if turn_rule.pairing == "neighbours" else "(i, i + r // 2)" »
            angle = « "" if turn_rule.way == "left" else "-" »place * speed
            rows[a, a] = rows[b, b] = math.cos(angle)
            rows[a, b], rows[b, a] = math.sin(angle), -math.sin(angle)
        return rows

    def forward(self, x, first=0):
        width = x.size(-1)
        r = int(self.share * width)
        turns = torch.stack([self.matrix(first + p, r) for p in range(x.size(-2))]).to(x)
        start = « "0" if turn_rule.end == "first" else "width - r" »
        part = torch.einsum("...pd,pde->...pe", x[..., start : start + r], turns)
        return torch.cat((x[..., :start], part, x[..., start + r :]), dim=-1)


turn = Turn(« turn_rule.share », « turn_rule.base »)
