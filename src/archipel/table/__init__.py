"""The table server, at which people and bots play. It decides everything, and its log is authoritative."""
