"""Takes marks to where a course keeps them: Canvas, Moodle, Gradescope, or a plain table."""
