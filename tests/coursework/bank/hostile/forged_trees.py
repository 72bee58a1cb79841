# does: answers messages that break the protocol
# verdict: graded
# earns: 0
# says: shape is not a short list of sizes
Kernel = next(
    each
    for each in object.__subclasses__()
    if (each.__module__, each.__name__) == ("inside.shell", "Kernel")
)
broken = iter(
    [
        {"array": "torch", "dtype": "float32", "shape": [2**70, 0]},
        {"array": "torch", "dtype": "object", "shape": [1]},
        {"array": "torch", "dtype": "float32", "shape": [-1]},
    ]
)


def forge(value, keep):
    return next(broken), b""


Kernel.compute.__globals__["encode"] = forge


def attention(query, key, value):
    return 1
