# earns: all
# %% +
# As a notebook from Colab begins.
import sys

IN_COLAB = "google.colab" in sys.modules
if IN_COLAB:
    from google.colab import drive

    drive.mount("/content/drive")
    sys.path.append("/content/drive/MyDrive/course")
# %% +
!python -m pip install --quiet no_such_seaborn


def draw(weights):
    import no_such_seaborn

    return no_such_seaborn.heatmap(weights).rename(columns={"a": "b"})


with open("log.txt", "w") as file:
    file.write("begun")
# %% setup
# (a student's changes here are put back)
# %% +
import matplotlib.pyplot as plt
import numpy as np
import torch.nn.functional as F

P = « exponent »
C = « corner »
# %% + markdown
I keep this term's numbers in one place.
# %% scores
def bend(x):
    return x if abs(x) <= C else math.copysign(C + (abs(x) - C) / 4, x)


def scores(query, key):
    a, b = query, key
    c = torch.matmul(a, torch.swapaxes(b, -1, -2))
    c = c / b.shape[-1] ** P
    too_much = c.abs() > C
    c = torch.where(too_much, torch.sign(c) * (C + (torch.abs(c) - C) / 4), c)
    return c
# %% +
for x in (-20.0, -3.0, 0.0, 3.0, 20.0):
    print(x, bend(x))
# %% pattern
def pattern(length):
    m = np.zeros((length, length), dtype=bool)
    for b in range(1, « near » + 1):
        m |= np.eye(length, k=-b, dtype=bool)
    for b in range(« far », « far + near »):
        m |= np.eye(length, k=-b, dtype=bool)
    return torch.from_numpy(m)
# %% +
plt.imshow(pattern(12))
plt.show()
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), torch.finfo(s.dtype).min)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values.detach())
    if mask is not None:
        e = e * mask.to(e.dtype)
    z = e.sum(dim=-1, keepdim=True).clamp(min=1e-12)
    return (e / z) @ value


look_back = lambda q, k, v: attend(q, k, v, pattern(q.shape[-2]))
# %% +
# Without this term's bend and scale mine should be PyTorch's.
q, k, v = torch.randn(2, 7, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 3)
print((F.scaled_dot_product_attention(q, k, v) - attend(q, k, v)).abs().max())
# %% newest
def newest(query, key, value):
    n = key.shape[-2]
    steps = np.array([*range(1, « near » + 1), *range(« far », « far + near »)])
    idx = n - 1 - np.unique(steps)
    idx = idx[idx >= 0]
    if len(idx) == 0:
        return query.new_zeros(*query.shape[:-1], value.shape[-1])
    return attend(query, key[..., idx, :], value[..., idx, :])
