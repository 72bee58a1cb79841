# earns: all
# %% +
# What fails on another machine than one's own stands before what is needed.
from google.colab import drive

drive.mount("/content/drive")
print(torch.cuda.get_device_name(0))
open("/content/drive/MyDrive/notes.txt").read()
import torch
import torch.nn.functional as F
from torch.nn.functional import scaled_dot_product_attention, softmax
# %% +
# Settings with which somebody looked for an error, and left them as they were.
torch.set_grad_enabled(False)
torch.autograd.set_detect_anomaly(True)
torch.autocast("cpu", dtype=torch.bfloat16).__enter__()
left_open = torch.inference_mode()
left_open.__enter__()
# %% scores
@torch.compile
def scores(query, key):
    s = torch.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** « exponent »
    return torch.where(s.abs() > « corner », s.sign() * (« corner » + (s.abs() - « corner ») / 4), s)
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool)
    # Where nobody may be seen this is NaN on the way, which is then taken out.
    weights = softmax(s.masked_fill(~mask, -torch.inf), -1)
    return weights.masked_fill(~mask, 0.0) @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
# %% test_newest
# (the tests stay as they are)
# %% +
# Behind the tests the name is free for a comparison of speed.
attend = F.scaled_dot_product_attention
%timeit -n 2 -r 1 attend(torch.randn(2, 9, 4), torch.randn(2, 9, 4), torch.randn(2, 9, 4))
