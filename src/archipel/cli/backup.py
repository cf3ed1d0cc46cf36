"""`archipel backup FILE`: a copy of all tables, also while the server runs."""

import argparse
from pathlib import Path

from . import screen
from .errors import BadInput, complaining

ABOUT = "copy all tables into one file, also while the server runs"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="where to; `archipel serve --database FILE` serves from it")
    parser.add_argument("--database", metavar="URL", help="what to copy; the usual place if not said")


def run(args: argparse.Namespace) -> int:
    from sqlalchemy.exc import SQLAlchemyError

    from archipel.table.settings import settings
    from archipel.table.storage.backup import backup

    try:
        with complaining():
            chosen = settings({"database": args.database})
            entries = backup(chosen.database, Path(args.file).expanduser())
    except SQLAlchemyError:
        raise BadInput("There are no tables at that place, or the database does not answer.") from None
    screen.out().print(f"{args.file}: {entries} log entries are copied.", soft_wrap=True)
    return 0
