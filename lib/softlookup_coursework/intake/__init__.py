"""Intake: what students hand in, as any system lays it out, read within limits."""
