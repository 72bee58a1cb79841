# does: ends the cell with `sys.exit`
# verdict: graded
# earns: 0
# says: not defined
import sys

sys.exit(0)
