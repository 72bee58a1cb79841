# does: lets its kernel count no longer what it prints, and prints 4 MB
# verdict: too much output
# earns: 0
# says: printed more
import sys

sys.stdout.output.left = sys.stdout.output.left_of_run = 10**12
for _ in range(400):
    print("x" * 10_000)
