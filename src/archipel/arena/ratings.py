"""Ratings: maximum-likelihood strengths in Elo points, with 95% confidence intervals.

The model is Luce's: a seat wins with a probability proportional to its strength, so that among bots a, b, b the first
wins with s(a) / (s(a) + 2 s(b)). With two seats this is the Bradley-Terry model. A shared win counts as a fraction for
each who shares it: a draw between two is half a win and half a loss.

Every pair of bots is given one fictitious drawn game. It keeps the rating of a bot that never lost finite, and has no
weight beside hundreds of games.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from .match import Result

ELO = 400 / log(10)
"""Elo points per factor e in strength."""
CRITICAL = 3.841459
"""The maximum drop of twice the log-likelihood within a 95% interval (chi-squared, one degree of freedom)."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A bot's rating in Elo points above the anchor, whose own rating is 0 by definition."""

    bot: str
    elo: float
    low: float
    high: float

    def json(self) -> dict[str, float | str]:
        """The rating as JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Ballots:
    """The results, line-up by line-up: how many seats each bot had, and how many wins."""

    seats: Vector
    wins: Vector

    def loss(self, strengths: Vector) -> float:
        """The negative log-likelihood, up to a constant."""
        return float(-(self.wins @ strengths).sum() + (self.wins.sum(1) * np.log(self.seats @ np.exp(strengths))).sum())

    def slope(self, strengths: Vector) -> Vector:
        """The gradient of the loss."""
        slope: Vector = self.wins.sum(1) @ self._chances(strengths) - self.wins.sum(0)
        return slope

    def bend(self, strengths: Vector) -> Vector:
        """The Hessian of the loss."""
        chances, games = self._chances(strengths), self.wins.sum(1)
        bend: Vector = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
        return bend

    def _chances(self, strengths: Vector) -> Vector:
        """The probability of winning for each bot in each line-up."""
        weights = self.seats * np.exp(strengths)
        chances: Vector = weights / weights.sum(1, keepdims=True)
        return chances


def rate(bots: Sequence[str], results: Iterable[Result], anchor: str | None = None) -> list[Rating]:
    """The ratings relative to an anchor (default: the weakest bot), best first."""
    ballots = counted(bots, results)
    strengths = _fit(ballots, {0: 0.0}, np.zeros(len(bots)))
    at = int(np.argmin(strengths)) if anchor is None else list(bots).index(anchor)
    strengths = strengths - strengths[at]
    ratings = [_rating(bot, who, at, ballots, strengths) for who, bot in enumerate(bots)]
    return sorted(ratings, key=lambda rating: -rating.elo)


def counted(bots: Sequence[str], results: Iterable[Result]) -> Ballots:
    """The wins in every line-up, plus one drawn game per pair of bots."""
    place = {bot: number for number, bot in enumerate(bots)}
    wins: dict[tuple[int, ...], Vector] = defaultdict(lambda: np.zeros(len(bots)))
    for pair in combinations(range(len(bots)), 2):
        wins[pair][list(pair)] = 0.5
    for result in results:
        seated = [place[bot] for bot in result.seats]
        for who, part in zip(seated, result.shares, strict=True):
            wins[tuple(sorted(seated))][who] += part
    seats = [np.bincount(lineup, minlength=len(bots)) for lineup in wins]
    return Ballots(np.array(seats, float), np.array(list(wins.values())))


def _fit(ballots: Ballots, fixed: dict[int, float], start: Vector) -> Vector:
    """The maximum-likelihood strengths, with some of them fixed."""
    from scipy.optimize import minimize

    strengths = start.copy()
    strengths[list(fixed)] = list(fixed.values())
    free = [who for who in range(len(start)) if who not in fixed]
    if not free:
        return strengths

    def whole(some: Vector) -> Vector:
        strengths[free] = some
        return strengths

    found = minimize(
        lambda some: ballots.loss(whole(some)),
        strengths[free],
        jac=lambda some: ballots.slope(whole(some))[free],
        hess=lambda some: ballots.bend(whole(some))[np.ix_(free, free)],
        method="trust-exact",
        options={"gtol": 1e-6},
    )
    return whole(found.x).copy()


def _rating(bot: str, who: int, anchor: int, ballots: Ballots, strengths: Vector) -> Rating:
    if who == anchor:
        return Rating(bot, 0.0, 0.0, 0.0)
    low, high = (_end(who, anchor, ballots, strengths, side) for side in (-1, 1))
    return Rating(bot, float(strengths[who]) * ELO, low * ELO, high * ELO)


def _end(who: int, anchor: int, ballots: Ballots, strengths: Vector, side: int) -> float:
    """One end of the interval: where the likelihood, maximised over the other bots, drops to the critical value."""
    from scipy.optimize import brentq

    best = ballots.loss(strengths)

    def surplus(value: float) -> float:
        return 2 * (ballots.loss(_fit(ballots, {anchor: 0.0, who: value}, strengths)) - best) - CRITICAL

    middle = float(strengths[who])
    step = side * 2 / sqrt(float(ballots.bend(strengths)[who, who]) + 1e-9)
    far = middle + step
    while surplus(far) < 0:
        step *= 2
        far += step
    return float(brentq(surplus, middle, far, xtol=1e-4))
