"""`archipel db FILE`: add to and search a collection of games."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from . import arguments, screen
from .errors import BAD_INPUT, BadInput, complaining

if TYPE_CHECKING:
    from archipel.database import Database, Found

ABOUT = "keep games in a file and find them by game, player, opening and result"

LIMIT = 20


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the collection: an SQLite file, created if it does not exist")
    adding = "add the games of these files: records (JSON) or scoresheets (text, many in one file)"
    parser.add_argument("--add", nargs="+", default=[], metavar="RECORD", help=adding)
    parser.add_argument("--game", metavar="GAME", type=arguments.name, help="only this game")
    parser.add_argument("--player", metavar="NAME", help="only games of this player, or of a bot of this level")
    parser.add_argument("--winner", metavar="NAME", help="only games that this player won")
    parser.add_argument("--opening", metavar="MOVES", help="only games with this opening, as in '6@K; 5@D'")
    parser.add_argument("--result", metavar="SEAT", help="only games that this seat won; or shared, unfinished")
    parser.add_argument(
        "--limit", type=arguments.whole, metavar="N", help=f"maximum number of games (default: {LIMIT})"
    )
    parser.add_argument("--export", metavar="OUT", help="write the games found to this file as scoresheets")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from archipel.database import Database

    if not args.add and not Path(args.file).exists():
        raise BadInput(f"{args.file} does not exist: --add creates it.")
    with complaining(), Database(args.file) as games:
        if args.add:
            return _add(games, args.add)
        limit = args.limit if args.limit is not None or args.export else LIMIT
        asked = {key: getattr(args, key) for key in ("game", "player", "winner", "opening", "result")}
        found = list(games.find(**asked, limit=limit))
        if args.export:
            Path(args.export).write_text("\n".join(games.sheet(each.id).text() for each in found), "utf-8")
            screen.out().print(f"{len(found)} games written to {args.export}.", soft_wrap=True)
        elif args.json:
            arguments.print_json([each.json() for each in found])
        else:
            _show(found)
    return 0


def _add(games: "Database", paths: list[str]) -> int:
    """Add every game that can be read; report the others."""
    new = known = damaged = 0
    for path in paths:
        try:
            with complaining():
                for added in games.add_file(path):
                    if isinstance(added, str):
                        damaged += 1
                        print(added, file=sys.stderr)
                    elif added:
                        new += 1
                    else:
                        known += 1
        except BadInput as complaint:
            damaged += 1
            print(complaint, file=sys.stderr)
    screen.out().print(f"{new} games added, {known} there already, {damaged} damaged.", soft_wrap=True)
    return BAD_INPUT if damaged else 0


def _show(found: list["Found"]) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    for each in found:
        scores = ":".join(map(str, each.scores))
        players = " – ".join(each.players)
        opening = " ".join(each.opening.split(";")[:4])
        cells = (f"{each.id}", each.game, players, each.result, scores, each.date, opening)
        table.add_row(*(Text(cell) for cell in cells))
    screen.out().print(table)
