"""GPT-2's weights in our GPT.

Hugging Face stores GPT-2 as its authors did: linear layers are stored transposed, queries, keys and
values are one matrix side by side, and the output is the table of embeddings once more. Nothing
else differs from our GPT.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from softlookup.models.gpt import GPT, GPTConfig
from softlookup.pretrained.configuration import Configuration
from softlookup.pretrained.files import find, read_tensors
from softlookup.pretrained.matching import Loaded, Origin, Stored, layer, load, rename

GPT2_SIZES: Mapping[str, GPTConfig] = {
    "gpt2": GPTConfig(50257, 1024, d_model=768, n_heads=12, n_layers=12),
    "gpt2-medium": GPTConfig(50257, 1024, d_model=1024, n_heads=16, n_layers=24),
    "gpt2-large": GPTConfig(50257, 1024, d_model=1280, n_heads=20, n_layers=36),
    "gpt2-xl": GPTConfig(50257, 1024, d_model=1600, n_heads=25, n_layers=48),
}
"""The four sizes that were published, by their names on the hub; 124,439,808, 354,823,168,
774,030,080 and 1,557,611,200 parameters."""

_KNOWN = {
    r"h\.\d+\.attn\.bias": "the causal mask, which attention makes for itself",
    r"h\.\d+\.attn\.masked_bias": "what masked scores were filled with; ours are -inf",
    r"lm_head\.weight": "the same numbers as the table of embeddings, which serves at both ends",
    r"score\.weight|classifier\..*|multiple_choice_head\..*": "a head for another task",
}


def load_gpt2(
    source: str | Path,
    revision: str | None = None,
    dtype: torch.dtype = torch.float32,
    dropout: float = 0.0,
) -> Loaded[GPT]:
    """Load a GPT-2 of any size.

    A prompt that is padded on its left, as Hugging Face generates in batches, has no place in our
    GPT, which counts positions from the first token on: give it one prompt at a time, or prompts
    of one length.

    Args:
        source: a directory, or a name on the hub such as ``"openai-community/gpt2-medium"``.
        revision: on the hub, a branch, a tag or a commit.
        dtype: of the model, whatever the file has.
        dropout: for training on; the configuration's own is not taken, and attention has none.

    Returns:
        The model, in evaluation mode, and the report.

    Raises:
        ValueError: if the configuration asks for what GPT does not compute, or if the tensors do
            not fit it.
        ConnectionError: if a name cannot be had from the hub.

    Source: Radford et al. 2019; the layout is that of Hugging Face's ``GPT2LMHeadModel``.
    """
    directory = find(source, revision)
    theirs = Configuration.read(directory)
    config = _gpt_config(theirs, dropout)
    stored = rename(read_tensors(directory), "transformer.")
    _require_tied_head(stored, theirs)
    return load(lambda: GPT(config), stored, _plan(config.n_layers), _KNOWN, str(source), dtype)


def _gpt_config(theirs: Configuration, dropout: float) -> GPTConfig:
    theirs.require({"model_type": ("gpt2",)}, "load_gpt2")
    d_model, max_length = theirs.whole("n_embd"), theirs.whole("n_positions")
    theirs.require(
        {
            "activation_function": ("gelu_new", "gelu_pytorch_tanh"),
            "layer_norm_epsilon": (1e-5,),
            "n_inner": (4 * d_model,),
            "n_ctx": (max_length,),
            "scale_attn_weights": (True,),
            "scale_attn_by_inverse_layer_idx": (False,),
            "reorder_and_upcast_attn": (False,),
            "add_cross_attention": (False,),
        },
        "GPT",
    )
    return GPTConfig(
        vocab_size=theirs.whole("vocab_size"),
        max_length=max_length,
        d_model=d_model,
        n_heads=theirs.whole("n_head"),
        n_layers=theirs.whole("n_layer"),
        dropout=dropout,
    )


def _require_tied_head(stored: Mapping[str, Stored], theirs: Configuration) -> None:
    head, table = stored.get("lm_head.weight"), stored.get("wte.weight")
    if head is not None and table is not None:
        if not torch.equal(head.tensor, table.tensor):
            raise ValueError(
                f"{head.name} and {table.name} differ; expected the same numbers, because GPT "
                "scores the next token by its table of embeddings"
            )
    elif head is None and theirs.fields.get("tie_word_embeddings") is False:
        raise ValueError(
            f"{theirs.path}: tie_word_embeddings is False and the file has no lm_head.weight; "
            "expected a head, or one that is the table of embeddings"
        )


def _plan(n_layers: int) -> dict[str, Origin]:
    plan = {
        "embedding.table": Origin("wte.weight"),
        "positions.table": Origin("wpe.weight"),
        **layer("stack.final_norm", "ln_f"),
    }
    for number in range(n_layers):
        ours, theirs = f"stack.blocks.{number}", f"h.{number}"
        plan |= layer(f"{ours}.norm_1", f"{theirs}.ln_1")
        for place, name in enumerate(("query", "key", "value")):
            part = f"{ours}.self_attention.{name}_projection"
            plan |= _third(part, f"{theirs}.attn.c_attn", place)
        plan |= _transposed(f"{ours}.self_attention.output_projection", f"{theirs}.attn.c_proj")
        plan |= layer(f"{ours}.norm_2", f"{theirs}.ln_2")
        plan |= _transposed(f"{ours}.feed_forward.inner_projection", f"{theirs}.mlp.c_fc")
        plan |= _transposed(f"{ours}.feed_forward.output_projection", f"{theirs}.mlp.c_proj")
    return plan


def _transposed(ours: str, theirs: str) -> dict[str, Origin]:
    """A linear layer that is stored as (in, out), where PyTorch stores (out, in)."""
    weight = Origin(f"{theirs}.weight", lambda tensor: tensor.transpose(0, -1), "transposed")
    return layer(ours, theirs) | {f"{ours}.weight": weight}


def _third(ours: str, theirs: str, place: int) -> dict[str, Origin]:
    """The queries', the keys' or the values' part of the layer that computes all three."""

    def take(tensor: Tensor) -> Tensor:
        # A matrix is transposed after the cut; a bias has one axis, which stays.
        return tensor.tensor_split(3, dim=-1)[place].transpose(0, -1)

    third = ("first", "second", "last")[place] + " third"
    return {
        f"{ours}.weight": Origin(f"{theirs}.weight", take, f"{third} of the columns, transposed"),
        f"{ours}.bias": Origin(f"{theirs}.bias", take, third),
    }
