"""`archipel puzzles make|check|daily|show`: make puzzles, check them, and look at them."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from archipel.workers import WorkerLost, WorkerProcess, cores

from . import arguments, screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.core.puzzles import Puzzle

ABOUT = "make puzzles, check them, and show the puzzle of the day"
COUNT = 100
BATCH = 40
"""The number of games, or puzzles to check, that a worker process is given at once."""


def add(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", metavar="make|check|daily|show", required=True)
    make = commands.add_parser("make", help="make puzzles from games that bots play; the same command resumes")
    arguments.add_game(make)
    make.add_argument(
        "--count", type=arguments.whole, metavar="N", default=COUNT, help=f"number of puzzles (default: {COUNT})"
    )
    make.add_argument("--seed", type=arguments.whole, metavar="N", default=1, help="random seed (default: 1)")
    make.add_argument("--file", metavar="FILE", help="write the puzzles to this file (default: the package's own)")
    _add_cores(make)
    check = commands.add_parser("check", help="check every puzzle with a program that did not find it")
    check.add_argument("game", metavar="GAME", nargs="?", type=arguments.name, help="a game (default: all)")
    check.add_argument("--count", type=arguments.whole, metavar="N", help="check this many only, evenly spread")
    check.add_argument("--file", metavar="FILE", help="check this file (default: the package's own)")
    _add_cores(check)
    daily = commands.add_parser("daily", help="show the puzzle of the day")
    daily.add_argument("game", metavar="GAME", nargs="?", type=arguments.name, help="a game (default: all)")
    daily.add_argument("--date", type=_day, metavar="YYYY-MM-DD", help="the day (default: today, UTC)")
    daily.add_argument("--solution", action="store_true", help="show the solution too")
    show = commands.add_parser("show", help="show one puzzle")
    arguments.add_game(show)
    show.add_argument("number", type=arguments.whole, metavar="NUMBER", help="the puzzle's number, from 1")
    show.add_argument("--solution", action="store_true", help="show the solution too")


def _add_cores(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=arguments.whole, metavar="N", help="number of cores (default: all)")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a day is written YYYY-MM-DD, not {text!r}") from None


def run(args: argparse.Namespace) -> int:
    if getattr(args, "cores", None) == 0:
        raise BadInput("At least one core is needed.")
    with complaining():
        return {"make": _make, "check": _check, "daily": _daily, "show": _show}[args.what](args)


# Looking at puzzles


def _daily(args: argparse.Namespace) -> int:
    from archipel.core import puzzles

    day = args.date or datetime.now(UTC).date()
    for game in [args.game] if args.game else puzzles.games():
        _print(game, puzzles.daily(game, day), args.solution)
    return 0


def _show(args: argparse.Namespace) -> int:
    _print(args.game, args.number, args.solution)
    return 0


def _print(name: str, number: int, solution: bool) -> None:
    from archipel.core import puzzles

    puzzle = puzzles.puzzle(name, number)
    state = puzzle.state(name)
    print(f"{state.game.title}, puzzle {number}: grade {puzzle.grade} of 5, rating {puzzle.rating}")
    print(state.game.text(state.view(state.mover)))
    print(f"Player {state.mover + 1} to move. {puzzles.maker(name).question}")
    if solution:
        print("Solution: " + " ".join(_written(state, puzzle)))
    print()


def _written(state: Any, puzzle: "Puzzle") -> Iterator[str]:
    for action in (*puzzle.answers[0], *puzzle.line):
        yield state.notation(action) + ","
        state = state.after(action)


# Making


def _make(args: argparse.Namespace) -> int:
    from archipel.core import puzzles

    if not args.count:
        raise BadInput("At least one puzzle is needed.")
    maker, place = puzzles.maker(args.game), _place(args)
    work = _log(args, place)
    done = _resumed(work)
    seen: dict[Any, Puzzle] = {}
    for batch in done:
        for data in batch["puzzles"]:
            puzzle = puzzles.Puzzle.from_json(data)
            seen.setdefault(maker.key(puzzle), puzzle)
    spent = sum(batch["seconds"] for batch in done)
    with _bar("puzzles", args.count) as advance, work.open("a", encoding="utf-8") as log:
        advance(min(len(seen), args.count))
        tasks = ((args.game, args.seed, first) for first in _from(len(done) * BATCH))
        for batch in _in_order(_attempts, tasks, args.cores or cores()) if len(seen) < args.count else ():
            log.write(json.dumps(batch, separators=(",", ":")) + "\n")
            log.flush()
            spent += batch["seconds"]
            for data in batch["puzzles"]:
                puzzle = puzzles.Puzzle.from_json(data)
                seen.setdefault(maker.key(puzzle), puzzle)
            advance(min(len(seen), args.count))
            if len(seen) >= args.count:
                break
    puzzles.write(place, list(seen.values())[: args.count])
    print(f"{args.count:,} puzzles in {place.name}, {place.stat().st_size:,} bytes; {spent:,.0f} s of CPU time.")
    return 0


def _place(args: argparse.Namespace) -> Path:
    from archipel.core import puzzles

    place = Path(args.file).expanduser() if args.file else Path(str(puzzles.shipped(args.game)))
    if not place.parent.is_dir() or place.is_dir():
        raise BadInput(f"{args.file} cannot be written: it needs a folder to be in, and must not be one.")
    return place


def _log(args: argparse.Namespace, place: Path) -> Path:
    """The log that the same command resumes from: beside a file of one's own, never in the package."""
    folder = place.parent if args.file else platformdirs.user_data_path("archipel", ensure_exists=True)
    return folder / f"{args.game}-{place.name}.seed-{args.seed}.making"


