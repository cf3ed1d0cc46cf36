"""Krakatoa's bots: exact values, and aiming its dice. The game itself does not use them."""
