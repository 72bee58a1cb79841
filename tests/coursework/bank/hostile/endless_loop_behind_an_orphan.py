# does: leaves an orphan where an interrupt could go, and loops without end
# verdict: timed out
# earns: 0
# says: took longer
import os
import time

if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(100)
    os._exit(0)
os.wait()
while True:
    pass
