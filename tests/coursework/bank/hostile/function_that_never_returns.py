# does: hands in a function that never returns
# verdict: graded
# earns: 0
# says: no answer within
def attention(query, key, value):
    while True:
        pass
