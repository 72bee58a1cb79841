"""Llama's family from Hugging Face's files into our Llama: Llama, Mistral and Qwen3.

The tensors need no change, for our rotary positions are in the convention of these files. What
matters stands in the configuration: the same shapes are saved by models that stretch their
positions or look through a window, and those are refused. The chapter on today's model loads one.
"""

from collections.abc import Mapping
from pathlib import Path

import torch

from softlookup.models.llama import Llama, LlamaConfig
from softlookup.pretrained.configuration import Configuration
from softlookup.pretrained.files import find, read_tensors
from softlookup.pretrained.matching import Loaded, Origin, Stored, load, rename

LLAMA_SIZES: Mapping[str, LlamaConfig] = {
    "meta-llama/Llama-2-7b-hf": LlamaConfig(32000, 4096, 4096, 32, 32, 32, 11008),
    "meta-llama/Llama-2-70b-hf": LlamaConfig(32000, 4096, 8192, 64, 8, 80, 28672),
    "meta-llama/Meta-Llama-3-8B": LlamaConfig(
        128256, 8192, 4096, 32, 8, 32, 14336, rotary_base=500000.0
    ),
    "meta-llama/Meta-Llama-3-70B": LlamaConfig(
        128256, 8192, 8192, 64, 8, 80, 28672, rotary_base=500000.0
    ),
    "mistralai/Mistral-7B-v0.3": LlamaConfig(
        32768, 32768, 4096, 32, 8, 32, 14336, rotary_base=1000000.0
    ),
    "TinyLlama/TinyLlama-1.1B-Chat-v1.0": LlamaConfig(32000, 2048, 2048, 32, 4, 22, 5632),
    "Qwen/Qwen3-0.6B": LlamaConfig(
        151936,
        40960,
        1024,
        16,
        8,
        28,
        3072,
        d_head=128,
        rotary_base=1000000.0,
        epsilon=1e-6,
        tied=True,
        query_key_norm=True,
    ),
}
"""Models whose files can be read, by their names on the hub, as each ``config.json`` there has
them; 6,738,415,616, 68,976,648,192, 8,030,261,248, 70,553,706,496, 7,248,023,552, 1,100,048,384
and 596,049,920 parameters."""

_KINDS = ("llama", "mistral", "qwen3")
_KNOWN = {
    r"layers\.\d+\.self_attn\.rotary_emb\.inv_freq": "the clocks' speeds, which the base tells",
    r"score\.weight|classifier\..*|qa_outputs\..*": "a head for another task",
}
# Hugging Face's default for all three kinds; Llama 2's files do not have the field.
_DEFAULT_BASE = 10000.0


