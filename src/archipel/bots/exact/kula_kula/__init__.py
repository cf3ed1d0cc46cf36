"""Kula Kula's odds: the oracle's deck is known, so a turn with it can be reckoned to the last card."""
