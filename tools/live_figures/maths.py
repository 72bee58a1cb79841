"""The maths of all figures: small untrained models of every kind, and what PyTorch makes of them.

Nothing of this ships. The widths are distinct primes where they may be, so that no two axes can be
confused, and every kind of intervention is run once.
"""

import base64
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from softlookup.inside.interventions import ablated, head_outputs, replaced
from softlookup.layers import recurrent
from softlookup.layers.feed_forward import gelu, gelu_tanh
from softlookup.layers.normalization import LayerNorm, RMSNorm
from softlookup.layers.visibility import Visibility
from softlookup.models.attention_only import AttentionOnly
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.seq2seq import AttentionSeq2Seq, Seq2SeqConfig, alignment
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.models.vit import ViT, ViTConfig
from torch import nn

from live_figures import files

TOKENS = [3, 1, 4, 1, 5, 9, 2]


def packed(model: nn.Module, config: dict[str, Any]) -> dict[str, Any]:
    """A model's weights as a figure gets them."""
    state = dict(model.state_dict())
    data = b"".join(each.half().numpy().astype("<f2").tobytes() for each in state.values())
    tensors = [[name, list(each.shape)] for name, each in state.items()]
    return {"config": config, "tensors": tensors, "data": base64.b64encode(data).decode()}


def livelier(model: nn.Module) -> nn.Module:
    """The same model with weights so large that a mistake shows, rounded as they travel."""
    generator = torch.Generator().manual_seed(len(model.state_dict()))
    with torch.no_grad():
        for name, each in model.named_parameters():
            spread = 0.2 if "norm" in name else 0.4
            start = 1.0 if "norm" in name and name.endswith("weight") else 0.0
            each.copy_(start + spread * torch.randn(each.shape, generator=generator))
    return files.rounded(model)


@torch.no_grad()
def gpts() -> list[dict[str, Any]]:
    """A GPT for each kind of positions."""
    cases = []
    for positions in ("learned", "sinusoidal", "rotary", "alibi", "none"):
        sizes = {"vocab_size": 11, "max_length": 13, "d_model": 12, "n_heads": 3, "n_layers": 2}
        model = livelier(GPT(GPTConfig(**sizes, positions=positions)))
        ids = torch.tensor([TOKENS])
        heads = {("stack.blocks.0.self_attention", 1): 0.0}
        with ablated(model, list(heads)):
            without = model(ids)[0]
        other = head_outputs(model, torch.tensor([TOKENS[::-1]]))
        name = "stack.blocks.1.self_attention"
        with replaced(model, {(name, 2): other[name][:, 2]}):
            patched = model(ids)[0]
        case = packed(model, {**sizes, "positions": positions})
        case |= {"logits": model(ids)[0], "without": without, "patched": patched}
        cases.append(case | {"heads": head_outputs(model, ids)[name][0]})
    return cases


@torch.no_grad()
def painted() -> dict[str, Any]:
    """A stack under a mask that no rule makes, with a row that sees nothing."""
    sizes = {"vocab_size": 11, "max_length": 13, "d_model": 12, "n_heads": 3, "n_layers": 2}
    model = livelier(GPT(GPTConfig(**sizes, positions="learned")))
    mask = torch.rand(7, 7, generator=torch.Generator().manual_seed(1)) < 0.5
    mask[3] = False
    x = model.positions(model.embedding(torch.tensor([TOKENS])))
    output = model.stack(x, Visibility(mask))
    case = packed(model, {**sizes, "positions": "learned"})
    return case | {"mask": mask.int(), "logits": model.embedding.scores(output)[0]}


@torch.no_grad()
def others() -> dict[str, Any]:
    """The other models."""
    ids = torch.tensor([TOKENS])
    reader = livelier(AttentionOnly(11, 13, 12, 3, 2))
    config = {"n_heads": 3, "n_layers": 2}
    made: dict[str, Any] = {
        "attention_only": packed(reader, config) | {"logits": reader(ids)[0]},
        "vit": [],
        "transformer": [],
    }
    image = torch.randn(1, 2, 6, 9, generator=torch.Generator().manual_seed(2))
    for pooling, positions in (("class", "learned"), ("mean", "sinusoidal")):
        sizes = {"patch_size": 3, "n_channels": 2, "d_model": 8, "n_heads": 2, "d_ff": 11}
        sizes |= {"n_layers": 2, "n_classes": 5, "pooling": pooling, "positions": positions}
        model = livelier(ViT(ViTConfig(image_size=(6, 9), **sizes)))
        case = {"image": image.flatten(), "logits": model(image)[0]}
        made["vit"].append(packed(model, {**sizes, "epsilon": 1e-6}) | case)
    target = torch.tensor([[1, 6, 3, 8]])
    for norm, tied in (("pre", False), ("post", True)):
        sizes = {"d_model": 12, "n_heads": 3, "d_ff": 17, "n_layers": 2, "norm": norm}
        sizes |= {"source_vocab_size": 11, "target_vocab_size": 11, "max_length": 13}
        sizes |= {"shared_vocabulary": tied, "tied_output": tied}
        model = livelier(Transformer(TransformerConfig(**sizes)))
        case = {"memory": model.encode(ids)[0], "logits": model(ids, target)[0]}
        made["transformer"].append(packed(model, sizes) | case)
    model = livelier(AttentionSeq2Seq(Seq2SeqConfig(11, 13, 6)))
    lengths = torch.tensor([len(TOKENS)])
    case = {
        "target": target[0],
        "logits": model(ids, lengths, target)[0],
        "weights": alignment(model, ids, lengths, target)[0],
    }
    made["seq2seq"] = packed(model, {}) | case
    return made


@torch.no_grad()
def cells() -> dict[str, Any]:
    """The recurrent networks, the norms and the activations."""
    x = torch.randn(7, 5, generator=torch.Generator().manual_seed(3)).half().float()
    made: dict[str, Any] = {"x": x}
    for name in ("RNN", "LSTM"):
        model = livelier(getattr(recurrent, name)(5, 3))
        states = model(x[None])
        states = states[0] if isinstance(states, tuple) else states
        made[name] = packed(model, {}) | {"states": states.reshape(-1, 3)[:7]}
    normal = livelier(LayerNorm(5))
    square = livelier(RMSNorm(5))
    made["layer_norm"] = packed(normal, {}) | {"output": normal(x)}
    made["rms_norm"] = packed(square, {}) | {"output": square(x)}
    wide = torch.linspace(-9, 9, 61)
    made["wide"] = wide
    functions = {"gelu": gelu, "geluTanh": gelu_tanh, "silu": F.silu, "erf": torch.erf}
    made["activations"] = {name: each(wide) for name, each in functions.items()}
    return made


def export() -> list[Path]:
    """Write what the maths is held to."""
    torch.manual_seed(0)
    expected = {"tokens": TOKENS, "gpt": gpts(), "painted": painted()}
    return [files.write_expected("maths", expected | others() | cells())]