def _from(first: int) -> Iterator[int]:
    while True:
        yield first
        first += BATCH


def _resumed(work: Path) -> list[dict[str, Any]]:
    """The batches that are done; a last line that was cut off is removed."""
    if not work.exists():
        return []
    lines = work.read_text("utf-8").split("\n")
    work.write_text("".join(line + "\n" for line in lines[:-1]), "utf-8")
    return [json.loads(line) for line in lines[:-1]]


def _attempts(task: tuple[str, int, int]) -> dict[str, Any]:
    """Work of a process: the puzzles of one batch of games, and the CPU time."""
    from archipel.core import puzzles

    game, seed, first = task
    began = time.process_time()
    made = [puzzles.maker(game).make(seed, number) for number in range(first, first + BATCH)]
    found = [puzzle.to_json() for puzzle in made if puzzle]
    return {"puzzles": found, "seconds": round(time.process_time() - began, 3)}


# Checking


def _check(args: argparse.Namespace) -> int:
    from archipel.core import puzzles

    if args.file and not args.game:
        raise BadInput("Name the game whose puzzles are in the file.")
    wrong = 0
    for game in [args.game] if args.game else puzzles.games():
        found = _loaded(game, args.file)
        step = max(1, len(found) // args.count) if args.count else 1
        chosen = list(enumerate(found, 1))[::step][: args.count or len(found)]
        wrong += _check_all(game, chosen, args.cores or cores())
    return 1 if wrong else 0


def _loaded(game: str, file: str | None) -> "tuple[Puzzle, ...]":
    from archipel.core import puzzles

    if file is None:
        return puzzles.load(game)
    puzzles.maker(game)
    packed = Path(file).expanduser().read_bytes()
    try:
        return puzzles.read(packed)
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        raise BadInput(f"{file} is no file of puzzles.") from None


def _check_all(game: str, chosen: "list[tuple[int, Puzzle]]", count: int) -> int:
    spent, wrong, keys = 0.0, 0, Counter[Any]()
    tasks = ((game, chosen[i : i + BATCH]) for i in range(0, len(chosen), BATCH))
    with _bar(game, len(chosen)) as advance:
        checked = 0
        for faults, found, seconds in _in_order(_checked, tasks, count):
            for number, fault in faults:
                print(f"Puzzle {number} of {game}: {fault}")
            wrong += len(faults)
            spent += seconds
            checked += len(found)
            keys.update(found)
            advance(checked)
    twice = len(chosen) - len(keys)
    if twice:
        print(f"{twice:,} puzzles of {game} are there more than once.")
    grades = Counter(puzzle.grade for _, puzzle in chosen)
    spread = ", ".join(f"grade {grade}: {grades[grade]:,}" for grade in range(1, 6))
    print(f"{game}: {len(chosen):,} puzzles checked, {wrong:,} wrong; {spread}; {spent:,.0f} s of CPU time.")
    return wrong + twice


def _checked(task: "tuple[str, list[tuple[int, Puzzle]]]") -> tuple[list[tuple[int, str]], list[Any], float]:
    """Work of a process: what is wrong with some puzzles, their keys, and the CPU time."""
    from archipel.core import puzzles

    game, chosen = task
    began, faults = time.process_time(), []
    maker = puzzles.maker(game)
    for number, puzzle in chosen:
        try:
            maker.check(puzzle)
        except ValueError as fault:
            faults.append((number, str(fault)))
    return faults, [maker.key(puzzle) for _, puzzle in chosen], time.process_time() - began


# Worker processes


def _in_order(work: Any, tasks: Iterator[Any], count: int) -> Iterator[Any]:
    """Apply `work` to every task in `count` processes; the results come in the order of the tasks."""
    workers = [WorkerProcess(work) for _ in range(count)]
    waiting: dict[Any, tuple[int, WorkerProcess]] = {}
    ready: dict[int, Any] = {}
    numbered, following = enumerate(tasks), 0

    def give(worker: WorkerProcess) -> None:
        for number, task in numbered:
            worker.send(task)
            waiting[worker.pipe] = number, worker
            return

    try:
        for worker in workers:
            give(worker)
        while waiting:
            for pipe in wait(list(waiting)):
                number, worker = waiting.pop(pipe)
                ready[number] = worker.receive()
                give(worker)
            while following in ready:
                yield ready.pop(following)
                following += 1
    except WorkerLost:
        raise BadInput("A worker process has died; the same command resumes.") from None
    finally:
        for worker in workers:
            worker.stop()


@contextmanager
def _bar(what: str, total: int) -> Iterator[Any]:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=screen.err(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda completed: bar.update(task, completed=completed)
