"""Names of the files that grading leaves for each submission."""

RESULT = "result.json"
NOTEBOOK = "graded.ipynb"
# The fingerprint of all that the result follows from: a result is kept for as long as it matches.
FINGERPRINT = "fingerprint.txt"
# Written in place of a result where the sandbox cannot be made; says what the machine lacks.
NO_SANDBOX = "no_sandbox.txt"
