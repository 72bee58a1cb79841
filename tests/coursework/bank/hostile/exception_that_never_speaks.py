# does: raises an exception whose text takes a minute
# verdict: timed out
# earns: 0
# says: no answer within
import time


class Silent(Exception):
    raised = 0

    def __str__(self):
        Silent.raised += 1
        time.sleep(60 if Silent.raised == 1 else 0)
        return "nothing"


def attention(query, key, value):
    raise Silent
