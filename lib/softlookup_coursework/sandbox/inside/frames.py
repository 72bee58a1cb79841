"""Frames of the channel's protocol: a header in JSON and a payload, each after its length."""

import json
import socket
import struct
import threading
from collections.abc import Callable
from typing import Any

LENGTHS = struct.Struct("!IQ")
# What both sides count for an output beside its content.
MESSAGE_OVERHEAD = 256
# What is taken from the stream at once: many small messages, or a part of a large one.
AT_ONCE, AT_MOST = 1 << 16, 1 << 20
# Threads print too, and their messages must not be interleaved.
SEND_LOCK = threading.RLock()


class Malformed(Exception):  # noqa: N818 - the peer's fault, not an error of this side
    """Raised when a message breaks the protocol; the text says how."""


class TooLarge(Malformed):
    """Raised when a message is larger than the limit."""


class Closed(Exception):  # noqa: N818
    """Raised when the peer has closed the stream or has died."""


def send(stream: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one message.

    Raises:
        Closed: if the peer is gone.
    """
    text = json.dumps(header, allow_nan=False).encode()
    try:
        with SEND_LOCK:
            stream.sendall(LENGTHS.pack(len(text), len(payload)) + text + payload)
    except (BrokenPipeError, ConnectionError) as error:
        raise Closed("the peer is gone") from error


class Reader:
    """Receives messages. After a timeout in the middle of one, the next call continues it."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self._buffer = bytearray()

    def receive(
        self, header_limit: int, payload_limit: int, left: Callable[[], float] | None = None
    ) -> tuple[dict[str, Any], bytes]:
        """Receive one message, buffering no more of it than the limits allow.

        What came with it of the next ones is kept for the next calls.

        Args:
            header_limit: the largest header, in bytes.
            payload_limit: the largest payload, in bytes.
            left: returns the seconds that are left for the whole message, however many pieces it
                comes in; by default the stream's own timeout holds, for each piece.

        Raises:
            Closed: if the peer is gone.
            Malformed: if it is larger than the limits, or its header is not a JSON object.
            TimeoutError: if the time passes.
        """
        self._fill(LENGTHS.size, left)
        header_length, payload_length = LENGTHS.unpack(self._buffer[: LENGTHS.size])
        if header_length > header_limit or payload_length > payload_limit:
            # By the number that was announced, a student would be told what they like.
            raise TooLarge("a message is too large to be read")
        middle = LENGTHS.size + header_length
        self._fill(middle + payload_length, left)
        end = middle + payload_length
        text, payload = self._buffer[LENGTHS.size : middle], bytes(self._buffer[middle:end])
        del self._buffer[:end]
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Malformed("a message's header is not JSON") from error
        if not isinstance(header, dict):
            raise Malformed("a message's header is not a JSON object")
        return header, payload

    def _fill(self, length: int, left: Callable[[], float] | None) -> None:
        while len(self._buffer) < length:
            if left is not None:
                if (seconds := left()) <= 0:
                    raise TimeoutError
                self.stream.settimeout(seconds)
            try:
                part = self.stream.recv(min(max(length - len(self._buffer), AT_ONCE), AT_MOST))
            except ConnectionError as error:
                raise Closed("the peer is gone") from error
            if not part:
                raise Closed("the peer is gone")
            self._buffer += part
