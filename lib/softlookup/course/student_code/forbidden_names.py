"""Which names an exercise forbids, and which of them stand in a dotted name."""

import itertools
from collections.abc import Iterable


class ForbiddenNames:
    """The names that must not be used.

    Args:
        names: one with a dot, such as ``torch.func``, is forbidden in that place alone; one that
            ends with ``*`` stands for all that begin so.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {*names}
        self._beginnings = tuple(name[:-1] for name in self.names if name.endswith("*"))

    def among(self, names: Iterable[str]) -> set[str]:
        """Those of some names that are forbidden."""
        return {each for each in names if each in self.names or each.startswith(self._beginnings)}


def parts_of(names: Iterable[str]) -> frozenset[str]:
    """The parts of dotted names, and each two that stand side by side."""
    parts = {tuple(name.split(".")) for name in names}
    pairs = {".".join(pair) for each in parts for pair in itertools.pairwise(each)}
    return frozenset(itertools.chain(pairs, *parts))
