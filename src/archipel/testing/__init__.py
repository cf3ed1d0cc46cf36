"""Checks that any game must pass, for the authors of a fifth."""

from .conformance import Report, check_game

__all__ = ["Report", "check_game"]
