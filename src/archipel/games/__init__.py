"""The four games. A fifth is a folder beside these and a line in this registry."""

REGISTRY = {
    "kahuna": "Kahuna",
    "krakatoa": "Krakatoa",
    "kula_kula": "KulaKula",
    "stonehenge": "Stonehenge",
}
"""The name of each game's folder, and the class in its game.py."""
