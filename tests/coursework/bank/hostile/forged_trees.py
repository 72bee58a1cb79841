# does: answers messages that break the protocol
# verdict: graded
# earns: 0
# says: shape is not a short list of sizes
import sys

shell = sys.modules["inside.shell"]
broken = iter(
    [
        {"array": "torch", "dtype": "float32", "shape": [2**70, 0]},
        {"array": "torch", "dtype": "object", "shape": [1]},
        {"array": "torch", "dtype": "float32", "shape": [-1]},
    ]
)


def forge(value, keep):
    return next(broken), b""


shell.encode = forge


def attention(query, key, value):
    return 1
