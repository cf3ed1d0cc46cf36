"""`archipel bench`: measure speed and size, beside other libraries."""

import argparse
import json
import os
import platform
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import archipel

from . import arguments, screen
from .errors import INTERRUPTED, BadInput, complaining

ABOUT = "measure speed and size, beside other libraries"

ABOUT_NUMBERS = "Each number is the best of several runs on one core. Chance outcomes count as actions."

HEADING = [Text(word, "soft") for word in ("", "Archipel", "beside it", "", "ratio", "target", "")]
WIDTHS = (12, 10, 17, 10, 7, 9, 6)
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right", "left", "right", "right", "right", "left")

Row = Any


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="short measurements with rough numbers")
    some = "measure only these games"
    parser.add_argument(
        "--game", nargs="+", action="extend", default=[], metavar="GAME", type=arguments.name, help=some
    )
    parser.add_argument("--json", metavar="FILE", help="also write the numbers to this file")
    matches = "play our strongest bot against OpenSpiel's (takes hours); games are stored in this folder"
    parser.add_argument("--matches", metavar="FOLDER", help=matches)


def run(args: argparse.Namespace) -> int:
    names = list(dict.fromkeys(arguments.game(name).name for name in args.game))
    if args.matches:
        return _matches(args.matches, names)
    file = _target(args.json) if args.json else None
    from archipel.bench import measuring, plan

    planned = plan.plan(names, measuring.QUICK if args.quick else measuring.Effort())
    report = Report(planned.notes)
    try:
        for row in _measured(planned.steps, report):
            report.rows.append(row)
    except KeyboardInterrupt:
        report.notes.append("Stopped: what was not measured by then is missing.")
        report.show()
        return INTERRUPTED
    report.show()
    if file:
        report.write(file)
    return 0


def _matches(folder: str, names: list[str]) -> int:
    """Play the missing matches, and print one line per complete match."""
    if not find_spec("pyspiel"):
        raise BadInput("The matches need OpenSpiel: pip install 'archipel[openspiel]'.")
    from archipel.bench import matches

    with complaining():
        matches.show(folder=Path(folder).expanduser(), only=names or None)
    return 0


def _target(path: str) -> Path:
    with complaining():
        place = Path(path).expanduser()
        if place.is_dir() or not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
            raise BadInput(f"{path} cannot be written.")
        return place


def _measured(steps: list[Any], report: "Report") -> Iterator[Row]:
    """Run every step with a progress display; a step that fails loses only its own rows."""
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}")
    with Progress(*columns, TimeElapsedColumn(), console=screen.err(), transient=True) as bar:
        task = bar.add_task("", total=len(steps))
        for done, step in enumerate(steps):
            bar.update(task, description=step.title, completed=done)
            if not screen.err().is_terminal:
                screen.err().print(f"{done + 1} of {len(steps)}: {step.title}", highlight=False)
            try:
                yield from step.rows()
            except (OSError, subprocess.SubprocessError) as trouble:
                report.notes.append(f"This could not be measured: {step.title} ({trouble}).")


class Report:
    """The measurements, and sentences about those that were not possible."""

    def __init__(self, notes: list[str]) -> None:
        self.rows: list[Row] = []
        self.notes = [*notes]

    def show(self) -> None:
        out = screen.out()
        if self.rows:
            out.print(_table([HEADING]))
        for part in dict.fromkeys(row.part for row in self.rows):
            out.print()
            out.print(Text(part, "title"))
            out.print(_table([cells(row) for row in self.rows if row.part == part]))
        out.print()
        for note in (*self.notes, ABOUT_NUMBERS):
            out.print(note, style="soft", highlight=False)

    def write(self, file: Path) -> None:
        """Write the measurements as JSON."""
        rows = [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in self.rows]
        made = {"version": archipel.__version__, "python": platform.python_version(), "machine": platform.machine()}
        text = json.dumps(made | {"rows": rows, "notes": self.notes}, indent=2)
        with complaining():
            file.write_text(text + "\n", "utf-8")


def _table(rows: list[list[Text]]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    for width, side in zip(WIDTHS, SIDES, strict=True):
        table.add_column(width=width, justify=side, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def cells(row: Row) -> list[Text]:
    """A row of the table."""
    marks = {True: Text("met", "right"), False: Text("missed", "wrong"), None: Text()}
    return [
        Text(f"  {row.what}"),
        Text(number(row.ours), "action"),
        Text(row.beside, "soft"),
        Text("" if row.theirs is None else number(row.theirs)),
        Text("" if row.ratio is None else f"{number(row.ratio)} ×"),
        Text("" if row.target is None else wanted(row)),
        marks[row.met],
    ]


def number(value: float) -> str:
    """Format a number with at least three digits, unless it is whole."""
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f}"


def wanted(row: Row) -> str:
    """Format the target of a measurement."""
    return f"{'≤' if row.target.most else '≥'} {row.target.limit:,g}{' ×' if row.target.ratio else ''}"
