# does: draws 100 pictures of 50 kB
# verdict: too much output
# earns: 0
# says: printed more
import os

from IPython.display import Image, display

for _ in range(100):
    display(Image(b"\x89PNG\r\n\x1a\n" + os.urandom(50_000), format="png", width=1, height=1))
