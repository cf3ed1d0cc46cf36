"""Kula Kula's strongest bot. The game itself does not use it."""
