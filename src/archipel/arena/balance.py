"""Balance for game designers: does a seat have an advantage, and what does each option change?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from archipel.core import registry
from archipel.core.game import Game

from .intervals import Estimate, difference, mean
from .match import Result
from .plan import Plan, Table
from .standings import at_seat, by_table, draws, lengths


@dataclass(frozen=True)
class Condition:
    """The game with the given options, or with one option changed."""

    option: str | None
    value: Any
    game: Game


def conditions(game: Game) -> list[Condition]:
    """The game itself, then the game with every other value of every option that has few and changes play;
    contradictory options are left out."""
    found = [Condition(None, None, game)]
    for option in filter(lambda one: one.changes_play, game.OPTIONS):
        for value in option.values:
            if value != game.options[option.name] and (other := _changed(game, option.name, value)):
                found.append(Condition(option.name, value, other))
    return found


def _changed(game: Game, name: str, value: Any) -> Game | None:
    try:
        return registry.game(game.name, **(game.options | {name: value}))
    except ValueError:
        return None


def balance_plan(game: Game, bot: str, games: int, seed: int, code: dict[str, str]) -> Plan:
    """A plan of `games` games under each condition, with the same bot at every seat."""
    tables = tuple(Table(found.game.options, (bot,) * found.game.seats) for found in conditions(game))
    return Plan("balance", game.name, game.options, (bot,), seed, tables, games, code)


@dataclass(frozen=True)
class Finding:
    """The results under one condition, and how they differ from those of the unchanged game."""

    condition: Condition
    games: int
    seats: tuple[Estimate, ...]
    advantage: Estimate
    """The first seat's score above an equal share."""
    length: Estimate
    drawn: Estimate
    spread: dict[str, Any]
    effect: dict[str, Estimate]

    def json(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "option": self.condition.option,
            "value": self.condition.value,
            "games": self.games,
            "seats": [seat.json() for seat in self.seats],
            "first_seat_advantage": self.advantage.json(),
            "length": self.length.json() | self.spread,
            "draws": self.drawn.json(),
            "effect": {name: effect.json() for name, effect in self.effect.items()},
        }


def findings(game: Game, results: Sequence[Result]) -> list[Finding]:
    """The findings for each condition under which games were played."""
    at = by_table(results)
    found: list[Finding] = []
    for number, condition in enumerate(conditions(game)):
        if at(number):
            found.append(_finding(condition, at(number), found[0] if at(0) and number else None))
    return found


def _finding(condition: Condition, results: Sequence[Result], base: Finding | None) -> Finding:
    seats = tuple(at_seat(seat, results) for seat in range(condition.game.seats))
    advantage = seats[0].plus(-1 / condition.game.seats)
    length, drawn = mean([result.length for result in results]), draws(results)
    effect = {}
    if base:
        effect = {
            "first_seat_advantage": difference(advantage, base.advantage),
            "length": difference(length, base.length),
            "draws": difference(drawn, base.drawn),
        }
    return Finding(condition, len(results), seats, advantage, length, drawn, lengths(results).json(), effect)
