# does: stops itself with `SIGSTOP`
# verdict: timed out
# earns: 0
# says: could not be interrupted
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
