"""A throw as a task for another process, and its result: the same task gives the same bytes with the same engine."""

import hashlib
from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np
from msgspec import Raw, Struct

from archipel.core.slow_chance import Computed
from archipel.games.krakatoa.board import DICE

from . import physics, wire
from .aim import Aim
from .thrower import Occasion, landing_json
from .trajectory import Trajectory
from .tray import Tray

_encode = msgspec.json.Encoder().encode


class Order(Struct, gc=False):
    """A throw to simulate: dice in the hand, dice on the table, an aim (empty if there is none), random numbers."""

    hand: tuple[str, ...]
    table: dict[str, list[float]]
    aim: dict[str, float] | None
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, before: Occasion, numbers: Sequence[int]) -> "Order":
        """The task of a throw that is due."""
        return cls(before.hand, before.table.json(), before.aim.json() if before.aim else None, tuple(numbers))


class Landed(Struct, gc=False):
    """The result of a throw: all positions, whether it touched, how many were cocked, the trajectory, the engine."""

    lies: dict[str, list[float]]
    touched: bool
    cocked: int
    trajectory: bytes
    engine: str

    @property
    def sha256(self) -> str:
        """The digest of the trajectory."""
        return hashlib.sha256(self.trajectory).hexdigest()

    def computed(self, order: Order) -> Computed:
        """The outcome of a task."""
        landing = landing_json(Tray.read(self.lies), self.touched if order.aim else None)
        kept = wire.KeptFall(Raw(_encode(self.lies)), self.engine, self.sha256, self.cocked)
        return Computed(landing, _encode(kept), self.trajectory)


def simulated(order: Order) -> Landed:
    """Simulate the throw of a task."""
    aim = Aim(**order.aim) if order.aim else None
    before = Occasion(order.hand, Tray.read(order.table), aim)
    settled = physics.simulate(before, np.random.Generator(np.random.PCG64(list(order.numbers))))
    trajectory = Trajectory(before.dice, settled.frames).encode()
    return Landed(settled.tray.json(), settled.touched, settled.cocked, trajectory, engine())


@cache
def engine() -> str:
    """The physics engine here: its versions, and the result of a reference throw.

    Processors may differ in the last bit of a sine, and then dice soon fall differently too.
    """
    before = Occasion(DICE[3:6], Tray.laid("YYB YRR RRR").without(DICE[3:6]), Aim(1.0, 0.5, 37.0))
    frames = physics.simulate(before, np.random.default_rng(1883)).frames
    return f"{physics.engine()}, numpy {np.__version__}, {hashlib.sha256(frames.tobytes()).hexdigest()[:8]}"
