# does: loops without end
# verdict: timed out
# earns: 0
# says: took longer
while True:
    pass
