"""The arena from Python: rank bots against each other, or test whether a new bot is stronger than an old one."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from archipel.bots import Bot
from archipel.core import registry
from archipel.core.game import Game
from archipel.workers import cores

from . import report
from .code import Made
from .entrants import Entrants
from .errors import ArenaError
from .intervals import Estimate
from .log import Log, Unkept
from .match import Result
from .plan import Plan, round_robin
from .ratings import Rating, rate
from .sprt import Finding, Hypotheses, Trial
from .standings import Standing, head_to_head, standing
from .tournament import play
from .workers import Cores, Here, Workers

AnyBot = str | PathLike[str] | type[Bot] | Callable[..., int]
"""A bot's name (`greedy`, `expert:1000`, `sailor@1`), a bot file (`my_bot.py`), a class with a method
choose(view, rng, budget), or such a function."""

MOST_TESTED = 20_000
"""Games after which a comparison ends undecided (default)."""


@dataclass(frozen=True)
class Ranking:
    """Games between bots, and what follows from them."""

    plan: Plan
    results: list[Result]
    """Every game: who sat where, scores, decisions, seconds, forfeits with reasons and tracebacks."""

    def ratings(self, anchor: str | None = None) -> list[Rating]:
        """Elo ratings with 95% intervals, best first, above the anchor (default: the weakest bot)."""
        return rate(self.plan.distinct, self.results, anchor)

    def standing(self, bot: str) -> Standing:
        """One bot's score, pace and forfeits."""
        return standing(bot, self.results)

    def head_to_head(self, bot: str, other: str) -> Estimate:
        """The first bot's share of the points against the second."""
        return head_to_head(bot, other, self.results)

    def json(self) -> dict[str, Any]:
        """All figures of the report, JSON-able."""
        return report.figures(self.plan, self.results)

    def write(self, folder: str | PathLike[str]) -> None:
        """Write report.html and report.json into a folder."""
        _write(folder, self)

    def __str__(self) -> str:
        lines = []
        for rating in self.ratings():
            score = self.standing(rating.bot).score
            share = f"{100 * score.value:.1f}% ({100 * score.low:.0f} to {100 * score.high:.0f}) of {score.count}"
            lines.append(f"{rating.bot:<16} {rating.elo:+6.0f} Elo ({rating.low:+.0f} to {rating.high:+.0f})  {share}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Comparison(Ranking):
    """Games between a new and an old bot, and the verdict of the test."""

    finding: Finding

    @property
    def verdict(self) -> str | None:
        """ "stronger", "not stronger", or None if the games were too few to say."""
        return self.finding.verdict

    def json(self) -> dict[str, Any]:
        return super().json() | {"sprt": self.finding.json()}

    def write(self, folder: str | PathLike[str]) -> None:
        _write(folder, self, self.finding)

    def __str__(self) -> str:
        return str(self.finding)


def _write(folder: str | PathLike[str], played: Ranking, finding: Finding | None = None) -> None:
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    report.write(path, played.plan, played.results, "archipel.arena (Python)", finding=finding)


def rank(
    game: str | Game,
    bots: Sequence[AnyBot],
    *,
    games: int = 100,
    seed: int = 0,
    cores: int | None = None,
    folder: str | PathLike[str] | None = None,
    on_results: Callable[[list[Result]], None] | None = None,
) -> Ranking:
    """Play a round robin: `games` games per pairing, every bot at every seat with the same deals.

    `cores` is the number of worker processes (default: all cores); with 1, games are played in this process. With a
    `folder`, every game is kept there as soon as it is over, and the same call resumes from it. `on_results` is called
    with results as they come in.
    """
    entrants, names = _entrants(bots)
    plan = _plan(game, names, games, seed, entrants)
    return Ranking(plan, _played(plan, entrants, cores, folder, on_results, None))


def compare(
    game: str | Game,
    new: AnyBot,
    old: AnyBot,
    *,
    elo0: float = 0.0,
    elo1: float = 20.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    shares: tuple[float, float] | None = None,
    games: int = MOST_TESTED,
    seed: int = 0,
    cores: int | None = None,
    folder: str | PathLike[str] | None = None,
    on_results: Callable[[list[Result]], None] | None = None,
) -> Comparison:
    """Play until it is clear whether the new bot is stronger than the old one, `games` games at most.

    The sequential test (see `archipel.arena.sprt`) decides between two hypotheses: the new bot is elo0, or elo1, Elo
    points stronger. `shares` states them as shares of the points instead, as in (0.5, 0.53). The other parameters are
    those of `rank`.
    """
    test = Hypotheses.of_shares(*shares, alpha, beta) if shares else Hypotheses(elo0, elo1, alpha, beta)
    entrants, names = _entrants([new, old])
    plan = _plan(game, names, games, seed, entrants)
    trial = Trial(test, plan, names[0])
    results = _played(plan, entrants, cores, folder, on_results, trial)
    return Comparison(plan, results, trial.finding())


def _entrants(bots: Iterable[AnyBot]) -> tuple[Entrants, list[str]]:
    """The bots and their names; files and classes are called as they are named."""
    files: list[str] = []
    made: list[Made] = []
    names: list[str] = []
    for bot in bots:
        if isinstance(bot, str | PathLike):
            text = fspath(bot)
            is_file = isinstance(bot, PathLike) or text.endswith(".py")
            files += [text] if is_file else []
            names.append(Path(text).stem if is_file else text)
        elif callable(bot):
            made.append(Made(bot))
            names.append(made[-1].name)
        else:
            raise ArenaError(f"A bot is a name, a file, a class or a function, not {bot!r}.")
    return Entrants.of(files, made=made), names


def _plan(game: str | Game, names: list[str], games: int, seed: int, entrants: Entrants) -> Plan:
    played = registry.game(game) if isinstance(game, str) else game
    if len(set(names)) < 2:
        raise ArenaError("An arena needs two different bots or more.")
    if type(games) is not int or games < 1:
        raise ArenaError(f"The number of games is a whole number from 1 on, not {games!r}.")
    for name in dict.fromkeys(names):
        entrants.check(name, played)
    return round_robin(played, names, games, seed, entrants.digests(names))


def _played(
    plan: Plan,
    entrants: Entrants,
    count: int | None,
    folder: str | PathLike[str] | None,
    on_results: Callable[[list[Result]], None] | None,
    trial: Trial | None,
) -> list[Result]:
    if count is not None and (type(count) is not int or count < 1):
        raise ArenaError(f"The number of cores is a whole number from 1 on, not {count!r}.")
    workers: Workers = Here(entrants) if count == 1 else Cores(_sendable(entrants), count or cores())
    with ExitStack() as stack:
        log = stack.enter_context(Log(Path(folder), plan)) if folder is not None else Unkept()
        results = list(log.results)
        for batch in stack.enter_context(closing(play(plan, log, workers, trial))):
            results += batch
            if on_results:
                on_results(batch)
    return sorted(results, key=lambda result: result.key)


def _sendable(entrants: Entrants) -> Entrants:
    """The same entrants; ArenaError if another process could not import one of them."""
    for name, entrant in entrants.own.items():
        if isinstance(entrant, Made) and not _is_importable(entrant.maker):
            raise ArenaError(
                f"Other processes cannot import {name}: put it into a module or a bot file, or play with cores=1."
            )
    return entrants


def _is_importable(maker: Callable[..., Any]) -> bool:
    module = sys.modules.get(getattr(maker, "__module__", None) or "")
    at_top = getattr(module, getattr(maker, "__qualname__", ""), None) is maker
    return at_top and hasattr(module, "__file__")  # a notebook's __main__ has no file
