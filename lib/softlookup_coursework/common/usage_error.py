"""The error of a command that was called wrongly."""


class UsageError(Exception):
    """Raised when a command was called wrongly; the text says what was wrong and what to do."""
