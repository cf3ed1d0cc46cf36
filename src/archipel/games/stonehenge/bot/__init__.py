"""Stonehenge's bots: knowledge for the search, and a solver that proves who wins. The game itself does not use them."""
