"""The standings of an arena in the terminal, live and final."""

import json
from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live as Screen
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from . import screen

if TYPE_CHECKING:
    from archipel.arena.balance import Finding
    from archipel.arena.intervals import Estimate
    from archipel.arena.match import Result
    from archipel.arena.plan import Plan
    from archipel.arena.sprt import Trial
    from archipel.arena.standings import Standing

PAUSE = 20
"""The pause between two updates, as a multiple of the time that an update takes."""


class Live:
    """A progress bar and the standings, updated on a screen that supports it; otherwise nothing."""

    def __init__(self, plan: "Plan", results: list["Result"], anchor: str | None, trial: "Trial | None" = None) -> None:
        self._plan, self._results, self._anchor, self._trial = plan, results, anchor, trial
        columns = BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn(), TextColumn("·")
        self._bar = Progress(*columns, TimeRemainingColumn(), TextColumn("left"), console=screen.err())
        self._task = self._bar.add_task("", total=plan.total, completed=len(results))
        self._screen = Screen(self._bar, console=screen.err(), transient=True)
        self._next = 0.0

    def __enter__(self) -> "Live":
        if screen.err().is_terminal:
            self._screen.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._screen.is_started:
            self._screen.stop()

    def show(self) -> None:
        """Add new results."""
        self._bar.update(self._task, completed=len(self._results))
        if self._screen.is_started and monotonic() > self._next:
            begun = monotonic()
            test = [Text(str(self._trial.finding()))] if self._trial else []
            self._screen.update(Group(table(self._plan, self._results, self._anchor), *test, self._bar))
            self._next = monotonic() + max(1.0, PAUSE * (monotonic() - begun))


def table(plan: "Plan", results: Sequence["Result"], anchor: str | None = None) -> Table:
    """The standings so far, or what the options change."""
    return _balance(plan, results) if plan.kind == "balance" else _standings(plan, results, anchor)


def tell_forfeits(plan: "Plan", results: Sequence["Result"]) -> None:
    """Print which bots forfeited moves, how often and why."""
    from archipel.arena.standings import standing

    for found in (standing(bot, results) for bot in plan.distinct):
        if found.forfeits:
            line = f"{found.bot} forfeited {found.forfeits} of its {found.decisions} moves; the first time: {found.why}"
            screen.out().print(line, style="wrong", markup=False, highlight=False, soft_wrap=True)
            if found.trace:
                screen.out().print(found.trace, style="soft", markup=False, highlight=False, soft_wrap=True)


def _standings(plan: "Plan", results: Sequence["Result"], anchor: str | None) -> Table:
    from archipel.arena.ratings import rate
    from archipel.arena.standings import standing

    shown = _grid("bot", "games", "score", "95 %", "Elo", "95 %", "decisions/s")
    for rating in rate(plan.distinct, results, anchor):
        found = standing(rating.bot, results)
        reach = f"{rating.low:.0f} to {rating.high:.0f}" if rating.low < rating.high else "anchor"
        shown.add_row(Text(rating.bot, "title"), *_score(found), f"{rating.elo:.0f}", reach, _pace(found))
    return shown


def _score(found: "Standing") -> tuple[str, str, str]:
    return str(found.score.count), f"{100 * found.score.value:.1f} %", _reach(found.score)


def _pace(found: "Standing") -> str:
    return f"{found.pace:,.0f}" if found.pace >= 10 else f"{found.pace:.2g}"


def _balance(plan: "Plan", results: Sequence["Result"]) -> Table:
    from archipel.arena.balance import findings
    from archipel.core import registry

    shown = _grid("game", "games", "first seat", "95 %", "decisions", "95 %", "drawn", "95 %")
    for finding in findings(registry.game(plan.game, **plan.options), results):
        first, length, drawn = finding.seats[0], finding.length, finding.drawn
        shown.add_row(
            Text(_condition(finding), "title"),
            str(finding.games),
            *(f"{100 * first.value:.1f} %", _reach(first)),
            *(f"{length.value:.1f}", f"±{length.high - length.value:.1f}"),
            *(f"{100 * drawn.value:.1f} %", _reach(drawn)),
        )
    return shown


def _condition(finding: "Finding") -> str:
    value: Any = finding.condition.value
    written = value if isinstance(value, str) else json.dumps(value)
    return "as it is" if finding.condition.option is None else f"{finding.condition.option}={written}"


def _reach(found: "Estimate") -> str:
    return f"{100 * found.low:.0f} to {100 * found.high:.0f}"


def _grid(first: str, *rest: str) -> Table:
    shown = Table(box=None, header_style="soft", padding=(0, 2, 0, 0))
    shown.add_column(first)
    for head in rest:
        shown.add_column(head, justify="right", style="soft" if head == "95 %" else "", no_wrap=True)
    return shown
