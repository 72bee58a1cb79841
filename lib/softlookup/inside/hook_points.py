"""Hook points: the parts of the course's models at which activations are recorded.

They are found by their types, so that a part may be called whatever suits its model.
"""

from collections.abc import Iterator

from torch import nn

from softlookup.layers.blocks import Block
from softlookup.layers.decoder_blocks import DecoderBlock
from softlookup.layers.positional_encodings import TablePositions
from softlookup.layers.stacks import Decoder, Stack
from softlookup.models.attention_only import AttentionOnly
from softlookup.models.bert import BERT
from softlookup.models.gpt import GPT
from softlookup.models.transformer import Transformer
from softlookup.models.vit import ViT


def hook_points(model: nn.Module) -> dict[str, str]:
    """The modules of one of the course's models that are recorded, each with its name in words.

    They are the embeddings, the positions that are added to them, every attention and
    feed-forward network, every layer, and the last norm. For fewer, leave some out.
    """
    labels = {part: label for module in model.modules() for part, label in _parts(module)}
    return {name: labels[part] for name, part in model.named_modules() if part in labels}


def _parts(module: nn.Module) -> Iterator[tuple[nn.Module, str]]:
    """The parts of a module that are recorded, each with its name in words."""
    match module:
        case Transformer():
            yield module.source_embedding, "embedding"
            yield module.target_embedding, "embedding"
            yield from _added(module.source_positions, module.target_positions)
        case GPT() | BERT() | ViT():
            yield module.embedding, "embedding"
            yield from _added(module.positions)
        case AttentionOnly():
            yield module.embedding, "embedding"
            yield from _added(module.positions)
            yield from ((layer, "self-attention") for layer in module.layers)
            yield module.final_norm, "last norm"
        case Stack() | Decoder():
            yield from ((b, f"after layer {n}") for n, b in enumerate(module.blocks, start=1))
            # A post-norm stack has an empty place where the last norm would stand.
            if not isinstance(module.final_norm, nn.Identity):
                yield module.final_norm, "last norm"
        case Block() | DecoderBlock():
            yield module.self_attention, "self-attention"
            if isinstance(module, DecoderBlock):
                yield module.cross_attention, "cross-attention"
            yield module.feed_forward, "feed-forward"


def _added(*positions: nn.Module) -> Iterator[tuple[nn.Module, str]]:
    """Positions that add nothing to the embeddings are no hook points."""
    for each in positions:
        if isinstance(each, TablePositions):
            yield each, "positions added"
