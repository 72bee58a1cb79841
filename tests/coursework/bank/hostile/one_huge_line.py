# does: prints one line of 5 MB
# verdict: too much output
# earns: 0
# says: printed more
print("x" * 5_000_000)
