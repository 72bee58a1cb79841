"""The commands of ``softlookup-coursework``, and what they print."""
