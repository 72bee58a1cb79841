# does: spreads 750 MB over five children
# verdict: out of memory
# earns: 0
# says: memory
import os
import time

# Five children of 150 MB each, for at most ten seconds; the parent waits until they have it.
reading, writing = os.pipe()
for _ in range(5):
    if os.fork() == 0:
        hoard = b"x" * 150_000_000
        os.write(writing, b"x")
        time.sleep(10)
        os._exit(0)
for _ in range(5):
    os.read(reading, 1)
time.sleep(1)
