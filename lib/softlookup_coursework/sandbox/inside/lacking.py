"""By which errors a statement tells that this machine lacks something that another one has."""

import re

DEVICE = re.compile(
    r"not compiled with CUDA|no NVIDIA driver|MPS backend|CUDA error", re.IGNORECASE
)


def tells_of_lack(kind: type, text: str) -> bool:
    """Whether an error tells of a package, a file or a device that is not here.

    Args:
        kind: the exception's class.
        text: its message.
    """
    return issubclass(kind, ImportError | OSError) or bool(DEVICE.search(text))
