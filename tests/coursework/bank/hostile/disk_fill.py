# does: writes 80 MB to its disk of 32 MiB
# verdict: graded
# earns: 0
# says: OSError
refusal = "nothing refused"
for number in range(4):
    try:
        with open(f"fill{number}", "wb") as file:
            for _ in range(20):
                file.write(b"x" * 1_000_000)
    except OSError as error:
        refusal = f"OSError {error}"


def attention(query, key, value):
    raise RuntimeError(refusal)
