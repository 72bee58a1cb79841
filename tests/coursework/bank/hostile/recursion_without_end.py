# does: recurses without end
# verdict: graded
# earns: 0
# says: RecursionError
def attention(query, key, value):
    return attention(query, key, value)
