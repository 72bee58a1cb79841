# does: hands in a function that never returns
# verdict: timed out
# earns: 0
# says: no answer within
import time


def attention(query, key, value):
    while True:
        time.sleep(0.01)
