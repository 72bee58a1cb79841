# does: raises exceptions whose text and name raise exceptions
# verdict: graded
# earns: 0
# says: cannot be shown
class Named(type):
    @property
    def __name__(cls):
        raise SystemExit


class Broken(Exception, metaclass=Named):
    def __str__(self):
        raise Broken

    __repr__ = __str__


def attention(query, key, value):
    raise Broken


attention(1, 2, 3)
