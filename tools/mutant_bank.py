"""The bank of mistakes: what each would change in the library, and which tests must notice it.

``tests/mutants`` mirrors the library: ``tests/mutants/layers/attention.toml`` holds mistakes for
``layers/attention.py``. An entry ``[[mistake]]`` has

- ``belief``: the misconception, as whoever held it would say it;
- ``old`` and ``new``: the text that stands in the file exactly once, and what replaces it;
- ``tests``: the test files that must catch it; by default the file's own, such as
  ``tests/layers/test_attention.py``;
- ``only``: if given, pytest's ``-k``, for test files of which a part is enough.

An ``[[equivalent]]`` changes nothing that can be observed. It has a ``proof`` as well, and the
tests must pass with it.
"""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = Path("lib", "softlookup")
BANK = Path("tests", "mutants")


@dataclass(frozen=True)
class Mutant:
    """A change of one file of the library.

    Attributes:
        file: the file below the library, without its ending: ``layers/attention``.
        belief: the misconception.
        old: what stands in the file, exactly once.
        new: what replaces it.
        tests: the test files that must catch it.
        only: an expression for pytest's ``-k``, or nothing.
        proof: of an equivalent, why no test can catch it; empty for a mistake.
    """

    file: str
    belief: str
    old: str
    new: str
    tests: tuple[str, ...]
    only: str = ""
    proof: str = ""

    def applied(self, source: str) -> str:
        """The file's source with the change.

        Raises:
            ValueError: if the old text does not stand in it exactly once, or nothing changes.
        """
        found = source.count(self.old)
        if found != 1 or self.old == self.new:
            raise ValueError(
                f"{self.file}: {self.belief!r} changes a text that occurs {found} times; "
                "expected it exactly once, and another text instead of it"
            )
        return source.replace(self.old, self.new)

    def misfit(self, root: Path) -> str:
        """Why the change cannot be made to the library as it is; nothing if it can."""
        try:
            self.applied((root / LIBRARY / f"{self.file}.py").read_text("utf-8"))
        except (ValueError, FileNotFoundError) as error:
            return str(error)
        return ""


def read_bank(root: Path = ROOT) -> list[Mutant]:
    """All entries of the bank, mistakes and equivalents.

    Raises:
        ValueError: if an entry has an unknown key or lacks one.
    """
    mutants = []
    known = {field.name for field in fields(Mutant)} - {"file"}
    for path in sorted((root / BANK).rglob("*.toml")):
        file = path.relative_to(root / BANK).with_suffix("")
        near = [f"tests/{file.with_name(f'test_{file.name}')}.py"]
        content = tomllib.loads(path.read_text("utf-8"))
        for kind, keys in (("mistake", {"belief", "old", "new"}), ("equivalent", {"proof"})):
            for entry in content.pop(kind, []):
                if not keys <= entry.keys() <= known or (kind == "mistake" and "proof" in entry):
                    raise ValueError(f"{path}: a {kind} has the keys {sorted(entry)}")
                tests = tuple(entry.pop("tests", near))
                mutants.append(Mutant(str(file), tests=tests, **entry))
        if content:
            raise ValueError(f"{path} has {sorted(content)}; expected mistakes and equivalents")
    return mutants
