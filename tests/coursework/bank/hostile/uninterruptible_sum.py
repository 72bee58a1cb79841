# does: computes for hours in one C call, which handles no interrupt
# verdict: timed out
# earns: 0
# says: could not be interrupted
sum(range(10**13))
