# does: makes 3,000 files
# verdict: too much output
# earns: 0
# says: files
import pathlib
import time

for number in range(3000):
    pathlib.Path(f"file{number}").touch()
time.sleep(1)
