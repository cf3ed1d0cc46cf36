"""A table without a server: commands go straight to the decisions, and what they lead to straight into the log."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from archipel.core.rules import OVER
from archipel.table import protocol
from archipel.table.log import decisions, events
from archipel.table.log.decisions import Caller
from archipel.table.log.setup import Setup, made
from archipel.table.log.table import Table
from archipel.table.log.tasks import carry_out
from archipel.table.protocol import Clock, NewChair, NewTable, NoClock

NOW = 1_700_000_000_000
NO_CLOCK = NoClock()
NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli")


class Room:
    """One table, whose person at seat s is called NAMES[s]; a second passes between two commands.

    Dice fall by odds unless something else is said, which is quick.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any] | None = None,
        chairs: Sequence[NewChair] | None = None,
        clock: Clock = NO_CLOCK,
        secret: bytes = b"s" * 32,
        **more: Any,
    ) -> None:
        more = ({"mode": "odds"} if game == "krakatoa" else {}) | more
        wanted = NewTable(game=game, options=options or {}, chairs=list(chairs or ()), clock=clock, **more)
        self.now = NOW
        self.n = 0
        setup: Setup = made(wanted, host="Ada", now=NOW)
        setup.secret = secret
        self.table = Table(setup)
        if chairs is not None:
            self.take(decisions.furnished(self.table, wanted, self.caller("Ada"), NOW))

    def caller(self, who: str) -> Caller:
        return Caller(who=who, name=who, by=f"client-of-{who}", may_sit=True)

    def take(self, entries: list[events.Entry]) -> None:
        for entry in entries:
            self.table.apply(events.decode(events.encode(entry)))

    def say(
        self, who: str, kind: type[Any], away: frozenset[int] = frozenset(), **parameters: Any
    ) -> list[events.Entry]:
        """Send a command; what it led to."""
        self.n += 1
        self.now += 1000
        command = kind(n=self.n, **parameters)
        entries = decisions.decide(self.table, self.caller(who), command, self.now, away)
        self.take(entries)
        return entries

    def sit_all(self) -> "Room":
        """Everybody takes the seat of his number."""
        for seat in range(self.table.seats):
            self.say(NAMES[seat], protocol.Sit, seat=seat, seed=f"seed of {seat}")
        return self

    def act(self, action: dict[str, Any] | str) -> list[events.Entry]:
        """The mover does this."""
        who = self.table.chairs[self.table.mover].who
        return self.say(who, protocol.Act, at=self.table.version, action=action)

    def act_at_random(self, rng: np.random.Generator) -> list[events.Entry]:
        state = self.table.state
        actions = state.actions()
        return self.act(state.decode(actions[int(rng.integers(len(actions)))]))

    def play_out(self, seed: int = 0, most: int = 100_000) -> "Room":
        """Play at random to the end, or so many actions."""
        rng = np.random.default_rng(seed)
        while self.table.mover != OVER and most > 0:
            self.act_at_random(rng)
            most -= 1
        return self


class Simulated(Room):
    """A room where dice are simulated, here and now."""

    def __init__(self, **more: Any) -> None:
        self.recordings: dict[int, bytes] = {}
        super().__init__("krakatoa", mode="physics", **more)

    def take(self, entries: list[events.Entry]) -> None:
        super().take(entries)
        while self.table.computing:
            outcome = carry_out(self.table.order())
            assert outcome
            self.recordings[self.table.version + 1] = outcome.recording
            super().take(decisions.outcome_computed(self.table, self.table.position, outcome, self.now))


def a_few_throws(throws: int = 3, **more: Any) -> Simulated:
    """A room where the first nine are kept, and so many throws made."""
    room = Simulated(**more)
    room.sit_all()
    room.act("keep")
    rng = np.random.default_rng(2)
    for _ in range(throws):
        room.act_at_random(rng)
    return room
