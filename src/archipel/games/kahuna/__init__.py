"""Kahuna, by Günter Cornett: bridges between twelve islands, for two players."""
