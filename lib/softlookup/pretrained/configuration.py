"""Configuration: what ``config.json`` says about a model, checked against what our classes compute.

A weight fits into a class by its shape, but what is computed with it stands in the configuration:
another activation, another norm, another scale, and the same numbers make another model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from softlookup.pretrained.files import CONFIG, read_json

# What stands for any model of ours: weights as plain numbers.
_ALWAYS: Mapping[str, tuple[object, ...]] = {"quantization_config": ()}


@dataclass(frozen=True)
class Configuration:
    """The fields of a ``config.json``.

    Attributes:
        path: the file.
        fields: what it holds. A field that is absent or null has Hugging Face's default.
    """

    path: Path
    fields: Mapping[str, object]

    @classmethod
    def read(cls, directory: Path) -> "Configuration":
        """Read a model's configuration.

        Raises:
            ValueError: if there is none, or if it cannot be read.
        """
        return cls(directory / CONFIG, read_json(directory / CONFIG))

    def whole(self, name: str) -> int:
        """A size: a whole number of at least 1.

        Raises:
            ValueError: if it is missing, or no such number.
        """
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError(
                f"{self.path}: {name} is {self._shown(name)}; expected a whole number of at least 1"
            )
        return value

    def number(self, name: str) -> float:
        """A positive number.

        Raises:
            ValueError: if it is missing, or no such number.
        """
        value = self.fields.get(name)
        if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
            raise ValueError(
                f"{self.path}: {name} is {self._shown(name)}; expected a positive number"
            )
        return value

    def require(self, honoured: Mapping[str, tuple[object, ...]], by: str) -> None:
        """Refuse what our class does not compute.

        Args:
            honoured: for each field, the values that it may have. It may always be absent or
                null, so Hugging Face's default must be among them.
            by: the name of the class.

        Raises:
            ValueError: naming the field, its value, and the values that can be computed.
        """
        for name, values in {**_ALWAYS, **honoured}.items():
            value = self.fields.get(name)
            if value is None or value in values:
                continue
            expected = " or ".join(map(repr, values)) or "none"
            raise ValueError(
                f"{self.path}: {name} is {value!r}; expected {expected}, because {by} computes "
                "nothing else: these weights would give other numbers than they were trained to"
            )

    def _shown(self, name: str) -> str:
        return repr(self.fields[name]) if name in self.fields else "missing"
