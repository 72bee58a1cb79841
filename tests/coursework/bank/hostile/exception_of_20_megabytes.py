# does: raises an exception of 20 MB
# verdict: graded
# earns: 0
# says: RuntimeError: xxx
def attention(query, key, value):
    raise RuntimeError("x" * 20_000_000)
