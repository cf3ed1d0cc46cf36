"""`archipel records`: export the games of all tables as records, or import records."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from . import screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.table.storage import Store

ABOUT = "export finished games as records, or import records"


def add(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--export", metavar="FOLDER", help="write a record of every finished game to this folder")
    what.add_argument("--import", nargs="+", metavar="RECORD", dest="bring", help="create a table from each record")
    parser.add_argument("--database", metavar="URL", help="the database (default: the server's default)")


def run(args: argparse.Namespace) -> int:
    from archipel.table.storage import StorageError

    try:
        with complaining():
            lines = asyncio.run(_run(args))
    except StorageError as error:
        raise BadInput(str(error)) from None
    for line in lines:
        screen.out().print(line, soft_wrap=True)
    return 0


async def _run(args: argparse.Namespace) -> list[str]:
    from archipel.table.settings import settings
    from archipel.table.storage import Store

    store = Store(settings({"database": args.database}).database)
    store.prepare()
    store.start()
    try:
        return await (_export(store, Path(args.export).expanduser()) if args.export else _import(store, args.bring))
    finally:
        await store.close()


async def _export(store: "Store", folder: Path) -> list[str]:
    from archipel.table.log.records import games
    from archipel.table.log.table import Table

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for table in await store.ids():
        kept = await store.load(table)
        for record in games(Table(kept.setup, kept.entries)) if kept else ():
            record.save(folder / f"{record.game}-{table}-{record.fair['game']}.json")
            count += 1
    return [f"{folder}: {count} games are written."]


async def _import(store: "Store", paths: list[str]) -> list[str]:
    from archipel.core.record import Record
    from archipel.table.log.records import imported
    from archipel.table.play.services import milliseconds

    lines = []
    for path in paths:
        now = milliseconds()
        setup, entries = imported(Record.load(path), now)
        await store.create(setup, entries, {"status": "over", "updated": now, "due": None}, ())
        lines.append(f"{path}: now table {setup.id}.")
    return lines
