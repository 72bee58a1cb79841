"""What is shown of a graded submission: to its student, and to a teacher in the formgrader."""
