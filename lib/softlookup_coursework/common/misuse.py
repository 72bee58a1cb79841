"""What a command says when it cannot be meant so."""


class Misuse(Exception):  # noqa: N818 - said to the user, with what to do instead
    """Says that a command cannot be meant so, and what can be done."""
