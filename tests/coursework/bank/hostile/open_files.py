# does: opens files until no more can be opened
# verdict: graded
# earns: 0
# says: Too many open files
def attention(query, key, value):
    return [open("/dev/null") for _ in range(1000)]
