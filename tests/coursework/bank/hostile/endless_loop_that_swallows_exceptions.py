# does: loops without end and catches every exception
# verdict: timed out
# earns: 0
# says: could not be interrupted
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
