"""What is done around an answer, and what is said where it was undone meanwhile.

No generator, which anybody who finds it could end, and no class that a student's code may import,
whose methods it could exchange.
"""

import traceback
from collections.abc import Callable
from typing import Any

LEFT = (
    "what watches your answer no longer stood when it was done, so the answer does not count; "
    "compute it without changing how Python or PyTorch run"
)


# As they are in C: a class of a student's errors may tell otherwise of itself.
LEADS_BACK = [vars(BaseException)[name].__set__ for name in ("__context__", "__cause__")]


def _nothing(*_: object) -> None:
    pass


def let_go(error: Any) -> None:  # noqa: ANN401
    """Let go of what an error holds, as long as somebody watches what comes of that.

    Its frames end here, and so do the errors in whose handling it was raised, with their frames: a
    generator that stands in one has something to do at its end.
    """
    if error is not None:
        traceback.clear_frames(error.__traceback__)
        for leads_back in LEADS_BACK:
            leads_back(error, None)


class Between:
    """Does something before and something after."""

    def __init__(
        self,
        begin: Callable[[], None] = _nothing,
        end: Callable[[BaseException | None], None] = _nothing,
    ) -> None:
        self._begin, self._end = begin, end

    def __enter__(self) -> None:
        self._begin()

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        let_go(error)
        self._end(error)
