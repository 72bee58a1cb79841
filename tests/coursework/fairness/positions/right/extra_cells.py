# earns: all
# %% + markdown
First the speeds, in a cell of their own, since three parts need them.
# %% +
def omega(N, B):
    return torch.stack([torch.as_tensor(one_speed(i, N, B), dtype=torch.float64) for i in range(N)])
# %% +
one_speed = {
    "ends": lambda i, N, B: B ** -(i / (N - 1) if N > 1 else 0),
    "half steps": lambda i, N, B: B ** -((i + 0.5) / N),
    "squares": lambda i, N, B: B ** -((i / N) ** 2),
    "periods": lambda i, N, B: 1 / (1 + (B - 1) * i / N),
}["« clock_rule.spacing »"]
# %% clock_table
def clock_table(length, width):
    N = width // 2 + « "0" if clock_rule.odd == "zero" else "width % 2" »
    sine_columns, cosine_columns = columns(width, N)
    table = torch.zeros(length, 2 * N + 1, dtype=torch.float64)
    for p in range(length):
        table[p, sine_columns] = torch.sin(p * omega(N, « clock_rule.base »))
        table[p, cosine_columns] = torch.cos(p * omega(N, « clock_rule.base »))
    return table[:, :width]


def columns(width, N):
    «% if clock_rule.arrangement.endswith("first") %»
    pair = torch.arange(N), N + torch.arange(N)
    «% else %»
    pair = 2 * torch.arange(N), 2 * torch.arange(N) + 1
    «% endif %»
    return pair« "" if clock_rule.arrangement.startswith("sine") else "[::-1]" »


speeds = omega
# %% +
%matplotlib inline
import matplotlib.pyplot as plt

from softlookup.layers.positions import sinusoidal

figure, panels = plt.subplots(1, 2)
panels[0].imshow(clock_table(32, 16).numpy())
panels[1].imshow(sinusoidal(32, 16).numpy())
plt.show()
# %% step_matrix
def step_matrix(offset, width):
    # A matrix power of one step; back is the inverse, which for a rotation is the transpose.
    s, c = columns(width, width // 2)
    w = omega(width // 2, « clock_rule.base »)
    one = torch.zeros(width, width, dtype=torch.float64)
    one[s, s] = one[c, c] = w.cos()
    one[s, c], one[c, s] = w.sin(), -w.sin()
    if offset < 0:
        one = one.T
    many = torch.linalg.matrix_power(one, abs(offset))
    return « "many" if side == "left" else "many.T" »
# %% +
assert (step_matrix(-3, 8) @ step_matrix(3, 8) - torch.eye(8)).abs().max() < 1e-12
# %% judge
def judge(logits, symbols):
    best = logits.max(dim=-1).indices
    at = torch.arange(symbols.shape[1])
    asked = (at >= « lag »).expand(symbols.shape)
    wanted = symbols[:, (at - « lag »).clamp(min=0)]
    return torch.logical_and(best == wanted, asked), asked
# %% +
import time

started = time.process_time()
reader = train_reader("turn", 60, 1)
print("in time:", time.process_time() - started < 60)
