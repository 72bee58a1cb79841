"""What every folder of the grader shares: limits, verdicts, marks, safe files, texts."""
