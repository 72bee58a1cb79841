# earns: all
# %% weights
import math


def weights(scores):
    scaled = scores.double() * math.log(« base »)
    scaled = scaled - scaled.max(-1, keepdim=True).values
    return (scaled.exp() / scaled.exp().sum(-1, keepdim=True)).to(scores.dtype)
# %% chosen
def chosen(scores):
    bound = scores.sort(-1).values[..., « left_out » :][..., :1]
    return weights(torch.where(scores >= bound, scores, torch.tensor(float("-inf"))))
