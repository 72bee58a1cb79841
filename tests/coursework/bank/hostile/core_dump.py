# does: aborts, for the sake of a core file
# verdict: graded
# earns: 0
# says: ended itself
import os

os.abort()
