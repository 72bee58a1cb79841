"""The GPT that writes: what its tokenizer, its logits, its heads and its draws are held to."""

import json
from pathlib import Path

import torch
from softlookup.data import edition
from softlookup.inside.attention_maps import attention_maps
from softlookup.inside.interventions import ablated
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.generation import greedy, top_k, top_p

from live_figures import chapter, files

# The beginning with which the chapter lets it write.
PROMPT = "The weights of the heads"
ODD = (
    "don't you'll I'VE we're 's 'S",
    "  two spaces, a tab\tand\n\na line  ",
    "Größe, naïve, Ünï, ﬁ, ½, ²³, Ⅷ, ٣",
    "注意力 и внимание — ‘“…”’ ☕🙂👩‍👩‍👧",
    "a\u00a0b\u2003c\u200bd\ufeffe\u0085f\u2028g\u3000h",
    "(batch, heads, length) == 3.14e-5 * x_{ij}^2",
    " ",
    "\n",
    "\t \n",
    "x",
    "e\u0301 combining, \u0000 zero, \u001f unit",
    "ᚠᛇᚻ 𝔘𝔫𝔦 𝟘𝟙",
)
PROMPTS = (PROMPT, "A head that looks back", "Once upon a time, 42 mountains")


def export() -> list[Path]:
    """Write the expected values; the weights themselves are made with the book."""
    small = load_small_gpt()
    model, tokens = small.model, small.tokens
    notebook = json.loads((chapter.NOTEBOOKS / "10_next_word.ipynb").read_text("utf-8"))
    counted = sum(each.numel() for each in model.parameters())
    outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", [])]
    printed = "".join("".join(out.get("text", "")) for out in outputs)
    if f"{counted / 1e3:.0f} thousand parameters" not in printed:
        raise ValueError(f"the chapter has another model: this one has {counted} parameters")
    paragraphs = edition.text().split("\n\n")[::23]
    texts = [[text, tokens.encode(text)] for text in (*ODD, *paragraphs[:60])]
    runs = []
    with torch.no_grad():
        for prompt in PROMPTS:
            ids = tokens.encode(prompt)[None]
            maps = attention_maps(model, ids)
            written = greedy(lambda read: model(read)[:, -1], ids, 24)[0]
            run = {"prompt": prompt, "logits": model(ids)[0, -1], "greedy": written}
            run["weights"] = [each[0, :, -1] for each in maps.values()]
            with ablated(model, [("stack.blocks.1.self_attention", 2)]):
                run["without"] = model(ids)[0, -1]
            runs.append(run)
        logits = model(tokens.encode(PROMPT)[None])[0, -1].double()
    forbidden = int(logits.argmax())
    banned = logits.clone()
    banned[forbidden] = -torch.inf
    changed = {
        '{"temperature":0.5}': logits / 0.5,
        '{"temperature":1,"topK":4}': top_k(4)(logits),
        '{"temperature":1,"topP":0.7}': top_p(0.7)(logits),
        '{"temperature":2,"topP":0.7}': top_p(0.7)(logits / 2),
        '{"temperature":2,"topP":0.7,"cutFirst":true}': top_p(0.7)(logits) / 2,
        '{"temperature":1.5,"topK":40,"topP":0.9}': top_p(0.9)(top_k(40)(logits / 1.5)),
        f'{{"temperature":1,"forbidden":[{forbidden}]}}': banned,
    }
    drawn = [[json.loads(key), each.softmax(dim=-1)] for key, each in changed.items()]
    expected = {"texts": texts, "runs": runs, "drawn": drawn}
    return [files.write_expected("gpt-writer", expected)]
