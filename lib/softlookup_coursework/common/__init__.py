"""What every folder of the grader shares: limits, verdicts, marks, files, words for people."""
