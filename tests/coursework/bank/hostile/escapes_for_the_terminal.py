# does: raises and prints escape codes that clear and rename the teacher's terminal, and lone surrogates
# verdict: graded
# earns: 0
# says: all right
words = "\x1b]0;planted\x07\x1b[2J\x1b[1;1H\u202eall right\x00\ud800"
print(words)


class Escaping(Exception):
    pass


Escaping.__name__ = "\x1b[2Jplanted"


def attention(query, key, value):
    raise Escaping(words)


attention(1, 2, 3)
