"""Krakatoa's bots: exact values, and hands that aim its dice. The game itself does not use them."""
