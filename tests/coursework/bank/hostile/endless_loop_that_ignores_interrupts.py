# does: loops without end and ignores interrupts
# verdict: timed out
# earns: 0
# says: could not be interrupted
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    pass
