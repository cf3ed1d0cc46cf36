"""Exact odds: what a throw or a card is worth, by adding up everything that can happen."""
