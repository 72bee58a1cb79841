"""Write what the live figures need: the chapters' trained weights, and values to hold them to.

    python tools/export_live.py [figure ...]

For each figure the cells of its chapter are run up to the one that it needs, and what they compute
is held to what the notebook has stored. The weights are rounded to half precision and written to
``book/_static/live/weights``. The expected values in ``tests/live/expected`` are what PyTorch
computes with the rounded weights. The same notebooks give the same files to the byte. A figure is
a module of ``live_figures``, with a function ``export``; without a name, all are written.
"""

import importlib
import sys
from pathlib import Path

FIGURES = Path(__file__).with_name("live_figures")
# Modules that the others share.
SHARED = {"__init__", "chapter", "files"}


def names() -> list[str]:
    """The figures that have something to export."""
    modules = sorted(path.stem for path in FIGURES.glob("*.py"))
    return [module.replace("_", "-") for module in modules if module not in SHARED]


def export(name: str) -> list[Path]:
    """Write the files of one figure, and say which."""
    module = importlib.import_module(f"live_figures.{name.replace('-', '_')}")
    return module.export()


def main(wanted: list[str]) -> int:
    """Export what is named.

    Returns:
        The exit status: 0 if all was written.
    """
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"There is no figure {sorted(unknown)}; expected some of {names()}", file=sys.stderr)
        return 2
    for name in wanted or names():
        for path in export(name):
            print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
