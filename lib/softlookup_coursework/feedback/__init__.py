"""Feedback: pages for students, and notebooks for the teacher's formgrader."""
