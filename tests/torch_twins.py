"""Our weights under the names of torch.nn and of Hugging Face, so that their modules can hold them.

Each function maps a module of ours to a dictionary in the other's naming. ``of`` says what is
taken of each parameter, so that one mapping serves to copy the weights (``values``) and to
compare the gradients (``gradients``).
"""

import torch
from torch import nn


def values(parameter):
    return parameter.detach().clone()


def gradients(parameter):
    return parameter.grad


def multi_head(module, of=values):
    projections = (module.query_projection, module.key_projection, module.value_projection)
    return {
        "in_proj_weight": torch.cat([of(projection.weight) for projection in projections]),
        "in_proj_bias": torch.cat([of(projection.bias) for projection in projections]),
        **linear(module.output_projection, "out_proj", of),
    }


def linear(module, name, of=values):
    return {f"{name}.weight": of(module.weight), f"{name}.bias": of(module.bias)}


def under(name, weights):
    return {f"{name}.{key}": value for key, value in weights.items()}


def block(ours, of=values):
    """An encoder block or a decoder block, as nn.TransformerEncoderLayer or DecoderLayer."""
    weights = {
        **under("self_attn", multi_head(ours.self_attention, of)),
        **linear(ours.feed_forward.inner_projection, "linear1", of),
        **linear(ours.feed_forward.output_projection, "linear2", of),
    }
    if hasattr(ours, "cross_attention"):
        weights |= under("multihead_attn", multi_head(ours.cross_attention, of))
    norms = [ours.norm_1, ours.norm_2]
    if hasattr(ours, "norm_3"):
        norms.append(ours.norm_3)
    for number, norm in enumerate(norms, start=1):
        weights |= linear(norm, f"norm{number}", of)
    return weights


def stack(ours, of=values):
    """A stack, as nn.TransformerEncoder or nn.TransformerDecoder."""
    weights = {}
    for number, layer in enumerate(ours.blocks):
        weights |= under(f"layers.{number}", block(layer, of))
    if isinstance(ours.final_norm, nn.LayerNorm):
        weights |= linear(ours.final_norm, "norm", of)
    return weights


def gpt2(ours, of=values):
    """A GPT, as Hugging Face's GPT2LMHeadModel, whose linear layers are stored transposed."""

    def transposed(module, name):
        return {f"{name}.weight": of(module.weight).T, f"{name}.bias": of(module.bias)}

    weights = {
        "wte.weight": of(ours.embedding.table),
        "wpe.weight": of(ours.positions.table),
        **linear(ours.stack.final_norm, "ln_f", of),
    }
    for number, layer in enumerate(ours.stack.blocks):
        attention = layer.self_attention
        projections = (
            attention.query_projection,
            attention.key_projection,
            attention.value_projection,
        )
        weights |= under(
            f"h.{number}",
            {
                "attn.c_attn.weight": torch.cat([of(part.weight) for part in projections]).T,
                "attn.c_attn.bias": torch.cat([of(part.bias) for part in projections]),
                **transposed(attention.output_projection, "attn.c_proj"),
                **transposed(layer.feed_forward.inner_projection, "mlp.c_fc"),
                **transposed(layer.feed_forward.output_projection, "mlp.c_proj"),
                **linear(layer.norm_1, "ln_1", of),
                **linear(layer.norm_2, "ln_2", of),
            },
        )
    return under("transformer", weights)


def scatter_norms_and_biases(module):
    """Move what starts at zero or one, so that a swapped or forgotten one shows."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return module


def assert_same_gradients(expected, twin, tolerance):
    """Our gradients, in the twin's naming, are the twin's; none is missing and none is zero."""
    actual = {name: parameter.grad for name, parameter in twin.named_parameters()}
    assert actual.keys() == expected.keys()
    for name in expected:
        assert actual[name].abs().max() > 1e-4, name
        torch.testing.assert_close(
            expected[name],
            actual[name],
            rtol=tolerance,
            atol=tolerance,
            msg=lambda m, n=name: f"{n}: {m}",
        )


def llama(ours, of=values):
    """A Llama, as Hugging Face's LlamaForCausalLM, MistralForCausalLM or Qwen3ForCausalLM."""
    weights = {
        "model.embed_tokens.weight": of(ours.embedding.table),
        "model.norm.weight": of(ours.stack.final_norm.weight),
    }
    if ours.unembedding is not None:
        weights["lm_head.weight"] = of(ours.unembedding.weight)
    for number, layer in enumerate(ours.stack.blocks):
        attention, network = layer.self_attention, layer.feed_forward
        parts = {
            "self_attn.q_proj": attention.query_projection,
            "self_attn.k_proj": attention.key_projection,
            "self_attn.v_proj": attention.value_projection,
            "self_attn.o_proj": attention.output_projection,
            "mlp.gate_proj": network.gate_projection,
            "mlp.up_proj": network.inner_projection,
            "mlp.down_proj": network.output_projection,
            "input_layernorm": layer.norm_1,
            "post_attention_layernorm": layer.norm_2,
        }
        if hasattr(attention, "query_norm"):
            parts["self_attn.q_norm"] = attention.query_norm
            parts["self_attn.k_norm"] = attention.key_norm
        for name, part in parts.items():
            weights[f"model.layers.{number}.{name}.weight"] = of(part.weight)
    return weights


class InDouble:
    """The module ``torch`` as a module of Hugging Face sees it whose float32 shall be float64.

    Norms, rotary angles and softmax are computed there in float32, whatever the model's type, so
    their float64 is no reference. With this in place of the name ``torch`` in their file, the
    same code computes in float64 throughout.
    """

    def __getattr__(self, name):
        return torch.float64 if name in ("float", "float32") else getattr(torch, name)
