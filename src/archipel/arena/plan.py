"""What is to be played: who meets whom, at which seats, with which chance."""

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
    """One game to be played; it holds all that a worker needs, and gives the same result on every worker."""

    table: int
    number: int
    game: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    chance: int
    """The seed of deal and dice: the same for all games of one deal."""
    thought: int
    """The seed of the bots' own generators: another one in each game."""

    @property
    def key(self) -> tuple[int, int]:
        """Which game it is."""
        return self.table, self.number


@dataclass(frozen=True)
class Table:
    """Bots that meet, one for each seat, under one choice of options."""

    options: dict[str, Any]
    bots: tuple[str, ...]

    @property
    def games_a_deal(self) -> int:
        """How often a deal is played, so that every bot has had every seat."""
        return len(self.bots) if len(set(self.bots)) > 1 else 1

    def lineup(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game: all move on one seat from game to game, and sit in another order with each deal."""
        deal, turn = divmod(number, self.games_a_deal)
        orders = list(permutations(self.bots[1:]))
        order = (self.bots[0], *orders[deal % len(orders)])
        return order[turn:] + order[:turn]


@dataclass(frozen=True)
class Plan:
    """All that is to be played. `kind` is arena or balance; `code` has the digests of the bot files."""

    kind: str
    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    tables: tuple[Table, ...]
    games: int
    """At each table."""
    code: dict[str, str] = field(default_factory=dict)

    def header(self) -> dict[str, Any]:
        """What makes it this plan and no other. The number of games is not in it: more may be asked for later."""
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
        """A name for a folder: the same plan has the same one."""
        return f"{self.kind}-{self.game}-{_number(self.header()):032x}"[: len(self.kind) + len(self.game) + 10]

    def matches(self) -> Iterator[Match]:
        """Every game, one of each table after the other."""
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
        """How many games there are in all."""
        return self.games * len(self.tables)


def round_robin(game: Game, bots: Sequence[str], games: int, seed: int, code: dict[str, str]) -> Plan:
    """Every bot meets every other; the games at a table are made up to whole deals."""
    tables = tuple(Table(game.options, lineup) for lineup in lineups(bots, game.seats))
    whole = -(-games // game.seats) * game.seats
    return Plan("arena", game.name, game.options, tuple(bots), seed, tables, whole, code)


def lineups(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Who sit down together: with many bots all choices of some, with few all of them and some of them again."""
    copies, more = divmod(seats, len(bots))
    return [tuple(bots) * copies + chosen for chosen in combinations(bots, more)]


def _number(value: Any) -> int:
    """A number of 128 bits that stands for a value, on every machine the same."""
    return int.from_bytes(hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest()[:16])
