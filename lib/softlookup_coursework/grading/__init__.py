"""Grading: one submission, then all of them in parallel, then the gradebook."""
