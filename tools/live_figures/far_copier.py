"""The far copier: readers of the chapter on positions, which say the digit of three places back."""

from pathlib import Path

import torch

from live_figures import chapter, files

# The cell that says how often each kind is right, near and far.
RACE = "2e649a73"
KINDS = ("sinusoidal", "rotary")
# Where texts begin, for the expected values: at the first place, and far from it.
BEGINNINGS = (0, 40)


def export() -> list[Path]:
    """Run the chapter up to its first race, and write what the figure needs."""
    ran = chapter.run("08_positions", until=RACE)
    ran.agree(RACE)
    names = ran.names
    readers = {kind: files.rounded(names["copiers"][kind][0]) for kind in KINDS}
    tensors = {
        f"{kind}.{name}": tensor
        for kind, reader in readers.items()
        for name, tensor in reader.state_dict().items()
        if not name.startswith("positions.")
    }
    digits = names["long_digits"][:1]
    config = {
        "kinds": KINDS,
        "n_heads": 4,
        "n_layers": 2,
        "trained": names["trained_length"],
        "longest": digits.size(1),
        "start": names["START"],
        "back": 3,
        "digits": "".join(str(digit) for digit in digits[0, 1:].tolist()),
    }
    cases = []
    for kind, reader in readers.items():
        for first in BEGINNINGS:
            text = digits[:, : digits.size(1) - first]
            with torch.no_grad():
                logits = reader(text, first=first)[0]
            case = {"kind": kind, "first": first, "said": logits.argmax(-1)}
            cases.append(case | {"logits": logits[::9]})
    shares = {kind: names["copied"][kind]["64 to 127"][0].item() for kind in KINDS}
    expected = {"cases": cases, "stored": ran.stored[RACE].splitlines(), "unrounded": shares}
    return [
        files.write_weights("far-copier", config, tensors),
        files.write_expected("far-copier", expected),
    ]
