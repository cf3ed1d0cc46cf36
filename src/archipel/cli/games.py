"""`archipel games`: list the games with their numbers of players, options and levels."""

import argparse
import inspect
import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import archipel

from . import arguments, screen

if TYPE_CHECKING:
    from archipel.bots.levels import Level
    from archipel.core.game import Game
    from archipel.core.options import Option

ABOUT = "list the games, their numbers of players, options and levels"

MOST_SEATS = 8


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from archipel.core import registry

    kinds = [registry.kind(name) for name in archipel.GAMES]
    if args.json:
        arguments.print_json([_described(kind) for kind in kinds])
        return 0
    width = max(len(written(option)) for kind in kinds for option in kind.OPTIONS)
    for kind in kinds:
        _show(kind, width)
    screen.out().print()
    for complaint in registry.plug_ins().broken.values():
        screen.err().print(complaint, soft_wrap=True, highlight=False)
    return 0


def _described(kind: type["Game"]) -> dict[str, Any]:
    from archipel.bots.levels import NAMES

    return {
        "name": kind.name,
        "title": kind.title,
        "about": _about(kind),
        "seats": seat_counts(kind),
        "actions": kind.action_count,
        "options": [
            {"name": option.name, "default": option.default, "about": option.about, "values": option.wanted}
            for option in kind.OPTIONS
        ],
        "levels": list(NAMES),
    }


def _show(kind: type["Game"], width: int) -> None:
    screen.heading(f"{kind.title} · {_seats(kind)}")
    screen.out().print(Text(_about(kind)))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=width, no_wrap=True)
    table.add_column()
    for option in kind.OPTIONS:
        table.add_row(Text(written(option), "command"), Text.assemble(option.about, (f" ({option.wanted})", "soft")))
    screen.out().print(Padding(table, (1, 0, 0, 2)))
    screen.out().print(Padding(_levels(kind, width), (1, 0, 0, 2)))


def _levels(kind: type["Game"], width: int) -> Table:
    """The levels from weakest to strongest: the bot behind each, and its handicap."""
    from archipel.bots.levels import NAMES, level, title

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=width, no_wrap=True)
    table.add_column()
    for name in NAMES:
        found = level(name, kind.name)
        description = Text.assemble(f"{found.bot}{_lacks(found)}", (f" ({title(name, 'fr')})", "soft"))
        table.add_row(Text(name, "command"), description)
    return table


def _lacks(level: "Level") -> str:
    """What makes a level weaker than its bot."""
    slips = f"; {100 * level.slip:.0f}% random moves" if level.slip else ""
    blunders = f"; {100 * level.blunder:.0f}% of the worst moves" if level.blunder else ""
    aims = "" if level.ambition is None else f"; aims for {100 * level.ambition:.0f}% of the best score"
    habits = "".join(f"; {name} {value}" for name, value in (level.habits or {}).items())
    return slips + blunders + aims + habits


def _about(kind: type["Game"]) -> str:
    """The game's author and description, from its package's docstring."""
    from archipel.core import registry

    text = f"{inspect.getdoc(import_module(registry.manifest(kind.name).package))}".removeprefix(f"{kind.title}, ")
    return text[:1].upper() + text[1:]


def written(option: "Option") -> str:
    """An option with its default, as `--option` takes it."""
    default = option.default if isinstance(option.default, str) else json.dumps(option.default)
    return f"{option.name}={default}"


def _seats(kind: type["Game"]) -> str:
    counts = seat_counts(kind)
    return f"{counts[0]} seats" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} seats"


def seat_counts(kind: type["Game"]) -> list[int]:
    """The possible numbers of players: the values of the option `players`, if the game has one."""
    if all(option.name != "players" for option in kind.OPTIONS):
        return [kind().seats]
    return [count for count in range(1, MOST_SEATS + 1) if _possible(kind, count)]


def _possible(kind: type["Game"], players: int) -> bool:
    try:
        kind(players=players)
    except ValueError:
        return False
    return True
