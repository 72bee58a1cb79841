# does: connects to a server on 127.0.0.1
# verdict: graded
# earns: 0
# says: refused
import socket


def attention(query, key, value):
    try:
        socket.create_connection(("127.0.0.1", PORT), timeout=1)
    except OSError as error:
        raise RuntimeError("refused") from error
    raise RuntimeError("connected")
