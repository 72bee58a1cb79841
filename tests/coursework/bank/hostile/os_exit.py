# does: ends the kernel with `os._exit`
# verdict: graded
# earns: 0
# says: ended itself
import os

os._exit(0)
