"""Stonehenge solved: who wins a position, by which move, and a proof that can be checked."""

from .solve import Solution, solve

__all__ = ["Solution", "solve"]
