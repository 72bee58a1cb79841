"""How fast is code that is written to be read? Our models beside their peers, in one run.

    python benchmarks/against_peers.py                # the whole table; keeps it
    python benchmarks/against_peers.py generation     # a part of it; keeps nothing

Both sides have the same sizes and take turns, so that whatever slows the machine slows both;
what is printed are ratios of medians, ours to theirs, which carry over from machine to machine
far better than seconds do. Below one, ours is faster. All is CPU time on one thread, but for
grading, whose two workers are timed by the clock.
"""

import json
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import coursework_against_nbgrader
import torch
import torch.nn.functional as F
import transformers
from softlookup.alternatives.blockwise_attention import blockwise_attention
from softlookup.layers.attention import attention, fused_attention
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.stacks import Stack
from softlookup.models.bert import BERT, BERTConfig
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.running.generation import greedy
from torch import nn

KEPT = Path(__file__).with_name("peers.json")
D_MODEL, N_HEADS, N_LAYERS, BATCH, LENGTH = 256, 8, 4, 8, 256
VOCAB_SIZE = 512
ROUNDS = 7
LONG = 4096
SUBMISSIONS = 40
HEAD = "| ours / theirs | ratio | of single rounds |\n| --- | --- | --- |"

# What is generated: much by a model of a chapter's size, whose many small calls cost as much as
# its products, and a little by one of the sizes of a model that is in use.
GENERATED = {
    "width 256": (240, GPTConfig(VOCAB_SIZE, LENGTH, D_MODEL, N_HEADS, N_LAYERS)),
    "GPT-2's sizes": (24, GPTConfig(50257, 1024, 768, 12, 12)),
}


def seconds(call):
    """CPU seconds of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def compare(ours, **theirs):
    """Let all take turns; the ratio to each peer: of the medians, the least and the greatest."""
    sides = {"ours": ours, **theirs}
    for call in sides.values():
        call()  # the first call allocates
    rounds = [{name: seconds(call) for name, call in sides.items()} for _ in range(ROUNDS)]
    median = {name: statistics.median(each[name] for each in rounds) for name in sides}
    ratios = {name: [each["ours"] / each[name] for each in rounds] for name in theirs}
    return {
        name.replace("_", " "): [
            round(x, 2) for x in (median["ours"] / median[name], min(each), max(each))
        ]
        for name, each in ratios.items()
    }


def train_step(model, loss):
    """Forward, backward and an optimizer's step."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step():
        optimizer.zero_grad()
        loss(model).backward()
        optimizer.step()

    return step


def encoder():
    """A training step of an encoder's stack, and one of a whole BERT."""
    layer = nn.TransformerEncoderLayer(
        D_MODEL, N_HEADS, 4 * D_MODEL, dropout=0.0, batch_first=True, norm_first=True
    )
    theirs = nn.TransformerEncoder(
        layer, N_LAYERS, norm=nn.LayerNorm(D_MODEL), enable_nested_tensor=False
    )
    x = torch.randn(BATCH, LENGTH, D_MODEL)
    ours = Stack(N_LAYERS, BlockConfig(D_MODEL, N_HEADS, 4 * D_MODEL))
    stack = compare(
        train_step(ours, lambda model: model(x).square().mean()),
        TransformerEncoder=train_step(theirs, lambda model: model(x).square().mean()),
    )
    tokens = torch.randint(VOCAB_SIZE, (BATCH, LENGTH))
    ours = BERT(BERTConfig(VOCAB_SIZE, LENGTH, D_MODEL, N_HEADS, 4 * D_MODEL, N_LAYERS))
    theirs = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=VOCAB_SIZE,
            max_position_embeddings=LENGTH,
            hidden_size=D_MODEL,
            num_attention_heads=N_HEADS,
            intermediate_size=4 * D_MODEL,
            num_hidden_layers=N_LAYERS,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )
    whole = compare(
        train_step(ours, lambda model: model(tokens).square().mean()),
        BertModel=train_step(theirs, lambda model: model(tokens).last_hidden_state.square().mean()),
    )
    return {
        "training step, Stack / nn.TransformerEncoder": stack["TransformerEncoder"],
        "training step, BERT / Hugging Face's BertModel": whole["BertModel"],
    }


class FlatBlock(nn.Module):
    """A block as nanoGPT lays it out: one projection for query, key and value of all heads."""

    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(D_MODEL), nn.LayerNorm(D_MODEL)
        self.project = nn.Linear(D_MODEL, 3 * D_MODEL)
        self.output = nn.Linear(D_MODEL, D_MODEL)
        self.widen, self.narrow = nn.Linear(D_MODEL, 4 * D_MODEL), nn.Linear(4 * D_MODEL, D_MODEL)

    def forward(self, x):
        """What attention and the feed-forward network add to the tokens."""
        batch, length, _ = x.shape
        query, key, value = (
            part.view(batch, length, N_HEADS, -1).transpose(1, 2)
            for part in self.project(self.norm_1(x)).split(D_MODEL, dim=2)
        )
        heads = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.output(heads.transpose(1, 2).reshape(batch, length, D_MODEL))
        return x + self.narrow(F.gelu(self.widen(self.norm_2(x)), approximate="tanh"))


