"""What a student's code says, read without running it.

Which statements an answer needs, which names they mention, and whether they are written in words
that are known. Students' notebooks and the grader judge by it alike.
"""
