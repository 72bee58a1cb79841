# does: stops in the middle of a message
# verdict: needs a human
# earns: 0
# says: not JSON
import os
import struct

for descriptor in range(3, 20):
    try:
        os.write(descriptor, struct.pack("!IQ", 10, 0) + b"{")
    except OSError:
        pass
