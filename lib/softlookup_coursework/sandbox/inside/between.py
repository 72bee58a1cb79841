"""What is done around an answer, and what is said where it was undone meanwhile.

No generator, which anybody who finds it could end, and no class that a student's code may import,
whose methods it could exchange.
"""

from collections.abc import Callable

LEFT = (
    "what watches your answer no longer stood when it was done, so the answer does not count; "
    "compute it without changing how Python or PyTorch run"
)


def _nothing(*_: object) -> None:
    pass


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
        self._end(error)
