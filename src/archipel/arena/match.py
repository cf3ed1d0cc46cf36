"""One game between bots: each sees its view and no more, and whoever fails has a move drawn for him."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from archipel.bots import Bot
from archipel.core import registry
from archipel.core.errors import IllegalAction
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State

from .entrants import Entrants
from .plan import Match


@dataclass(frozen=True)
class Result:
    """How a game went; the lists have an entry for each seat."""

    table: int
    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    drawn: bool
    """Did nobody win alone, or with his partners?"""
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeits: tuple[int, ...]
    why: tuple[str | None, ...]
    """What was wrong the first time that a seat forfeited a move."""

    @property
    def key(self) -> tuple[int, int]:
        """Which game it was."""
        return self.table, self.number

    @property
    def length(self) -> int:
        """How many decisions the game took."""
        return sum(self.decisions)

    @property
    def shares(self) -> tuple[float, ...]:
        """What each seat has of the win: 1 alone, 1/2 for two who share it, 0 for the others."""
        seats = len(self.returns)
        return tuple((worth * (seats - 1) + 1) / seats for worth in self.returns)

    def json(self) -> dict[str, Any]:
        """The result as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any], match: Match) -> "Result":
        """A result from its JSON; ValueError if it cannot be that of the match."""
        entries: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        found = cls(**entries)
        lists = (found.returns, found.scores, found.decisions, found.seconds, found.forfeits)
        if found.key != match.key or found.seats != match.seats:
            raise ValueError("other bots sit at other seats in this game")
        if any(len(entries) != len(match.seats) for entries in (*lists, found.why)):
            raise ValueError("an entry for some seat is missing")
        if type(found.drawn) is not bool or not all(
            type(entry) in (int, float) for entries in lists for entry in entries
        ):
            raise ValueError("a number is wanted where there is none")
        if not (abs(sum(found.returns)) < 1e-9 and min(found.decisions) >= 0 and min(found.seconds) >= 0):
            raise ValueError("its numbers do not fit each other")
        return found


@dataclass
class Player:
    """A bot at a seat, and how it has behaved."""

    name: str
    entrants: Entrants
    rng: np.random.Generator
    draw: np.random.Generator
    """Draws the moves that the bot forfeits."""
    bot: Bot | None = None
    decisions: int = 0
    seconds: float = 0.0
    forfeits: int = 0
    why: str | None = field(default=None)

    def move(self, state: State) -> State:
        """The state after the bot's action, or after any action if it fails to give one."""
        _get_ready(self.name, self.entrants, state)
        begun = perf_counter()
        try:
            after = state.after(self._choose(state))
        except IllegalAction as refusal:
            after = self._forfeit(state, f"not allowed: {refusal.reason}")
        except (Exception, SystemExit) as error:
            after = self._forfeit(state, f"{type(error).__name__}: {error}")
        self.seconds += perf_counter() - begun
        self.decisions += 1
        return after

    def _choose(self, state: State) -> int:
        # Made at its first move and for one game only: what a bot remembers must not reach the next game.
        self.bot = self.bot or self.entrants.make(self.name)
        return self.bot.choose(state.view(state.mover), self.rng, None)

    def _forfeit(self, state: State, why: str) -> State:
        self.forfeits += 1
        self.why = self.why or " ".join(why.split())[:300]
        return state.after(int(self.draw.choice(state.actions())))


_ready: set[tuple[str, str]] = set()


def _get_ready(name: str, entrants: Entrants, state: State) -> None:
    """Let a bot choose once for nothing in this process, so that loading and compiling are not counted as thinking."""
    if (name, state.game.name) not in _ready:
        _ready.add((name, state.game.name))
        with suppress(Exception, SystemExit):
            entrants.make(name).choose(state.view(state.mover), np.random.default_rng(0), None)


def play(match: Match, entrants: Entrants) -> Result:
    """Play one game to its end."""
    chance = np.random.default_rng(match.chance)
    seeds = np.random.SeedSequence(match.thought).spawn(2 * len(match.seats))
    rngs = [np.random.default_rng(seed) for seed in seeds]
    players = [
        Player(name, entrants, rng, draw) for name, rng, draw in zip(match.seats, rngs[::2], rngs[1::2], strict=True)
    ]
    state = registry.game(match.game, **match.options).new()
    while state.mover != OVER:
        state = state.after(state.sample(chance)) if state.mover == CHANCE else players[state.mover].move(state)
    return _result(match, state, players)


def _result(match: Match, state: State, players: list[Player]) -> Result:
    return Result(
        match.table,
        match.number,
        match.seats,
        tuple(state.returns()),
        tuple(state.scores),
        _is_drawn(state),
        tuple(player.decisions for player in players),
        tuple(round(player.seconds, 6) for player in players),
        tuple(player.forfeits for player in players),
        tuple(player.why for player in players),
    )


def _is_drawn(state: State) -> bool:
    """Do more seats share the win than play together?"""
    sides: int = getattr(state.game, "sides", state.game.seats)
    winners = sum(worth == max(state.returns()) for worth in state.returns())
    return winners > state.game.seats // sides
