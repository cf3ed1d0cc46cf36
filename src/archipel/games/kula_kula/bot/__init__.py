"""Kula Kula's bots: trained knowledge, exact odds of the oracle, the strongest bot. The game uses none of them."""
