"""Krakatoa's dice at a table: simulated in another process, drawn by fixed odds, or rolled at home and typed in.

The extra data of an action is an aim, the detail of an outcome a fall, its recording a trajectory.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import msgspec
import numpy as np
from msgspec import Struct

from archipel.core.errors import sentence
from archipel.core.manifest import resolve
from archipel.core.rules import CHANCE
from archipel.core.slow_chance import Compute, Computed, Draw, Json, Kind, SlowChance, Step
from archipel.core.state import State
from archipel.games.krakatoa.board import DICE, SETS
from archipel.games.krakatoa.rules import thrower

from . import aim as aims
from . import verifying, wire
from .aim import Aim, InvalidAim
from .simulation import Order, simulated
from .thrower import check_target, hand, occasion
from .tray import Tray

DIRECTIONS = (90.0, 45.0, 135.0, 0.0, 180.0, 315.0, 225.0, 270.0)
"""If a player only names a die, the throw goes straight at it, from the first of these directions that leaves room."""
_HANDS = "archipel.games.krakatoa.bot.hands:shot"
_encode = msgspec.json.Encoder().encode


class _Lies(Struct):
    lies: dict[str, list[Any]]


class TableDice(SlowChance):
    """Krakatoa's `SlowChance`."""

    modes: ClassVar[Mapping[str, Kind]] = {"physics": "computed", "odds": "drawn", "pad": "entered"}
    former = "odds"
    entered_note = "The dice were rolled at home and typed in, so nothing was drawn."
    wire_types: ClassVar[Mapping[str, type]] = {"extra": wire.Aim, "shown": wire.Dice, "detail": wire.Fall}

    def seat(self, state: State) -> int:
        return int(thrower(state.record))

    # Aims.

    def accept(self, state: State, action: Json | str, extra: Json, last: bytes | None) -> tuple[int, bytes]:
        if last is None or state.mover == CHANCE:
            raise InvalidAim("There is nothing to aim at: no dice lie in a tray here.")
        aim, lying = read(extra), tray(last)
        whole = completed(action, aim, lying)
        number = state.parse(whole) if isinstance(whole, str) else state.encode(whole)
        meant = state.decode(number)
        if meant["do"] != "throw":
            raise InvalidAim("Only a throw of one set takes an aim.")
        check_target(aim, lying, meant["set"], meant["at"])
        return number, _encode(aim.json())

    def usual(self, state: State, action: int, last: bytes | None) -> bytes | None:
        decoded = state.decode(action) if last else {"do": ""}
        return _encode(straight(tray(last), decoded["at"]).json()) if last and decoded["do"] == "throw" else None

    # Outcomes.

    def order(self, state: State, extra: bytes | None, last: bytes | None, numbers: Sequence[int]) -> Order:
        aim = Aim(**msgspec.json.decode(extra)) if extra else None
        return Order.of(occasion(state, aim, tray(last) if last else None), numbers)

    def first_order(self) -> Order:
        return Order(DICE[:3], {}, None, (1,))

    def compute(self, order: Order) -> Computed:
        return simulated(order).computed(order)

    # Messages.

    def shown(self, state: State, last: tuple[int, bytes] | None, waiting: bool, enters: bool) -> wire.Dice:
        taken = hand(state) if waiting else ()
        return wire.Dice(
            lies=lies_of(tray(last[1]).without(taken)) if last else {},
            hand=list(taken),
            thrower=self.seat(state) if waiting else None,
            land=enters,
            last=last[0] if last else 0,
        )

    def message(self, state: State, action: Json, detail: bytes, recording: bytes | None) -> wire.Fall:
        cocked = msgspec.json.decode(detail, type=wire.KeptFall).cocked
        seen = base64.b64encode(recording).decode() if recording else None
        return wire.Fall(list(hand(state)), action.get("touched") is False, cocked, seen)

    # Bots.

    def seen(self, state: State, last: bytes | None) -> Json | None:
        to_see = last and state.snapshot()["phase"] in ("throw", "decide")
        return tray(last).json() if last and to_see else None

    def choose(self, level: str, view: Json, seen: Any, rng: np.random.Generator) -> tuple[int, Json | None]:
        action, aim = resolve(_HANDS)(level, view, Tray.read(seen), rng)
        return action, aim and aim.json()

    # Records.

    def recorded(self, mode: str, steps: Iterable[Step]) -> Json:
        about: Json = {"by": mode}
        if self.modes[mode] == "computed":
            about["throws"] = list(verifying.recorded(steps))
        return {"dice": about}

    def mode_of(self, fair: Mapping[str, Any]) -> str:
        return verifying.mode_of(fair, self.modes)

    def outcomes_of(self, fair: Mapping[str, Any]) -> list[Step]:
        return [verifying.step_of(thrown) for thrown in verifying.throws_of(fair)]

    def verify(self, fair: Mapping[str, Any], draws: Sequence[Draw], compute: Compute) -> str:
        return verifying.check(verifying.throws_of(fair), draws, compute)


TABLE_DICE = TableDice()


@lru_cache(maxsize=1024)
def tray(detail: bytes) -> Tray:
    """The positions of the dice after a fall."""
    return Tray.read(msgspec.json.decode(detail, type=_Lies).lies)


def lies_of(tray: Tray) -> dict[str, wire.Lie]:
    """The positions of dice, for messages."""
    return {
        die: wire.Lie(lie.x, lie.y, lie.face, lie.turn, tuple(np.round(lie.pose[3:], 6).tolist()))
        for die, lie in tray.lies.items()
    }


def read(extra: Json) -> Aim:
    """Read an aim that a player sent; InvalidAim if it is not valid."""
    try:
        return Aim(**msgspec.structs.asdict(msgspec.convert(extra, wire.Aim)))
    except msgspec.ValidationError as error:
        raise InvalidAim(sentence("That is no aim: {error}.", error=error)) from None


def completed(action: Json | str, aim: Aim, tray: Tray) -> Json | str:
    """Add the die nearest to the aim to a throw that names none."""
    if isinstance(action, str) or "at" in action or action.get("set") not in SETS:
        return action
    return action | {"at": aim.target(tray, action["set"])}


def straight(tray: Tray, die: str) -> Aim:
    """The default aim at a named die."""
    lie = tray.lies[die]
    rows = np.array([[lie.x, lie.y, direction, aims.USUAL, aims.NARROWEST] for direction in DIRECTIONS])
    return Aim.at(tray, die, DIRECTIONS[int(aims.have_room(rows).argmax())])
