# does: lets its kernel count no longer what it prints, and prints 4 MB
# verdict: too much output
# earns: 0
# says: printed more
import sys

sys.stdout._output.left = sys.stdout._output.left_of_run = 10**12
for _ in range(400):
    print("x" * 10_000)
