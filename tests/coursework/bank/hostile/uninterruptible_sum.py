# does: computes for hours in one call of C, where no interrupt is looked at
# verdict: timed out
# earns: 0
# says: could not be interrupted
sum(range(10**13))
