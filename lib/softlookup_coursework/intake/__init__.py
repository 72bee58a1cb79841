"""Intake: submissions in the layouts of several systems, read within limits."""
