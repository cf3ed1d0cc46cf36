"""Krakatoa, by Joli Quentin Kansil: nine dodecahedra, thrown at each other, for two to four players."""
