"""The table: an authoritative server at which people and bots play. Its log is the truth."""
