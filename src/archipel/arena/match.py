"""One game between bots. Each sees only its view; a bot that fails forfeits the move, and a random one is played."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from operator import index
from time import perf_counter
from traceback import format_exception_only, format_tb
from typing import Any

import numpy as np

from archipel.bots import Bot
from archipel.core import registry
from archipel.core.errors import IllegalAction
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State

from .entrants import Entrants
from .errors import Failed
from .plan import Match
from .program import ProgramBot


@dataclass(frozen=True)
class Result:
    """The result of a game; the lists have one entry per seat."""

    table: int
    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    drawn: bool
    """True if no player, and no team, won alone."""
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeits: tuple[int, ...]
    why: tuple[str | None, ...]
    """The first failure of each seat that forfeited a move."""
    traces: tuple[str | None, ...] = ()
    """The traceback of that failure, for bots that raised an exception; empty if no bot did."""

    @property
    def key(self) -> tuple[int, int]:
        """Identifies the game within its plan."""
        return self.table, self.number

    @property
    def length(self) -> int:
        """The number of decisions in the game."""
        return sum(self.decisions)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win: 1 if alone, 1/2 if two share it, 0 for the others."""
        seats = len(self.returns)
        return tuple((worth * (seats - 1) + 1) / seats for worth in self.returns)

    def json(self) -> dict[str, Any]:
        """The result as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any], match: Match) -> "Result":
        """Parse a result from JSON; ValueError if it cannot belong to the match."""
        entries: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        found = cls(**entries)
        lists = (found.returns, found.scores, found.decisions, found.seconds, found.forfeits)
        if found.key != match.key or found.seats != match.seats:
            raise ValueError("other bots sit at other seats in this game")
        if any(len(entries) != len(match.seats) for entries in (*lists, found.why, found.traces or found.why)):
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
    """A bot at a seat, with its statistics."""

    name: str
    entrants: Entrants
    rng: np.random.Generator
    draw: np.random.Generator
    """Random generator for the moves that the bot forfeits."""
    cores: int = 1
    """The number of cores that the bot may use."""
    bot: Bot | None = None
    decisions: int = 0
    seconds: float = 0.0
    forfeits: int = 0
    why: str | None = None
    """Its first failure."""
    last: str | None = None
    """Its latest failure."""
    trace: str | None = None
    """The traceback of its first failure, if it raised an exception."""

    def decide(self, state: State) -> int:
        """Return the bot's action, or a random legal one if the bot fails."""
        _get_ready(self.name, self.entrants, state)
        begun = perf_counter()
        try:
            bot = self._seated(state)
            begun = perf_counter()
            action = bot.choose(state.view(state.mover), self.rng, None)
            state.after(action)
            action = index(action)
        except IllegalAction as refusal:
            action = self._forfeit(state, f"not allowed: {refusal.reason}")
        except Failed as failure:
            action = self._forfeit(state, str(failure))
        except (Exception, SystemExit) as error:
            action = self._forfeit(state, f"{type(error).__name__}: {error}", _traceback(error))
        self.seconds += perf_counter() - begun
        self.decisions += 1
        return action

    def _seated(self, state: State) -> Bot:
        # Created at its first move and for one game only, so that a bot remembers nothing in the next game.
        self.bot = self.bot or self.entrants.make(self.name, self.cores)
        if isinstance(self.bot, ProgramBot):
            self.bot.begin(state.game.name, state.game.options)
        return self.bot

    def _forfeit(self, state: State, why: str, trace: str | None = None) -> int:
        self.forfeits += 1
        self.last = " ".join(why.split())[:300]
        if self.why is None:
            self.why, self.trace = self.last, trace
        return int(self.draw.choice(state.actions()))

    def leave(self) -> None:
        """Close the bot after the game."""
        if isinstance(self.bot, ProgramBot):
            self.bot.close()


FRAMES = 8
"""The most frames of a bot's traceback that are kept: the first ones and the last ones."""


def _traceback(error: BaseException) -> str:
    """Where in the bot's own code it happened; the frame of the arena that called it is left out."""
    inside = error.__traceback__.tb_next if error.__traceback__ else None
    frames = [entry.rstrip() for entry in format_tb(inside)]
    if len(frames) > FRAMES:
        half = FRAMES // 2
        frames[half:-half] = [f"  … {len(frames) - FRAMES} more …"]
    message = "".join(format_exception_only(error)).strip()
    return "\n".join([*frames, message])[:4000]


_ready: set[tuple[str, str]] = set()


def _get_ready(name: str, entrants: Entrants, state: State) -> None:
    """Let a bot choose once without effect in this process, so that loading and compiling do not count as thinking
    time.

    A program does so by itself, before it answers hello.
    """
    if (name, state.game.name) not in _ready:
        _ready.add((name, state.game.name))
        with suppress(Exception, SystemExit):
            bot = entrants.make(name)
            if not isinstance(bot, ProgramBot):
                bot.choose(state.view(state.mover), np.random.default_rng(0), None)


def play(match: Match, entrants: Entrants) -> Result:
    """Play one game to its end."""
    chance = np.random.default_rng(match.chance)
    seeds = np.random.SeedSequence(match.thought).spawn(2 * len(match.seats))
    rngs = [np.random.default_rng(seed) for seed in seeds]
    players = [
        Player(name, entrants, rng, draw) for name, rng, draw in zip(match.seats, rngs[::2], rngs[1::2], strict=True)
    ]
    state = registry.game(match.game, **match.options).new()
    try:
        while state.mover != OVER:
            chosen = state.sample(chance) if state.mover == CHANCE else players[state.mover].decide(state)
            state = state.after(chosen)
    finally:
        for player in players:
            player.leave()
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
        tuple(player.trace for player in players) if any(player.trace for player in players) else (),
    )


def _is_drawn(state: State) -> bool:
    """True if more seats share the win than play as a team."""
    sides: int = getattr(state.game, "sides", state.game.seats)
    winners = sum(worth == max(state.returns()) for worth in state.returns())
    return winners > state.game.seats // sides
