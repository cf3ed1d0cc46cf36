"""Budgets: how long a bot may think, in simulations or in seconds."""

import re
import time
from dataclasses import dataclass

_UNITS = {"s": 1.0, "ms": 0.001}


@dataclass(frozen=True)
class Budget:
    """A number of simulations, a time in seconds, or both, whichever is used up first.

    With simulations alone a choice is reproducible: the same view, generator and budget give the same action.
    """

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("A budget is a number of simulations or a time.")
        if self.simulations is not None and type(self.simulations) is not int:
            raise ValueError(f"A number of simulations is a whole number, not {self.simulations!r}.")
        if self.seconds is not None and not isinstance(self.seconds, int | float):
            raise ValueError(f"A time is a number of seconds, not {self.seconds!r}.")
        if (self.simulations is not None and self.simulations < 1) or (self.seconds is not None and self.seconds <= 0):
            raise ValueError("A budget must be more than nothing.")

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Parse a budget: ``1000`` (simulations), ``1s`` or ``200ms``."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|ms)|(\d+)", text.strip())
        if not found:
            raise ValueError(f"{text!r} is no budget: write 1000 for simulations, or a time like 1s or 200ms.")
        number, unit, simulations = found.groups()
        return cls(simulations=int(simulations)) if simulations else cls(seconds=float(number) * _UNITS[unit])

    def part(self, parts: int) -> "Budget":
        """One of `parts` equal parts of this budget, with at least one simulation."""
        parts = max(1, parts)
        simulations = None if self.simulations is None else max(1, self.simulations // parts)
        return Budget(simulations, None if self.seconds is None else self.seconds / parts)

    def __str__(self) -> str:
        seconds = [] if self.seconds is None else [f"{self.seconds:g}s"]
        return "/".join([*([] if self.simulations is None else [str(self.simulations)]), *seconds])


class Meter:
    """Keeps track of how much of a budget is used, and how many simulations to run next."""

    PORTION = 64

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = 0
        self._began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the meter was started."""
        return time.perf_counter() - self._began

    def left(self) -> Budget:
        """The rest of a time budget, at least one hundredth of it."""
        if self.budget.seconds is None:
            return self.budget
        return Budget(self.budget.simulations, max(self.budget.seconds / 100, self.budget.seconds - self.elapsed))

    def portion(self) -> int:
        """How many simulations to run before asking again; 0 when the budget is used up, but never at the first
        call."""
        left = self.budget.simulations - self.spent if self.budget.simulations is not None else 1 << 30
        if self.budget.seconds is None:
            return left
        remaining = self.budget.seconds - self.elapsed
        if remaining <= 0 and self.spent:
            return 0
        # A tenth of what the pace so far allows keeps the overshoot small.
        by_pace = int(self.spent / max(self.elapsed, 1e-9) * remaining / 10) if self.spent else 0
        return min(left, max(self.PORTION, by_pace))
