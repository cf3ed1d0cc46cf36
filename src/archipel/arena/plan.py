"""The plan of an arena: who meets whom, at which seats, with which random seeds."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import archipel
from archipel.core.game import Game

VERSION = 1


@dataclass(frozen=True)
class Match:
    """One game to play. It contains everything that a worker needs, and gives the same result on every worker."""

    table: int
    number: int
    game: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    chance: int
    """The seed of deals and dice: the same for all games of one deal."""
    thought: int
    """The seed of the bots' random generators: different in each game."""

    @property
    def key(self) -> tuple[int, int]:
        """Identifies the game within the plan."""
        return self.table, self.number


@dataclass(frozen=True)
class Table:
    """Bots that play each other, one per seat, with one set of options."""

    options: dict[str, Any]
    bots: tuple[str, ...]

    @property
    def games_a_deal(self) -> int:
        """How often each deal is played, so that every bot plays it from every seat."""
        return len(self.bots) if len(set(self.bots)) > 1 else 1

    def lineup(self, number: int) -> tuple[str, ...]:
        """The seating of a game: all move on by one seat from game to game, and are shuffled with each deal."""
        deal, turn = divmod(number, self.games_a_deal)
        orders = list(permutations(self.bots[1:]))
        order = (self.bots[0], *orders[deal % len(orders)])
        return order[turn:] + order[:turn]


@dataclass(frozen=True)
class Plan:
    """Everything to be played. `kind` is arena or balance; `code` has the digests of the bot files."""

    kind: str
    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    tables: tuple[Table, ...]
    games: int
    """The number of games at each table."""
    code: dict[str, str] = field(default_factory=dict)

    def header(self) -> dict[str, Any]:
        """Everything that identifies the plan. The number of games is not included: more can be requested later."""
        return {
            "archipel": self.kind,
            "version": VERSION,
            "made_by": f"archipel {archipel.__version__}",
            "game": self.game,
            "options": self.options,
            "bots": list(self.bots),
            "seed": self.seed,
            "code": self.code,
        }

    @property
    def name(self) -> str:
        """A folder name that depends on the header only."""
        return f"{self.kind}-{self.game}-{_number(self.header()):032x}"[: len(self.kind) + len(self.game) + 10]

    def matches(self) -> Iterator[Match]:
        """All games, taking one of each table in turn."""
        for number in range(self.games):
            for table in range(len(self.tables)):
                yield self.match(table, number)

    def match(self, table: int, number: int) -> Match:
        """One game."""
        at = self.tables[table]
        place = [self.seed, self.game, at.options, list(at.bots)]
        return Match(
            table,
            number,
            self.game,
            at.options,
            at.lineup(number),
            _number([*place, "deal", number // at.games_a_deal]),
            _number([*place, "game", number]),
        )

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def total(self) -> int:
        """The total number of games."""
        return self.games * len(self.tables)


def round_robin(game: Game, bots: Sequence[str], games: int, seed: int, code: dict[str, str]) -> Plan:
    """Every bot meets every other; the number of games at a table is rounded up to whole deals."""
    tables = tuple(Table(game.options, lineup) for lineup in lineups(bots, game.seats))
    whole = -(-games // game.seats) * game.seats
    return Plan("arena", game.name, game.options, tuple(bots), seed, tables, whole, code)


def lineups(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The groups that play together: with many bots all combinations, with few all bots and some of them repeated."""
    copies, more = divmod(seats, len(bots))
    return [tuple(bots) * copies + chosen for chosen in combinations(bots, more)]


def _number(value: Any) -> int:
    """A 128-bit number derived from a value, the same on every machine."""
    return int.from_bytes(hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest()[:16])
