"""Conformance checks that any game must pass, for authors of new games."""

from .conformance import Report, check_game

__all__ = ["Report", "check_game"]
