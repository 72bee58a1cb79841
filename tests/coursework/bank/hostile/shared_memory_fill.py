# does: writes 40 MB to shared memory
# verdict: graded
# earns: 0
# says: No space left
def attention(query, key, value):
    with open("/dev/shm/fill", "wb") as file:
        for _ in range(40):
            file.write(bytes(1_000_000))
