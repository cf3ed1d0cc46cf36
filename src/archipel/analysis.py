"""Analysis: what a bot thinks of a position, or of every action of a game that was played.

Bots see what a seat sees, so an analysis knows no more than the player did.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from archipel.bots import bot as bot_of
from archipel.bots.budget import Budget
from archipel.bots.thought import Thought, belief
from archipel.core.errors import quoted
from archipel.core.record import Record
from archipel.core.rules import CHANCE, OVER
from archipel.core.scoresheet import Scoresheet
from archipel.core.state import State


@dataclass(frozen=True)
class Ranked:
    """One action: its notation, the bot's value for it (from -1 to 1), and how often the bot visited it."""

    action: int
    notation: str
    value: float
    visits: int


@dataclass(frozen=True)
class Analysis:
    """A bot's analysis of a position."""

    seat: int
    ranking: list[Ranked]
    """From best to worst."""
    values: list[float]
    """The value of the position for each seat, from -1 to 1."""
    line: list[str]
    """The principal variation: the play that the bot expects, as the seat would see it."""
    simulations: int
    seconds: float
    beliefs: dict[str, list[dict[str, float]]] = field(default_factory=dict)
    """For everything the view hides: place by place, how many of each thing the seat expects there."""
    exact: bool = False
    """True if the values are proved, as by Stonehenge's solver. The ranking may then leave out actions that the proof
    did not need."""

    @property
    def best(self) -> Ranked:
        """The bot's choice."""
        return self.ranking[0]

    def json(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        """The best actions with their win chances, and the principal variation."""
        rows = [f"{each.notation:<12} {percent(each.value):>4}" for each in self.ranking[:5]]
        basis = "proved" if self.exact else f"{self.simulations:,} simulations"
        return "\n".join([*rows, f"{' · '.join(self.line)} ({basis})"])


@dataclass(frozen=True)
class Judged:
    """An action of a game, and the bot's analysis of it."""

    number: int
    """The number of the action in the record, from 1."""
    seat: int
    notation: str
    cost: float
    """How much lower the bot values it than the best action; 0 for the best."""
    analysis: Analysis

    def json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {key: value for key, value in vars(self).items() if key != "analysis"} | {
            "analysis": self.analysis.json()
        }

    def __str__(self) -> str:
        """The action, and if it was not the best, what it cost and what would have been better."""
        better = f", cost {50 * self.cost:.0f}%; better {self.analysis.best.notation}" if self.cost else ""
        return f"{self.number}. seat {self.seat}: {self.notation}{better}"


def percent(value: float) -> str:
    """A value from -1 to 1 as a win chance."""
    return f"{50 * (value + 1):.0f}%"


def analyse(
    subject: State | Record | Scoresheet | Mapping[str, Any],
    bot: str = "expert",
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    worlds: int = 0,
) -> Analysis | list[Judged]:
    """Analyse with a bot: an `Analysis` of a state or a view, or a `Judged` for each action of a record or a
    scoresheet.

    `bot` is the name of a bot or a level. A budget of `simulations` gives the same answer every time. With `worlds`,
    this number of states is sampled for the beliefs about what is hidden. ValueError if no player is to act.
    """
    _check_whole(seed, "The seed")
    _check_whole(worlds, "The number of worlds")
    budget = None if simulations is None and seconds is None else Budget(simulations, seconds)
    if isinstance(subject, Record | Scoresheet):
        return list(judge(subject, bot, budget, seed, worlds))
    if isinstance(subject, State):
        if subject.mover == OVER:
            raise ValueError("The game is over in this position: there is nothing to analyse.")
        if subject.mover == CHANCE:
            raise ValueError("Chance is to act in this position, not a player: play an outcome of it first.")
        return _analysed(subject.view(subject.mover), bot, budget, seed, worlds)
    if not isinstance(subject, Mapping) or "seat" not in subject:
        raise ValueError(f"A state, a view or a record can be analysed, not {quoted(subject)}.")
    if subject.get("mover") != subject["seat"]:
        raise ValueError("The view is of a seat that is not to act: there is nothing to analyse.")
    return _analysed(dict(subject), bot, budget, seed, worlds)


def judge(
    record: Record | Scoresheet, bot: str = "expert", budget: Budget | None = None, seed: int = 0, worlds: int = 0
) -> Iterator[Judged]:
    """Analyse every action of a game, one after the other."""
    sheet = Scoresheet.of(record) if isinstance(record, Record) else record
    for number, (state, move) in enumerate(zip(sheet.states(), sheet.moves, strict=False), 1):
        if state.mover != CHANCE:
            found = _analysed(state.view(state.mover), bot, budget, seed, worlds)
            notation = state.notation(move.action)
            own = next((each.value for each in found.ranking if each.action == move.action), None)
            if own is None:  # a proof names the winning actions only
                own = _value_after(state, move.action, bot, budget, seed)
            yield Judged(number, state.mover, notation, max(0.0, found.best.value - own), found)


def _value_after(state: State, action: int, bot: str, budget: Budget | None, seed: int) -> float:
    """The mover's value of an action, from an analysis of the position that it leads to."""
    after = state.after(action)
    if after.mover == OVER:
        return after.returns()[state.mover]
    if after.mover == CHANCE:
        return after.judge(1000, np.random.default_rng(seed))[0][state.mover] / 1000
    return _analysed(after.view(after.mover), bot, budget, seed, 0).values[state.mover]


def _check_whole(value: Any, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{what} is a whole number from 0, not {quoted(value)}.")


def _analysed(view: dict[str, Any], bot: str, budget: Budget | None, seed: int, worlds: int) -> Analysis:
    mind: Any = bot_of(bot)
    if not hasattr(mind, "think"):
        raise ValueError(f"{bot} cannot say what it thinks.")
    rng = np.random.default_rng(seed)
    thought: Thought = mind.think(view, rng, budget)
    ranking = [Ranked(each.action, each.notation, float(each.value), int(each.visits)) for each in thought.ranking]
    values = [float(value) for value in thought.values]
    believed = belief(view, rng, worlds) if worlds else {}
    return Analysis(
        thought.seat,
        ranking,
        values,
        list(thought.line),
        thought.simulations,
        thought.seconds,
        believed,
        thought.exact,
    )
