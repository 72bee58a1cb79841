# does: loops without end and ignores interrupts
# verdict: timed out
# earns: 0
# says: could not be interrupted
import signal
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    time.sleep(0.01)
