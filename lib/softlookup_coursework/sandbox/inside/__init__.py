"""What runs in the sandbox beside the student's code, and the protocol that both sides use.

These files are mounted into the sandbox and hold no secret. They import one another, the standard
library, NumPy and torch. Nothing else of the package is visible inside.
"""
