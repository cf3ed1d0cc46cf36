"""A person's rating against the levels of a game, whose strengths were measured (`docs/levels.md`).

The model is the arena's: a seat wins with a probability in proportion to its strength. Only the person's strength is
unknown, so that no more than logarithms are needed.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path

from archipel.bots import levels

from .ratings import CRITICAL, ELO

FAR = 30.0
"""No strength is further than e to this power from the weakest level's."""
STEPS = 60
"""How often an interval is halved to find a value."""


@dataclass(frozen=True)
class Played:
    """Games against these levels: how many were won, lost and tied."""

    levels: tuple[str, ...]
    won: int = 0
    lost: int = 0
    tied: int = 0


@dataclass(frozen=True)
class Standing:
    """A rating in Elo points above the weakest level, its 95% interval, and the level to play next."""

    games: int
    elo: float
    low: float
    high: float
    next: str


@cache
def elo_of(game: str) -> dict[str, float]:
    """The Elo points of a game's levels above the weakest; empty if nobody has measured them."""
    shares = json.loads(Path(levels.__file__).with_name("strengths.json").read_text("utf-8")).get(game)
    if shares is None:
        return {}
    points = [0.0]
    for share in shares:
        points.append(points[-1] + ELO * log(share / (1 - share)))
    return dict(zip(levels.NAMES, points, strict=True))


def standing(game: str, played: Sequence[Played]) -> Standing | None:
    """The likeliest rating; None without games against levels that were measured.

    As in the arena, one fictitious drawn game per level keeps the rating of a player who never lost finite.
    """
    known = elo_of(game)
    played = [one for one in played if all(level in known for level in one.levels)]
    games = sum(one.won + one.lost + one.tied for one in played)
    if not games:
        return None
    met = sorted({level for one in played for level in one.levels})
    loss = _loss(known, [*played, *(Played((level,), tied=1) for level in met)])
    best = _lowest(loss)
    reached = loss(best)
    surplus = lambda at: 2 * (loss(at) - reached) - CRITICAL  # noqa: E731
    low, high = _root(surplus, best, -FAR), _root(surplus, best, FAR)
    return Standing(games, best * ELO, low * ELO, high * ELO, _equal(known, best * ELO))


def _loss(known: dict[str, float], played: Sequence[Played]) -> Callable[[float], float]:
    """The negative log-likelihood of a strength. A tie is half a win and half a loss."""
    counts = [
        (sum(exp(known[level] / ELO) for level in one.levels), one.won + one.tied / 2, one.lost + one.tied / 2)
        for one in played
    ]

    def loss(strength: float) -> float:
        mine = exp(strength)
        return sum(
            won * (log(mine + theirs) - strength) + lost * (log(mine + theirs) - log(theirs))
            for theirs, won, lost in counts
        )

    return loss


def _lowest(loss: Callable[[float], float]) -> float:
    """Where the loss, which is convex, is lowest."""
    low, high = -FAR, FAR
    for _ in range(2 * STEPS):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def _root(surplus: Callable[[float], float], inside: float, outside: float) -> float:
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        if surplus(middle) < 0:
            inside = middle
        else:
            outside = middle
    return inside


def _equal(known: dict[str, float], elo: float) -> str:
    """The level whose strength is nearest: against it a game is most open."""
    return min(known, key=lambda level: abs(known[level] - elo))
