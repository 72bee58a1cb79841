# verdict: out of memory
# earns: 0
# says: memory
import os
import time

# Eight children of 150 MB each, for at most ten seconds.
for _ in range(8):
    if os.fork() == 0:
        hoard = b"x" * 150_000_000
        time.sleep(10)
        os._exit(0)
time.sleep(4)
