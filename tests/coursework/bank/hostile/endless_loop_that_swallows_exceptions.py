# does: loops without end and catches every exception
# verdict: timed out
# earns: 0
# says: could not be interrupted
import time

while True:
    try:
        while True:
            time.sleep(0.01)
    except BaseException:
        continue
