"""Stonehenge, by Reiner Knizia: druids on the crossings of fifteen lines, for two players."""
