"""How fast is code that is written to be read? Our models beside their peers, in one run.

    python benchmarks/against_peers.py

Both sides have the same sizes and take turns, so that whatever slows the machine slows both;
what is printed are ratios of medians, ours to theirs, which carry over from machine to machine
far better than seconds do. Below one, ours is faster.
"""

import os
import statistics
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from softlookup.course.seeding import seed_everything
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.stacks import Stack
from softlookup.models.gpt import GPT, GPTConfig
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel

D_MODEL, N_HEADS, N_LAYERS, BATCH, LENGTH = 256, 8, 4, 8, 256
VOCAB_SIZE, NEW_TOKENS = 512, 240
ROUNDS = 7


def seconds(call):
    """CPU seconds of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def compare(name, ours, theirs):
    """Let both take turns, and print the ratio of their medians and its spread."""
    ours(), theirs()  # the first call allocates
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
    mine, peer = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = sorted(one / other for one, other in pairs)
    print(
        f"{name:<52} {mine / peer:5.2f}  (rounds {ratios[0]:.2f} to {ratios[-1]:.2f}; "
        f"ours {mine:.3f} s, theirs {peer:.3f} s)"
    )


def train_step(model, inputs):
    """Forward, backward and an optimiser's step."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step():
        optimiser.zero_grad()
        model(inputs).square().mean().backward()
        optimiser.step()

    return step


def training():
    """An encoder's training step beside that of nn.TransformerEncoder."""
    ours = Stack(N_LAYERS, BlockConfig(D_MODEL, N_HEADS, 4 * D_MODEL))
    layer = nn.TransformerEncoderLayer(
        D_MODEL, N_HEADS, 4 * D_MODEL, dropout=0.0, batch_first=True, norm_first=True
    )
    theirs = nn.TransformerEncoder(
        layer, N_LAYERS, norm=nn.LayerNorm(D_MODEL), enable_nested_tensor=False
    )
    x = torch.randn(BATCH, LENGTH, D_MODEL)
    compare(
        "training step: Stack / nn.TransformerEncoder",
        train_step(ours, x),
        train_step(theirs, x),
    )


@torch.no_grad()
def decoding():
    """Cached greedy decoding beside that of Hugging Face's GPT-2."""
    ours = GPT(GPTConfig(VOCAB_SIZE, LENGTH, D_MODEL, N_HEADS, N_LAYERS)).eval()
    theirs = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=VOCAB_SIZE,
            n_positions=LENGTH,
            n_embd=D_MODEL,
            n_head=N_HEADS,
            n_layer=N_LAYERS,
            bos_token_id=None,
            eos_token_id=None,
        )
    ).eval()
    prompt = torch.zeros(1, 1, dtype=torch.long)

    def cached():
        caches, new = ours.make_caches(1), prompt
        for _ in range(NEW_TOKENS):
            new = ours(new, caches)[:, -1:].argmax(-1)

    def uncached():
        text = prompt
        for _ in range(NEW_TOKENS):
            text = torch.cat((text, ours(text)[:, -1:].argmax(-1)), dim=1)

    def theirs_step_by_step():
        past, new = None, prompt
        for _ in range(NEW_TOKENS):
            output = theirs(new, past_key_values=past, use_cache=True)
            past, new = output.past_key_values, output.logits[:, -1:].argmax(-1)

    def theirs_generate():
        theirs.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=NEW_TOKENS,
            do_sample=False,
            pad_token_id=0,
        )

    compare(
        f"{NEW_TOKENS} cached tokens: GPT / GPT2LMHeadModel, same loop", cached, theirs_step_by_step
    )
    compare(f"{NEW_TOKENS} cached tokens: GPT / GPT2LMHeadModel.generate", cached, theirs_generate)
    compare(f"{NEW_TOKENS} tokens: GPT cached / GPT uncached", cached, uncached)


if __name__ == "__main__":
    seed_everything(0)
    print(
        f"torch {torch.__version__}, one thread, d_model {D_MODEL}, {N_HEADS} heads, {N_LAYERS} "
        f"layers; training: batch {BATCH}, length {LENGTH}"
    )
    training()
    decoding()
