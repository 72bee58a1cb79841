# does: spreads 750 MB over five children whose first thread has ended
# verdict: out of memory
# earns: 0
# says: memory
import ctypes
import os
import threading
import time

# The process lives on in its other thread, and /proc knows nothing of it but in that thread's own.
reading, writing = os.pipe()
exit_of_this_thread = {"x86_64": 60, "aarch64": 93}[os.uname().machine]


def hoard():
    held = b"x" * 150_000_000
    os.write(writing, b"x")
    time.sleep(10)
    os._exit(len(held) % 2)


for _ in range(5):
    if os.fork() == 0:
        threading.Thread(target=hoard).start()
        ctypes.CDLL(None).syscall(exit_of_this_thread, 0)
for _ in range(5):
    os.read(reading, 1)
time.sleep(1)
