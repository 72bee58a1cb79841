"""Whether an assignment measures what it should, before anybody is given it."""
