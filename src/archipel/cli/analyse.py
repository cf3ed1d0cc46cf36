"""`archipel analyse RECORD|POSITION|GAME`: analyse every action of a game, or one position, with a bot."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from . import arguments, screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.analysis import Analysis, Judged
    from archipel.core.state import State

ABOUT = "analyse a recorded game or a position with a bot"

DEFAULT_BOT, SIMULATIONS = "expert", 1000
SHOWN = 5


def add(parser: argparse.ArgumentParser) -> None:
    subject = (
        "a file with a record, or with a position (a snapshot or a view as JSON); "
        "or a game's name: then the position after the moves that follow"
    )
    parser.add_argument("subject", metavar="RECORD|POSITION|GAME", help=subject)
    parser.add_argument("moves", metavar="MOVE", nargs="*", help="moves from the start, chance included, as in 6@K 5@D")
    option = "an option of the game, as in edition=tilsit; `archipel games` lists them"
    parser.add_argument("--option", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=option)
    parser.add_argument("--bot", default=DEFAULT_BOT, metavar="WHO", help=f"a bot or a level (default: {DEFAULT_BOT})")
    simulations = f"how long it thinks about each action (default: {SIMULATIONS} simulations)"
    parser.add_argument("--simulations", type=arguments.whole, default=SIMULATIONS, metavar="N", help=simulations)
    parser.add_argument("--seed", type=arguments.whole, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument(
        "--worlds", type=arguments.whole, default=0, metavar="N", help="number of sampled worlds for beliefs"
    )
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from archipel import analysis
    from archipel.bots.budget import Budget
    from archipel.core.record import Record

    with complaining():
        budget = Budget(simulations=args.simulations)
        is_file = Path(args.subject).is_file()
        if is_file and (args.moves or args.option):
            raise BadInput("A file has its own moves and options: none can follow it.")
        position = _stored_position(args.subject) if is_file else _position(args)
        if position is None:
            judged = list(analysis.judge(Record.load(args.subject), args.bot, budget, args.seed, args.worlds))
            _print_game(judged, args.json)
            return 0
        how = {"simulations": args.simulations, "seed": args.seed, "worlds": args.worlds}
        found = analysis.analyse(position, args.bot, **how)
        assert isinstance(found, analysis.Analysis)
        if args.json:
            arguments.print_json(found.json())
        else:
            _print_position(found)
    return 0


def _stored_position(path: str) -> "State | dict[str, Any] | None":
    """The snapshot or view in a file; None if the file holds something else, such as a record."""
    from archipel.core import registry

    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "archipel" in data or not {"game", "mover"} <= data.keys():
        return None
    if "seat" in data:
        return data
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise BadInput("The position's 'options' must be an object.")
    return registry.game(data["game"], **options).restore(data)


def _position(args: argparse.Namespace) -> "State":
    state = arguments.game(arguments.name(args.subject), args.option).new()
    for move in args.moves:
        state = state.after(state.parse(move))
    return state


def _print_position(found: "Analysis") -> None:
    from archipel.analysis import percent

    table = Table.grid(padding=(0, 3, 0, 0))
    for each in found.ranking[:SHOWN]:
        table.add_row(Text(each.notation, "action"), Text(percent(each.value)), Text(f"{each.visits}", "soft"))
    screen.out().print(table)
    screen.out().print(Text(" · ".join(found.line) + (" (proved)" if found.exact else "")), style="soft")


def _print_game(judged: list["Judged"], as_json: bool) -> None:
    if as_json:
        arguments.print_json([each.json() for each in judged])
        return
    from archipel.analysis import percent

    table = Table.grid(padding=(0, 3, 0, 0))
    for each in judged:
        best = each.analysis.best.notation if each.cost else ""
        cost = f"-{50 * each.cost:.0f}%" if each.cost else ""
        cells = (
            f"{each.number}",
            f"seat {each.seat}",
            each.notation,
            percent(each.analysis.best.value),
            cost,
            best,
        )
        table.add_row(*(Text(cell) for cell in cells))
    screen.out().print(table)
