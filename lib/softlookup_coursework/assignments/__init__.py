"""Assignments: from a source and a term's seed to what is graded and what students receive."""
