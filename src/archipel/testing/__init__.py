"""Conformance checks that any game must pass, for authors of new games."""

from .conformance import check_game
from .report import Report

__all__ = ["Report", "check_game"]
