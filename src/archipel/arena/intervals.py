"""95% confidence intervals for shares, means and their differences."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean, variance

Z = 1.959964
"""95% of a normal distribution lie within this number of standard deviations."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% confidence interval. `count` is the number of observations."""

    value: float
    low: float
    high: float
    count: int

    def json(self) -> dict[str, float]:
        """The estimate as JSON."""
        return asdict(self)

    def plus(self, shift: float) -> "Estimate":
        """The same estimate shifted by a constant."""
        return Estimate(self.value + shift, self.low + shift, self.high + shift, self.count)

    @property
    def is_off_zero(self) -> bool:
        """True if the whole interval is above zero, or below it."""
        return self.low > 0 or self.high < 0


def share(won: float, games: int) -> Estimate:
    """The share of `games` that were won, with Wilson's interval; from 0 to 1 if there were no games."""
    if not games:
        return Estimate(0.5, 0.0, 1.0, 0)
    rate, square = won / games, Z * Z / games
    middle = (rate + square / 2) / (1 + square)
    reach = Z * sqrt(max(0.0, rate * (1 - rate)) / games + square / games / 4) / (1 + square)
    return Estimate(rate, min(rate, max(0.0, middle - reach)), max(rate, min(1.0, middle + reach)), games)


def mean(numbers: Sequence[float]) -> Estimate:
    """A mean, with Student's interval."""
    from scipy.stats import t

    count, middle = len(numbers), fmean(numbers)
    if count == 1:
        return Estimate(middle, float("-inf"), float("inf"), 1)
    reach = float(t.ppf(0.975, count - 1)) * sqrt(variance(numbers) / count)
    return Estimate(middle, middle - reach, middle + reach, count)


def difference(a: Estimate, b: Estimate) -> Estimate:
    """The difference `a` - `b`, with Newcombe's interval, which combines the intervals of both."""
    value = a.value - b.value
    down = sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    up = sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    return Estimate(value, value - down, value + up, min(a.count, b.count))
