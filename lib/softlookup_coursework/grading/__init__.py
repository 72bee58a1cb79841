"""Grading: one submission, then all of them side by side, then the gradebook."""
