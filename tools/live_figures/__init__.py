"""What each live figure takes from its chapter: a module a figure, and what they share."""
