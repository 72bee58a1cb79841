# does: prints 4 MB in lines
# verdict: too much output
# earns: 0
# says: printed more
for _ in range(400):
    print("x" * 10_000)
