"""The games, one folder each. Adding a folder adds a game: its manifest names its parts."""
