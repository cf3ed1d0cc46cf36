"""Stonehenge solved: who wins a position, by which move, and a proof that can be checked."""

from .bot import SolverBot
from .solve import Solution, solve
from .trial import Trial

__all__ = ["Solution", "SolverBot", "Trial", "solve"]
