"""What runs in the sandbox, beside the student's code, and what both sides need to talk.

These files are mounted into the sandbox and hold no secret. They import one another, the standard
library, NumPy and torch; nothing else of the package can be seen from in there.
"""
