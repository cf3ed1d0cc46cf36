"""Check a certificate of `archipel solve` on several cores; can be interrupted and continued."""

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from . import screen
from .errors import BadInput

if TYPE_CHECKING:
    from archipel.core.state import State
    from archipel.games.stonehenge.bot.solver.certificate import Checker, Wins
    from archipel.games.stonehenge.bot.solver.ledger import Ledger
    from archipel.games.stonehenge.bot.solver.solve import Solver


@contextmanager
def _doubting(path: str) -> Iterator[None]:
    """Name the certificate's file in every error about it."""
    try:
        yield
    except OSError as refusal:
        raise BadInput(f"{path} cannot be read: {refusal.strerror}.") from None
    except (ValueError, RecursionError) as refusal:
        raise BadInput(f"{path} does not hold: {str(refusal).rstrip('.')}.") from None


def read(path: str) -> "Checker":
    """Read a certificate from a file."""
    from archipel.games.stonehenge.bot.solver.certificate import Checker

    with _doubting(path):
        return Checker(json.loads(Path(path).read_text("utf-8")))


def check(path: str, checker: "Checker", tried: "Ledger", tellers: "list[Wins]", until: float | None) -> None:
    """Follow the moves and try everything that they leave open, in random order, so that a part of it is a fair
    sample."""
    with _doubting(path):
        ends = checker.ends()
        todo = [state for state in ends if tried.winner(checker.mark(state)) is None]
        random.Random(1).shuffle(todo)
        left = len(todo) - _try_out(checker, todo, tried, tellers, until)
    counted = f"{checker.followed:,} positions were followed, and all was tried from {len(ends) - left:,} on"
    if left:
        screen.out().print(f"So far it holds: {counted}, {left:,} are left; the same command goes on from there.")
    else:
        screen.out().print(f"The certificate holds: seat {checker.winner} wins; {counted}.")


def tellers(cores: int, megabytes: int, quick: bool) -> "list[Wins]":
    """For each core, a function that says whether a mover wins: exhaustive search, or the solver's alpha-beta."""
    from archipel.games.stonehenge.bot.solver import table
    from archipel.games.stonehenge.bot.solver.solve import Solver
    from archipel.games.stonehenge.bot.solver.trial import Trial

    if not quick:
        return [Trial(max(1, megabytes // cores)).wins for _ in range(cores)]
    shared = table.new(megabytes)
    solvers = [Solver(shared) for _ in range(cores)]
    for solver in solvers:
        solver.begin()
    return [partial(_solved, solver) for solver in solvers]


def _solved(solver: "Solver", state: "State") -> bool:
    return bool(solver.wins(state))


def _try_out(
    checker: "Checker", todo: "list[State]", tried: "Ledger", tellers: "list[Wins]", until: float | None
) -> int:
    """Check these positions; return how many were finished before the time was up."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console, quiet = screen.err(), not screen.err().is_terminal
    waiting, stopped, done = iter(todo), Event(), 0

    def work(wins: "Wins") -> int:
        count = 0
        for state in waiting:
            if stopped.is_set() or (until is not None and time.monotonic() > until):
                break
            checker.try_out(state, wins)
            tried.add(checker.mark(state), checker.winner)
            bar.advance(task)
            count += 1
        return count

    with (
        Progress(*columns, TimeRemainingColumn(), console=console, transient=True, disable=quiet) as bar,
        ThreadPoolExecutor(len(tellers)) as pool,
    ):
        task = bar.add_task("positions tried", total=len(todo))
        try:
            for working in [pool.submit(work, wins) for wins in tellers]:
                done += working.result()
        finally:
            stopped.set()
    return done
