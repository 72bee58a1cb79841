"""Weights of BERT and its family in our BERT.

The family is large: BERT in all its sizes and languages, sentence encoders such as MiniLM, and
RoBERTa with its relatives, which differs in what it was trained on and in where it begins to
count positions. Files saved years apart name their tensors differently; here they become one
form. The chapter on looking inside opens such an encoder.
"""

from pathlib import Path

import torch

from softlookup.models.bert import BERT, BERTConfig
from softlookup.pretrained.configuration import Configuration
from softlookup.pretrained.files import find, read_tensors
from softlookup.pretrained.matching import Loaded, Origin, layer, load, rename

# The name of a model's type, and what its files may put before the names of the encoder's tensors.
_PREFIXES = {
    "bert": "bert.",
    "roberta": "roberta.",
    "xlm-roberta": "roberta.",
    "camembert": "roberta.",
}
# BERT's files of 2018 name the norms' parameters as the paper on the norm does.
_RENAMES = ((r"LayerNorm\.gamma$", "LayerNorm.weight"), (r"LayerNorm\.beta$", "LayerNorm.bias"))
_KNOWN = {
    r"embeddings\.position_ids": "0, 1, 2, ..., which positions are by themselves",
    r"embeddings\.token_type_ids": "the segments where none are given, all 0",
    r"cls\..*|lm_head\..*": "a head that guesses hidden words or next sentences",
    r"classifier\..*|qa_outputs\..*": "a head for another task",
}


def load_bert(
    source: str | Path,
    revision: str | None = None,
    dtype: torch.dtype = torch.float32,
    dropout: float = 0.0,
) -> Loaded[BERT]:
    """Load an encoder of BERT's family, with its pooler where the file has one.

    RoBERTa counts positions over real tokens alone, from the first of them. Ours counts all
    tokens, which is the same where padding stands on the right.

    Args:
        source: a directory, or a name on the hub such as ``"google-bert/bert-base-uncased"``.
        revision: on the hub, a branch, a tag or a commit.
        dtype: of the model, whatever the file has.
        dropout: for training on; the configuration's own is not taken, and attention has none.

    Returns:
        The model, in evaluation mode, and the report.

    Raises:
        ValueError: if the configuration asks for what BERT does not compute, or if the tensors
            do not fit it.
        ConnectionError: if a name cannot be had from the hub.

    Source: Devlin et al. 2019, Liu et al. 2019; the layout is that of Hugging Face's
        ``BertModel`` and ``RobertaModel``.
    """
    directory = find(source, revision)
    theirs = Configuration.read(directory)
    theirs.require({"model_type": tuple(_PREFIXES)}, "load_bert")
    theirs.require(
        {
            "hidden_act": ("gelu",),
            "position_embedding_type": ("absolute",),
            "is_decoder": (False,),
            "add_cross_attention": (False,),
        },
        "BERT",
    )
    model_type = str(theirs.fields.get("model_type", "bert"))
    stored = rename(read_tensors(directory), _PREFIXES[model_type], _RENAMES)
    # RoBERTa's first rows stand for padding; a text begins after them.
    first = 0 if model_type == "bert" else theirs.whole("pad_token_id") + 1
    pooler = any(name.startswith("pooler.") for name in stored)
    config = BERTConfig(
        vocab_size=theirs.whole("vocab_size"),
        max_length=theirs.whole("max_position_embeddings") - first,
        d_model=theirs.whole("hidden_size"),
        n_heads=theirs.whole("num_attention_heads"),
        d_ff=theirs.whole("intermediate_size"),
        n_layers=theirs.whole("num_hidden_layers"),
        n_segments=theirs.whole("type_vocab_size"),
        pooler=pooler,
        epsilon=theirs.number("layer_norm_eps"),
        dropout=dropout,
    )
    plan = _plan(config, first)
    return load(lambda: BERT(config), stored, plan, _KNOWN, str(source), dtype)


def _plan(config: BERTConfig, first: int) -> dict[str, Origin]:
    positions = Origin("embeddings.position_embeddings.weight")
    if first:
        without = f"without the first {first} rows"
        positions = Origin(positions.name, lambda rows: rows[first:], without)
    plan = {
        "embedding.table": Origin("embeddings.word_embeddings.weight"),
        "positions.table": positions,
        "segment_embedding.table": Origin("embeddings.token_type_embeddings.weight"),
        **layer("norm", "embeddings.LayerNorm"),
    }
    for number in range(config.n_layers):
        ours, theirs = f"stack.blocks.{number}", f"encoder.layer.{number}"
        for name in ("query", "key", "value"):
            projection = f"{ours}.self_attention.{name}_projection"
            plan |= layer(projection, f"{theirs}.attention.self.{name}")
        output = f"{theirs}.attention.output"
        plan |= layer(f"{ours}.self_attention.output_projection", f"{output}.dense")
        plan |= layer(f"{ours}.norm_1", f"{output}.LayerNorm")
        plan |= layer(f"{ours}.feed_forward.inner_projection", f"{theirs}.intermediate.dense")
        plan |= layer(f"{ours}.feed_forward.output_projection", f"{theirs}.output.dense")
        plan |= layer(f"{ours}.norm_2", f"{theirs}.output.LayerNorm")
    if config.pooler:
        plan |= layer("pooler", "pooler.dense")
    return plan
