"""Messages over a stream: a header in JSON and a payload of bytes, each with its length first."""

import json
import socket
import struct
import threading
from typing import Any

LENGTHS = struct.Struct("!IQ")
# Threads print too, and one's message must not stand within another's.
ONE_AT_A_TIME = threading.RLock()


class Malformed(Exception):  # noqa: N818 - what the other side sent, not an error of this one
    """Says how a message breaks the form."""


class TooLarge(Malformed):
    """Says that a message is larger than it may be."""


class Closed(Exception):  # noqa: N818
    """Raised when the other side is gone."""


def send(stream: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one message.

    Raises:
        Closed: if nobody listens any more.
    """
    text = json.dumps(header, allow_nan=False).encode()
    try:
        with ONE_AT_A_TIME:
            stream.sendall(LENGTHS.pack(len(text), len(payload)) + text + payload)
    except (BrokenPipeError, ConnectionError) as error:
        raise Closed("the other side is gone") from error


class Reader:
    """Receives messages. A timeout in the middle of one loses nothing of it."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self._buffer = bytearray()

    def receive(self, header_limit: int, payload_limit: int) -> tuple[dict[str, Any], bytes]:
        """Receive one message, holding no more of it than the limits allow.

        Raises:
            Closed: if the other side is gone.
            Malformed: if it is larger than the limits, or its header is no JSON object.
            TimeoutError: if the stream's own timeout passes.
        """
        self._fill(LENGTHS.size)
        header_length, payload_length = LENGTHS.unpack(self._buffer[: LENGTHS.size])
        if header_length > header_limit or payload_length > payload_limit:
            raise TooLarge(f"a message of {header_length + payload_length:,} bytes is too large")
        middle = LENGTHS.size + header_length
        self._fill(middle + payload_length)
        text, payload = self._buffer[LENGTHS.size : middle], bytes(self._buffer[middle:])
        self._buffer.clear()
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Malformed("a message's header is no JSON") from error
        if not isinstance(header, dict):
            raise Malformed("a message's header is no object")
        return header, payload

    def _fill(self, length: int) -> None:
        while len(self._buffer) < length:
            try:
                part = self.stream.recv(min(length - len(self._buffer), 1 << 20))
            except ConnectionError as error:
                raise Closed("the other side is gone") from error
            if not part:
                raise Closed("the other side is gone")
            self._buffer += part
