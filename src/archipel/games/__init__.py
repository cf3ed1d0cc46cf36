"""The games, a folder each. A folder that is added here is one more game: its manifest names its parts."""
