# does: answers a text of 5 MB
# verdict: too much output
# earns: 0
# says: too large
def attention(query, key, value):
    return "x" * 5_000_000
