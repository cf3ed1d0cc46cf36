"""Kula Kula, by Reinhold Wittig: shells traded around a ring of islands, for three to five players."""
