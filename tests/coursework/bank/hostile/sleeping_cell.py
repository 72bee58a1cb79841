# does: sleeps for a minute in a cell
# verdict: timed out
# earns: 0
# says: took longer
import time

time.sleep(60)
