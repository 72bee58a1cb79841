"""What comes back over the channel: texts in which no number is read, and no NaN.

A message may quote a text, and so hand a student what their own code has written into it, such as
an argument of a hidden test. So no more of it is quoted than serves to recognise it.
"""

from typing import Any

import numpy as np
import torch


class Fault(Exception):  # noqa: N818 - the student's fault, and their message
    """Raised when a student's code does not answer a call; the text is for the student."""


QUOTED = 40


class Text(str):
    """A student's text, in which no number is read, and of which a message quotes the beginning.

    ``float("nan")`` is NaN, of which every ordered comparison is false, and a test that asks for a
    number would be passed by a word.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(self[:QUOTED]) + ("…" if len(self) > QUOTED else "")

    def __format__(self, specification: str) -> str:
        return format(self[:QUOTED] + ("…" if len(self) > QUOTED else ""), specification)

    def __float__(self) -> float:
        raise Fault(f"a number is expected; the answer is the text {self!r}")

    def __int__(self) -> int:
        raise Fault(f"a whole number is expected; the answer is the text {self!r}")


def refuse_nan(value: Any, name: str) -> Any:  # noqa: ANN401
    """Return the value, unless it holds NaN: every ordered comparison with NaN is false.

    Raises:
        Fault: if it holds NaN, naming the function.
    """
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        broken = bool(torch.isnan(value).any())
    elif isinstance(value, np.ndarray | float) and np.asarray(value).dtype.kind in "fc":
        broken = bool(np.isnan(value).any())
    elif isinstance(value, torch.Tensor) and value.is_complex():
        broken = bool(torch.isnan(torch.view_as_real(value)).any())
    else:
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        if isinstance(parts, list | tuple) or isinstance(value, dict):
            for part in parts:
                refuse_nan(part, name)
        return value
    if broken:
        raise Fault(f"{name}: the answer holds NaN; look for 0/0, or a softmax over −inf alone")
    return value
