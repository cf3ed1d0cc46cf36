"""Nothing hidden leaves the table: two games that a seat cannot tell apart send it the same bytes.

Twins are two tables whose games differ in nothing that the eye in question can know: wherever chance or another seat
does something that it does not see, they go different ways if they can.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

from archipel.bots import levels
from archipel.bots.thought import Opinion, Thought
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.table import protocol
from archipel.table.log import decisions, events
from archipel.table.log.decisions import Refusal
from archipel.table.log.views import Views, caught_up, entry_view, news
from archipel.table.play.advice import hint
from archipel.table.play.thinking import seconds
from tests.variants import EVERY, Options

from .room import NOW, Room

Eye = int | None


class Twins:
    """Two tables that an eye cannot tell apart."""

    def __init__(self, name: str, options: Options, eye: Eye, rng: np.random.Generator) -> None:
        self.eye = eye
        self.rng = rng
        self.rooms = [Room(name, options) for _ in range(2)]
        self.parted = 0
        first = Room(name, options).sit_all()
        started = next(n for n, entry in enumerate(first.table.log) if isinstance(entry, events.Started))
        for entry in first.table.log[: started + 1]:
            self.take([[entry], [entry]])

    @property
    def states(self) -> tuple[State, State]:
        one, other = (room.table.state for room in self.rooms)
        return one, other

    def take(self, batches: list[list[events.Entry]]) -> None:
        """Both tables log something; what the eye is sent of it must be the same."""
        sent = [self._sent(room, batch) for room, batch in zip(self.rooms, batches, strict=True)]
        assert sent[0] == sent[1]

    def _sent(self, room: Room, batch: list[events.Entry]) -> list[bytes]:
        table, door = room.table, Views(room.table)
        since, seen = table.version, door.position(self.eye).hash
        told = []
        for entry in batch:
            step = table.apply(entry)
            told.append(entry_view(table, table.version, entry, step)(self.eye))
        return [
            news(door, told, {type(entry) for entry in batch}, self.eye),
            caught_up(door, None, None, self.eye),
            caught_up(door, since, seen, self.eye),
        ]

    def step(self) -> bool:
        """Both go on; False if they cannot any more without the eye seeing a difference."""
        one, other = self.states
        if OVER in (one.mover, other.mover):
            return False
        pairs = list(self._pairs())
        if not pairs:
            return False
        apart = [pair for pair in pairs if pair[0] != pair[1]]
        self.parted += bool(apart)
        pair = (apart or pairs)[int(self.rng.integers(len(apart or pairs)))]
        self.take([[self._entry(room, action)] for room, action in zip(self.rooms, pair, strict=True)])
        return True

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """What may happen at the one and the other table so that the eye sees the same."""
        one, other = self.states
        if one.mover == self.eye:
            assert one.actions() == other.actions()
            yield from ((a, a) for a in one.actions() if _alike(one.after(a), other.after(a), self.eye))
            return
        try:
            choices = [self._some(one), self._some(other)]
        except NotImplementedError:
            landing = one.sample(self.rng)
            yield landing, landing
            return
        for a, b in product(*choices):
            if one.notation_for(a, self.eye) == other.notation_for(b, self.eye) and _alike(
                one.after(a), other.after(b), self.eye
            ):
                yield a, b

    def _some(self, state: State) -> list[int]:
        actions = state.actions()
        return [actions[int(k)] for k in self.rng.permutation(len(actions))[:24]]

    def _entry(self, room: Room, action: int) -> events.Entry:
        state = room.table.state
        words = room.table.action_names.of(state, action).action
        if state.mover == CHANCE:
            return events.Happened(at=NOW, action=words, draw=room.table.history.drawn + 1)
        return events.Acted(at=NOW, seat=state.mover, action=words)

    def answers(self, command: protocol.Command) -> list[Any]:
        """What either table says to the eye's command."""
        return [self._answer(room, command) for room in self.rooms]

    def _answer(self, room: Room, command: protocol.Command) -> Any:
        who = "Zoe" if self.eye is None else room.table.chairs[self.eye].who
        try:
            made = decisions.decide(room.table, room.caller(who), command, NOW, frozenset())
        except Refusal as refusal:
            return refusal.rule, refusal.reason
        return type(made[0])

    def advised(self, room: Room) -> tuple[bytes, bytes] | None:
        """What an adviser is asked for this eye, and what the eye is told of a thought; None if it is not its turn."""
        state, words = room.table.state, room.table.action_names
        if state.mover < 0 or state.mover != self.eye:
            return None
        some = [Opinion(action, state.notation(action), 10, 0.5) for action in state.actions()[:10]]
        thought = Thought(state.mover, some, simulations=100, seconds=1.0)
        told = hint(words, 1, room.table.history.moves, state, thought)
        return msgspec.json.encode(state.view(state.mover)), msgspec.json.encode(told)

    def paced(self, room: Room) -> tuple[float, ...]:
        """When a bot would answer: how long it takes must not tell what it holds."""
        state = room.table.state
        return tuple(seconds(level, state) for level in levels.NAMES) if state.mover >= 0 else ()


def _alike(one: State, other: State, eye: Eye) -> bool:
    return one.mover == other.mover and one.view(eye) == other.view(eye)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_twins_send_the_same_bytes(name: str, options: Options) -> None:
    seats = Room(name, options).table.seats
    rng = np.random.default_rng(7)
    for eye in (None, *range(min(seats, 3))):
        twins = Twins(name, options, eye, rng)
        for _ in range(45):
            if not twins.step():
                break
            version = twins.rooms[0].table.version
            asked: list[protocol.Command] = [protocol.Undo(n=1), protocol.AskBack(n=1)]
            for action in rng.integers(0, twins.states[0].game.action_count, 5).tolist():
                if twins.states[0].mover >= 0:
                    meant = twins.states[0].decode(action)
                    asked.append(protocol.Act(n=1, at=version, action=meant))
                    asked.append(protocol.Act(n=1, at=version, action=twins.states[0].notation(action)))
            for command in asked:
                one, other = twins.answers(command)
                assert one == other
            assert len({twins.advised(room) for room in twins.rooms}) == 1
            assert len({twins.paced(room) for room in twins.rooms}) == 1


@pytest.mark.parametrize(
    ("name", "options"), [("kahuna", {}), ("kahuna", {"edition": "tilsit"}), ("stonehenge", {"hidden": True})]
)
def test_twins_really_differ(name: str, options: Options) -> None:
    rng = np.random.default_rng(1)
    twins = Twins(name, options, 0, rng)
    while twins.step() and twins.parted < 3:
        pass
    assert twins.parted == 3
    assert twins.states[0] != twins.states[1]


def test_persons_are_known_by_name_only() -> None:
    """The key by which a person is known never leaves the table, or anybody could pass for him."""
    room = Room("kahuna")
    for seat, who in enumerate(("secret-key-of-ada", "secret-key-of-bo")):
        caller = decisions.Caller(who=who, name=f"Name {seat}", by=f"by-{who}", may_sit=True)
        sit = protocol.Sit(n=1, seat=seat, seed="share")
        room.take(decisions.decide(room.table, caller, sit, NOW, frozenset()))
    sent = caught_up(Views(room.table), None, None, 0)
    assert b"Name 1" in sent
    assert b"secret-key" not in sent
    assert room.table.setup.secret.hex().encode() not in sent
    assert room.table.lot.seed.hex().encode() not in sent
