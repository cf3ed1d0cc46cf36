"""Stonehenge solved: who wins a position, by which move, and a proof that can be checked."""

from .bot import SolverBot
from .solve import Solution, solve, warm

__all__ = ["Solution", "SolverBot", "solve", "warm"]
