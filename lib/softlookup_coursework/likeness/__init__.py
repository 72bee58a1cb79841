"""Which submissions are alike: a lead for a person, and never a verdict."""
