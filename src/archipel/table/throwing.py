"""Krakatoa's dice at a table: what may be aimed at, what is in the hand, what is asked of whoever lets them fall."""

import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import Raw, Struct

from archipel.core.state import State
from archipel.dice import aim as aims
from archipel.dice import physics
from archipel.dice.aim import InvalidAim
from archipel.dice.thrower import Occasion, occasion
from archipel.dice.trajectory import Trajectory
from archipel.dice.tray import Tray, set_of
from archipel.games.krakatoa.board import DICE, SETS
from archipel.games.krakatoa.rules import THROWOFF, thrower

from . import log, protocol

if TYPE_CHECKING:
    from .table import Table

GAME = "krakatoa"
WAYS: tuple[protocol.Thrower, ...] = ("physics", "odds", "pad")
"""How dice may fall, the usual way first."""
DIRECTIONS = (90.0, 45.0, 135.0, 0.0, 180.0, 315.0, 225.0, 270.0)
"""Whoever only names a die throws at it straight, from the first of these sides that leaves his hand room."""


def ways(game: str) -> list[protocol.Thrower]:
    """How dice may fall at a game's tables; nothing if it has none."""
    return list(WAYS) if game == GAME else []


def chosen(game: str, wanted: protocol.Thrower | None) -> protocol.Thrower | None:
    """How dice fall at a new table; ValueError if the game has none."""
    if game == GAME:
        return wanted or WAYS[0]
    if wanted:
        raise ValueError("Only Krakatoa is played with dice: no other game takes 'dice'.")
    return None


# What is in the hand.


def hand(state: State) -> tuple[str, ...]:
    """The dice that are about to land."""
    shown = state.record
    if shown.aim >= 0:
        thrown = state.snapshot()["aim"]["set"]
        return tuple(die for die in DICE if set_of(die) == thrown)
    return DICE[:3] if shown.phase == THROWOFF else DICE


def thrower_of(state: State) -> int:
    """The seat whose throw it is."""
    return int(thrower(state.record))


def seen(table: "Table") -> dict[str, list[float]] | None:
    """How the dice lie before whoever is to throw them, or to decide whether they stay."""
    tray = table.tray
    seen = tray is not None and table.playing and table.state.snapshot()["phase"] in ("throw", "decide")
    return tray.json() if tray and seen else None


# Aims.


def read(aim: protocol.Aim) -> aims.Aim:
    """An aim that can be taken; InvalidAim if it is none."""
    return aims.Aim(**msgspec.structs.asdict(aim))


def written(aim: aims.Aim) -> protocol.Aim:
    """An aim as it is kept and told."""
    return protocol.Aim(**aim.json())


def completed(action: dict[str, Any] | str, aim: aims.Aim, tray: Tray) -> dict[str, Any] | str:
    """A throw with the die that is nearest to its aim, if it names none."""
    if isinstance(action, str) or "at" in action or action.get("set") not in SETS:
        return action
    return action | {"at": aim.target(tray, action["set"])}


def check(said: dict[str, Any], aim: aims.Aim, tray: Tray) -> None:
    """InvalidAim unless an action is a throw at the die that is nearest to the aim."""
    if said["do"] != "throw":
        raise InvalidAim("Only a throw of one set takes an aim.")
    nearest = aim.target(tray, said["set"])
    if nearest != said["at"]:
        raise InvalidAim(f"You aim at {said['at']}, but {nearest} is nearer to the point.")


def straight(tray: Tray, die: str) -> aims.Aim:
    """The aim of somebody who only names a die."""
    lie = tray.lies[die]
    rows = np.array([[lie.x, lie.y, direction, aims.USUAL, aims.NARROWEST] for direction in DIRECTIONS])
    fits = int(aims.have_room(rows).argmax())
    return aims.Aim.at(tray, die, DIRECTIONS[fits])


# Falling.


class Order(Struct, gc=False):
    """A throw to be made elsewhere: dice in the hand, dice on the table, an aim unless that is empty, random words."""

    hand: tuple[str, ...]
    table: dict[str, list[float]]
    aim: dict[str, float] | None
    words: tuple[int, ...]


class Landed(Struct, gc=False):
    """How it ended: how all dice lie, whether it touched, how many were cocked, the way there, and what moved them."""

    lies: dict[str, list[float]]
    touched: bool
    cocked: int
    trajectory: bytes
    engine: str

    @property
    def told(self) -> tuple[dict[str, list[float]], int, str]:
        """What a record tells of it."""
        return self.lies, self.cocked, self.sha256

    @property
    def sha256(self) -> str:
        """What tells one way from another."""
        return hashlib.sha256(self.trajectory).hexdigest()


def order(state: State, aim: protocol.Aim | None, tray: Tray | None, words: Sequence[int]) -> Order:
    """What is to be thrown in a state; InvalidAction if nothing can be."""
    before = occasion(state, read(aim) if aim else None, tray)
    return Order(before.hand, before.table.json(), before.aim.json() if before.aim else None, tuple(words))


def due(table: "Table") -> Order:
    """What is in the air at a table, with the words of its draw: the throw itself is in the log by now."""
    aim = table.course.aims[-1] if table.course.aims else None
    return order(table.state, aim, table.tray, table.lot.first_words(table.course.drawn + 1))


def let_fall(wanted: Order) -> Landed:
    """Throw. The same order gives the same to the last bit, in every process with the same engine."""
    aim = aims.Aim(**wanted.aim) if wanted.aim else None
    before = Occasion(wanted.hand, Tray.read(wanted.table), aim)
    settled = physics.simulate(before, np.random.Generator(np.random.PCG64(list(wanted.words))))
    way = Trajectory(before.dice, settled.frames).encode()
    return Landed(settled.tray.json(), settled.touched, settled.cocked, way, engine())


@cache
def engine() -> str:
    """What moves the dice here: its versions, and how one certain throw ends.

    A processor may reckon the last bit of a sine otherwise than another, and dice then soon fall otherwise too.
    """
    before = Occasion(DICE[3:6], Tray.laid("YYB YRR RRR").without(DICE[3:6]), aims.Aim(1.0, 0.5, 37.0))
    frames = physics.simulate(before, np.random.default_rng(1883)).frames
    return f"{physics.engine()}, numpy {np.__version__}, {hashlib.sha256(frames.tobytes()).hexdigest()[:8]}"


def landing(state: State, landed: Landed) -> int:
    """How they landed, as an action; InvalidAction if it cannot be."""
    said: dict[str, object] = {"do": "land", "faces": Tray.read(landed.lies).written}
    if state.record.aim >= 0:
        said["touched"] = landed.touched
    return state.encode(said)


def fall(landed: Landed) -> log.Fall:
    """How they landed, as it is kept; the way itself is kept beside the log."""
    return log.Fall(Raw(msgspec.json.encode(landed.lies)), landed.engine, landed.sha256, landed.cocked)


@lru_cache(maxsize=1024)
def _tray(lies: bytes) -> Tray:
    return Tray.read(msgspec.json.decode(lies))


def tray(lies: Raw) -> Tray:
    """How dice lie, from the log."""
    return _tray(bytes(lies))


def told(tray: Tray) -> dict[str, protocol.Lie]:
    """How dice lie, as it is told."""
    return {
        die: protocol.Lie(lie.x, lie.y, lie.face, lie.turn, tuple(np.round(lie.pose[3:], 6).tolist()))
        for die, lie in tray.lies.items()
    }
