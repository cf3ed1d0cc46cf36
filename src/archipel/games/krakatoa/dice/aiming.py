"""Find an aim: the model ranks many, and the best few are simulated with physics.

What is best depends on the values of the landings, which the caller passes as a `Worth`.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from .aim import NARROWEST, STRONGEST, WEAKEST, WIDEST, Aim, have_room
from .model import Chances, chances
from .physics import Settled, simulate
from .shape import Floats
from .thrower import Occasion
from .tray import RADIUS, WALLS, Tray, dice_of

AIMS = 1000
"""The default number of ranked aims."""
FINALISTS = 6
"""How many of them are simulated."""
TRUST = 8
"""The model's estimate counts as much as this number of simulated throws."""
_OFF = 0.7
"""The typical distance of aims from the middle of a die, in centimetres."""
_SHAKES = 16
_TO_SHAKE = 32


@dataclass(frozen=True)
class Worth:
    """The value of a throw by what it does to the six dice on the table."""

    turned: Floats
    """If it touches: for each of the model's 64 subsets of dice that turn."""
    scratch: float

    def of(self, by: Chances) -> Floats:
        """The values of aims with these probabilities."""
        return by.turned() @ self.turned + (1 - by.touch) * self.scratch

    def after(self, settled: Settled) -> float:
        """The value of a simulated throw."""
        return float(self.turned[settled.turned @ (1 << np.arange(6))]) if settled.touched else self.scratch


@dataclass(frozen=True)
class Hand:
    """The steadiness of a hand: its error in centimetres, as the standard deviation along each axis."""

    error: float = 0.0

    def shaken(self, aims: Floats, rng: np.random.Generator) -> Floats:
        """The aims with the hand's error; an error that would leave the tray is left out."""
        moved = aims.copy()
        moved[:, :2] += self.error * rng.standard_normal((len(aims), 2))
        return np.where(_possible(moved)[:, None], moved, aims)


STEADY = Hand()


@dataclass
class Plan:
    """An aim under consideration: the set to be thrown, the dice on the table, and its estimated value."""

    thrown: str
    table: Tray
    worth: Worth
    aim: Floats
    value: float
    tried: list[float] = field(default_factory=list)
    """The values of simulated throws."""

    @property
    def outlook(self) -> float:
        """The combined estimate of model and simulations."""
        return (TRUST * self.value + sum(self.tried)) / (TRUST + len(self.tried))

    def try_out(self, hand: Hand, rng: np.random.Generator) -> None:
        """Simulate one throw."""
        aim = Aim(*hand.shaken(self.aim[None], rng)[0].tolist())
        dice = dice_of(self.thrown)
        self.tried.append(self.worth.after(simulate(Occasion(dice, self.table, aim), rng)))

    def taken(self, hand: Hand, rng: np.random.Generator) -> Aim:
        """The aim with the hand's error."""
        return Aim(*hand.shaken(self.aim[None], rng)[0].tolist())


def plans(
    thrown: str, tray: Tray, worth: Worth, rng: np.random.Generator, hand: Hand = STEADY, count: int = AIMS
) -> list[Plan]:
    """The most promising of a number of aims with this set, according to the model."""
    table = tray.without(dice_of(thrown))
    places = np.array([lie[:2] for lie in table.lies.values()])
    aims = candidates(places, count, rng)
    values = worth.of(chances(aims, places))
    best = np.argsort(-values, kind="stable")[: _TO_SHAKE if hand.error else FINALISTS]
    found = [Plan(thrown, table, worth, aims[k], float(values[k])) for k in best]
    if hand.error:
        found = [replace(plan, value=_shaken_value(plan, places, hand, rng)) for plan in found]
    return sorted(found, key=lambda plan: -plan.value)[:FINALISTS]


def _shaken_value(plan: Plan, places: Floats, hand: Hand, rng: np.random.Generator) -> float:
    """The value of the aim for an unsteady hand."""
    taken = hand.shaken(np.repeat(plan.aim[None], _SHAKES, axis=0), rng)
    return float(plan.worth.of(chances(taken, places)).mean())


def candidates(places: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Aims near the dice at these places, from all sides, of all strengths and spreads; one row each."""
    aims = np.empty((0, 5))
    while len(aims) < count:
        points = places[rng.integers(len(places), size=count)] + _OFF * rng.standard_normal((count, 2))
        spreads = np.where(rng.random(count) < 0.5, NARROWEST, rng.uniform(NARROWEST, WIDEST, count))
        others = rng.uniform(0, 360, count), rng.uniform(WEAKEST, STRONGEST, count), spreads
        drawn = np.column_stack([points, *others])
        aims = np.concatenate([aims, drawn[_possible(drawn)]])
    return aims[:count]


def _possible(aims: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return have_room(aims) & ((aims[:, :2] @ WALLS.T).max(1) <= RADIUS)
