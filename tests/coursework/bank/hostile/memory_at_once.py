# does: asks for 3 GiB at once
# verdict: graded
# earns: 0
# says: MemoryError
def attention(query, key, value):
    return bytearray(3 * 2**30)
