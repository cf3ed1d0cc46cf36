"""Kahuna's trained knowledge for the search. The game itself does not use it."""