def load_llama(
    source: str | Path,
    revision: str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Loaded[Llama]:
    """Load a decoder of Llama's family.

    As with GPT-2, positions are counted from the first token on: give it one prompt at a time, or
    prompts of one length.

    Args:
        source: a directory, or a name on the hub such as ``"TinyLlama/TinyLlama-1.1B-Chat-v1.0"``.
        revision: on the hub, a branch, a tag or a commit.
        dtype: of the model, whatever the file has.

    Returns:
        The model, in evaluation mode, and the report.

    Raises:
        ValueError: if the configuration asks for what Llama does not compute, such as stretched
            positions, windows, biases or quantised weights, or if the tensors do not fit it.
        ConnectionError: if a name cannot be had from the hub.

    Source: Touvron et al. 2023, Jiang et al. 2023, Zhang et al. 2024 (TinyLlama), Yang et al. 2025
        (Qwen3); the layout is that of Hugging Face's ``LlamaForCausalLM``,
        ``MistralForCausalLM`` and ``Qwen3ForCausalLM``.
    """
    directory = find(source, revision)
    theirs = Configuration.read(directory)
    config = _llama_config(theirs)
    stored = rename(read_tensors(directory), "model.")
    known = dict(_KNOWN)
    if config.tied:
        _require_tied_head(stored)
        known[r"lm_head\.weight"] = "the same numbers as the table of embeddings"
    return load(lambda: Llama(config), stored, _plan(config), known, str(source), dtype)


def _llama_config(theirs: Configuration) -> LlamaConfig:
    theirs.require({"model_type": _KINDS}, "load_llama")
    kind = theirs.fields.get("model_type", "llama")
    theirs.require(
        {
            "hidden_act": ("silu",),
            "attention_bias": (False,),
            "mlp_bias": (False,),
            "use_sliding_window": (False,),
        },
        "Llama",
    )
    _require_no_window(theirs)
    n_heads = theirs.whole("num_attention_heads")
    # What the files of a kind may leave out; the others have defaults of their own.
    shared, width = theirs.fields.get("num_key_value_heads"), theirs.fields.get("head_dim")
    return LlamaConfig(
        vocab_size=theirs.whole("vocab_size"),
        max_length=theirs.whole("max_position_embeddings"),
        d_model=theirs.whole("hidden_size"),
        n_heads=n_heads,
        n_key_value_heads=(
            n_heads if shared is None and kind == "llama" else theirs.whole("num_key_value_heads")
        ),
        n_layers=theirs.whole("num_hidden_layers"),
        d_ff=theirs.whole("intermediate_size"),
        d_head=None if width is None and kind != "qwen3" else theirs.whole("head_dim"),
        rotary_base=_rotary_base(theirs),
        epsilon=theirs.number("rms_norm_eps"),
        tied=theirs.fields.get("tie_word_embeddings") is True,
        query_key_norm=kind == "qwen3",
    )


def _require_no_window(theirs: Configuration) -> None:
    """Refuse layers that look at the nearest tokens alone.

    Qwen3 names a window that ``use_sliding_window`` then leaves unused. Mistral has one of 4,096
    tokens where the field is absent, and none where it is null.
    """
    window = theirs.fields.get("sliding_window", "missing, which stands for 4096")
    if theirs.fields.get("model_type") == "mistral" and window is not None:
        raise ValueError(
            f"{theirs.path}: sliding_window is {window}; expected null, because every token of "
            "Llama looks at all that came before"
        )
    layers = theirs.fields.get("layer_types")
    others = {*layers} - {"full_attention"} if isinstance(layers, list) else set()
    if others:
        raise ValueError(
            f"{theirs.path}: layer_types has {sorted(map(str, others))}; expected "
            "'full_attention' alone, because every token of Llama looks at all that came before"
        )


def _rotary_base(theirs: Configuration) -> float:
    """The base of the rotary positions, wherever the release of transformers has written it."""
    base = theirs.fields.get("rope_theta")
    for name in ("rope_parameters", "rope_scaling"):
        rope = theirs.fields.get(name)
        if rope is None:
            continue
        known = {"rope_theta", "rope_type", "type"}
        if not isinstance(rope, dict) or any(
            [
                rope.get("rope_type", rope.get("type", "default")) != "default",
                {key for key, value in rope.items() if value is not None} - known,
                base is not None and rope.get("rope_theta", base) != base,
            ]
        ):
            raise ValueError(
                f"{theirs.path}: {name} is {rope!r}; expected a rope_type of 'default' and a "
                "rope_theta, because Llama turns by plain rotary positions: these weights were "
                "trained with positions that are stretched, or turned in part"
            )
        base = rope.get("rope_theta", base)
    if base is None:
        return _DEFAULT_BASE
    if not isinstance(base, int | float) or isinstance(base, bool) or not base > 1:
        raise ValueError(f"{theirs.path}: rope_theta is {base!r}; expected a number above 1")
    return float(base)


def _require_tied_head(stored: Mapping[str, Stored]) -> None:
    head, table = stored.get("lm_head.weight"), stored.get("embed_tokens.weight")
    if head is not None and table is not None and not torch.equal(head.tensor, table.tensor):
        raise ValueError(
            f"{head.name} and {table.name} differ; expected the same numbers, because "
            "tie_word_embeddings is true"
        )


def _plan(config: LlamaConfig) -> dict[str, Origin]:
    plan = {"embedding.table": "embed_tokens", "stack.final_norm.weight": "norm"}
    if not config.tied:
        plan["unembedding.weight"] = "lm_head"
    for number in range(config.n_layers):
        ours, theirs = f"stack.blocks.{number}", f"layers.{number}"
        for name in ("query", "key", "value", "output"):
            projection = f"{ours}.self_attention.{name}_projection.weight"
            plan[projection] = f"{theirs}.self_attn.{name[0]}_proj"
        for name, short in (("query", "q"), ("key", "k")) if config.query_key_norm else ():
            plan[f"{ours}.self_attention.{name}_norm.weight"] = f"{theirs}.self_attn.{short}_norm"
        for name, part in (("gate", "gate"), ("inner", "up"), ("output", "down")):
            plan[f"{ours}.feed_forward.{name}_projection.weight"] = f"{theirs}.mlp.{part}_proj"
        plan[f"{ours}.norm_1.weight"] = f"{theirs}.input_layernorm"
        plan[f"{ours}.norm_2.weight"] = f"{theirs}.post_attention_layernorm"
    return {name: Origin(f"{origin}.weight") for name, origin in plan.items()}
