"""What a worker sends: counted by the system on its sockets, and the formulas to hold it against.

The count is of what really left the process, so it knows nothing of the algorithm that a library
says it uses.
"""

import os
import socket
import stat
import struct
import sys
from pathlib import Path

# Where Linux's tcp_info has the bytes sent and, next to them, those that were sent twice.
_BYTES_SENT = 200


def bytes_sent() -> int:
    """The bytes that this process has sent on all its TCP sockets so far; differences are of use.

    A library's own headers are among them; those of TCP are not, and what had to be sent twice
    counts once.

    Returns:
        The bytes on Linux; 0 elsewhere, where the system tells nobody.
    """
    if sys.platform != "linux":
        return 0
    return sum(_sent_on(file) for file in Path("/proc/self/fd").iterdir())


def all_reduce_bytes(size: float, workers: int) -> float:
    """What each worker sends when all sum a tensor round a ring: ``2 (p - 1) / p`` times its size.

    Args:
        size: of the tensor, in bytes.
        workers: how many there are, p.

    Raises:
        ValueError: if there is no worker.

    Source: Patarasuk and Yuan 2009, section 3.
    """
    return 2 * gather_bytes(size, workers)


def gather_bytes(size: float, workers: int) -> float:
    """What each sends round a ring until all have the whole, or each the sum of its own part.

    That is ``(p - 1) / p`` of the whole, either way: an all-gather and a reduce-scatter are the two
    halves of an all-reduce.

    Args:
        size: of the whole tensor, in bytes.
        workers: how many there are, p.

    Raises:
        ValueError: if there is no worker.

    Source: Rajbhandari et al. 2020 (ZeRO), section 7.
    """
    if workers < 1:
        raise ValueError(f"workers is {workers}; expected at least 1")
    return size * (workers - 1) / workers


def _sent_on(file: Path) -> int:
    """The bytes sent on an open file of this process; none if it is no TCP socket."""
    try:
        if not stat.S_ISSOCK(file.stat().st_mode):
            return 0
    except OSError:  # It was the folder's own, and is closed by now.
        return 0
    with socket.socket(fileno=os.dup(int(file.name))) as end:
        if end.type != socket.SOCK_STREAM or end.family == socket.AF_UNIX:
            return 0
        info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    if len(info) < _BYTES_SENT + 16:
        return 0
    sent, twice = struct.unpack_from("QQ", info, _BYTES_SENT)
    return int(sent - twice)