class FlatGPT(nn.Module):
    """A GPT of such blocks, whose embedding also scores the tokens."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB_SIZE, D_MODEL)
        self.places = nn.Embedding(LENGTH, D_MODEL)
        self.blocks = nn.Sequential(*(FlatBlock() for _ in range(N_LAYERS)))
        self.norm = nn.LayerNorm(D_MODEL)

    def forward(self, tokens):
        """The logits of each next token."""
        x = self.tokens(tokens) + self.places.weight[: tokens.size(1)]
        return self.norm(self.blocks(x)) @ self.tokens.weight.T


def hugging_face_gpt(config):
    """A GPT-2 of the same sizes."""
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=config.vocab_size,
            n_positions=config.max_length,
            n_embd=config.d_model,
            n_head=config.n_heads,
            n_layer=config.n_layers,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=None,
            eos_token_id=None,
        )
    )


def gpt():
    """A training step of a GPT on the next token."""
    tokens = torch.randint(VOCAB_SIZE, (BATCH, LENGTH))

    def next_token_loss(logits):
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())

    config = GPTConfig(VOCAB_SIZE, LENGTH, D_MODEL, N_HEADS, N_LAYERS)
    found = compare(
        train_step(GPT(config), lambda model: next_token_loss(model(tokens))),
        nanoGPT=train_step(FlatGPT(), lambda model: next_token_loss(model(tokens))),
        GPT2=train_step(
            hugging_face_gpt(config), lambda model: next_token_loss(model(tokens).logits)
        ),
    )
    return {
        "training step, GPT / a GPT in nanoGPT's layout": found["nanoGPT"],
        "training step, GPT / Hugging Face's GPT2LMHeadModel": found["GPT2"],
    }


def products(model, batch, new_tokens):
    """The matrix products of a cached generation, and nothing else: its floor."""
    config = model.config
    linear = [layer for layer in model.stack.modules() if isinstance(layer, nn.Linear)]
    inputs = [torch.randn(batch, 1, layer.in_features) for layer in linear]
    keys = torch.randn(batch, config.n_heads, new_tokens, config.d_model // config.n_heads)
    queries, x = keys[:, :, :1], torch.randn(batch, 1, config.d_model)

    def multiply():
        for seen in range(1, new_tokens + 1):
            for layer, given in zip(linear, inputs, strict=True):
                F.linear(given, layer.weight, layer.bias)
            for _ in range(config.n_layers):
                (queries @ keys[:, :, :seen].mT) @ keys[:, :, :seen]
            F.linear(x, model.embedding.table)

    return multiply


def generate_beside(ours, theirs, batch, new_tokens):
    """Cached greedy generation by our model, beside Hugging Face's and beside its floor."""
    prompt = torch.zeros(batch, 1, dtype=torch.long)

    def cached():
        caches = ours.make_caches(batch, new_tokens)
        greedy(lambda text: ours(text[:, -1:], caches)[:, -1], prompt, new_tokens)

    def generate():
        theirs.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=new_tokens,
            do_sample=False,
            pad_token_id=0,
        )

    with torch.no_grad():
        return compare(cached, generate=generate, floor=products(ours, batch, new_tokens))


def generation():
    """Cached greedy generation at both sizes, one text at a time and eight."""
    table = {}
    for size, (new_tokens, config) in GENERATED.items():
        ours, theirs = GPT(config).eval(), hugging_face_gpt(config).eval()
        for batch in (1, 8):
            found = generate_beside(ours, theirs, batch, new_tokens)
            name = f"cached tokens, {size}, batch {batch}, GPT"
            table[f"{name} / Hugging Face's generate"] = found["generate"]
            table[f"{name} / its matrix products alone"] = found["floor"]
    return table


def exact_attention():
    """Exact attention over 4,096 tokens, forwards and backwards."""
    query, key, value = (torch.randn(1, 2, LONG, 32, requires_grad=True) for _ in range(3))

    def by(form):
        return lambda: form(query, key, value).sum().backward()

    found = compare(
        by(blockwise_attention),
        definition=by(lambda *given: attention(*given)[0]),
        kernel=by(fused_attention),
    )
    return {
        f"attention over {LONG:,} tokens, blocks / the definition": found["definition"],
        f"attention over {LONG:,} tokens, blocks / the fused kernel": found["kernel"],
    }


def grading():
    """Submissions a minute on two workers, beside plain nbgrader's; here more is better."""
    ratio = coursework_against_nbgrader.main(SUBMISSIONS)["ratio"]
    return {"submissions a minute, on two workers / nbgrader autograde": [ratio, ratio, ratio]}


def table_row(name, ratios):
    """A row of the table, as the page on the library shows it."""
    ratio, least, most = ratios
    return f"| {name} | {ratio:.2f} | {least:.2f} to {most:.2f} |"


PARTS = {part.__name__: part for part in (encoder, gpt, generation, exact_attention, grading)}


def main(names):
    """Measure the parts that are named, or all, and print the table; keep it if it is whole."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    terms = (
        f"torch {torch.__version__}, transformers {transformers.__version__}; one thread; width "
        f"{D_MODEL}, {N_HEADS} heads, {N_LAYERS} layers; training on {BATCH} texts of {LENGTH}; "
        f"medians of {ROUNDS} rounds, in turn"
    )
    print(terms, HEAD, sep="\n", flush=True)
    table = {}
    for name in names or PARTS:
        for row, ratios in PARTS[name]().items():
            table[row] = ratios
            print(table_row(row, ratios), flush=True)
    if not names:
        KEPT.write_text(json.dumps({"terms": terms, "ratios": table}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
