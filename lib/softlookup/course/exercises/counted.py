"""Numbers of things, as a check tells of them: one token, and two tokens."""


def counted(number: int, thing: str) -> str:
    """How many of a thing there are, in figures: "1 token", "2 tokens".

    Args:
        number: how many.
        thing: the word for one of them, whose plural ends in s.
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
