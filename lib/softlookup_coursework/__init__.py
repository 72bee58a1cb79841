"""Makes, collects and grades the course's assignments; never imports what a student wrote."""
