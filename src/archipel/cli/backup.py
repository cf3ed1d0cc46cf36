"""`archipel backup FILE`: copy all tables into a file, also while the server runs."""

import argparse
from pathlib import Path

from . import screen
from .errors import complaining

ABOUT = "copy all tables into one file (also while the server runs)"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the new file; `archipel serve --database FILE` serves from it")
    parser.add_argument("--database", metavar="URL", help="the database to copy (default: the server's default)")


def run(args: argparse.Namespace) -> int:
    from archipel.table.settings import settings
    from archipel.table.storage.backup import backup

    with complaining():
        chosen = settings({"database": args.database})
        entries = backup(chosen.database, Path(args.file).expanduser())
    screen.out().print(f"{args.file}: {entries} log entries are copied.", soft_wrap=True)
    return 0
