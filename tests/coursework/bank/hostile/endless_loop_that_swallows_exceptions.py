# verdict: timed out
# earns: 0
# says: could not be interrupted
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
