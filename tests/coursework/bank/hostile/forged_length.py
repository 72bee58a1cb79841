# does: announces a message of an exbibyte
# verdict: too much output
# earns: 0
# says: a message is too large to be read
import os
import struct

for descriptor in range(3, 20):
    try:
        os.write(descriptor, struct.pack("!IQ", 2**31, 2**60))
    except OSError:
        pass
