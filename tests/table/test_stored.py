"""Tables of version 0.1.0 as its database holds them: read, shown and verified as they were then.

`stored/krakatoa.sql` is a dump of such a database and `stored/krakatoa.json` what was told of its tables: one where
dice were thrown, one with dice in the air, one with dice at home, one by odds, one from before there was a choice, and
one of Kahuna.
"""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel import Record
from archipel.table.log import events
from archipel.table.log.fairness import verify
from archipel.table.log.records import imported, record
from archipel.table.log.table import Table
from archipel.table.log.views import Views, about
from archipel.table.storage import Store

Json = dict[str, Any]
STORED = Path(__file__).parent / "stored"
TOLD: Json = json.loads((STORED / "krakatoa.json").read_text("utf-8"))
TOLD_OF_AN_ENTRY = ("kind", "v", "action", "notation", "draw", "aim", "fall")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The old database, brought to this version."""
    path = tmp_path_factory.mktemp("stored") / "tables.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.executescript((STORED / "krakatoa.sql").read_text("utf-8"))
    connection.close()
    store = Store(str(path))
    store.prepare()
    yield store
    asyncio.run(store.close())


def kept(store: Store, name: str) -> Table:
    found = asyncio.run(store.load(name))
    assert found
    return Table(found.setup, found.entries)


def whole(table: Table, eye: int | None) -> Json:
    told: Json = json.loads(Views(table).whole(eye))
    return told


@pytest.mark.parametrize("name", TOLD)
def test_an_old_table_is_told_as_it_was(store: Store, name: str) -> None:
    table, then = kept(store, name), TOLD[name]
    assert json.loads(msgspec.json.encode(about(table)))["dice"] == then["about"]
    seen = {str(eye): whole(table, eye)["position"].get("dice") for eye in (None, 0, 1)}
    assert seen == then["dice"]
    entries = [entry for entry in whole(table, 0)["entries"] if "action" in entry]
    assert [{key: e[key] for key in TOLD_OF_AN_ENTRY if key in e} for e in entries] == then["entries"]


@pytest.mark.parametrize("name", TOLD)
def test_an_old_log_is_written_as_it_was(store: Store, name: str) -> None:
    def bodies(connection: Any) -> list[str]:
        rows = connection.exec_driver_sql("select body from entries where table_id = ? order by version", (name,))
        return [row[0] for row in rows]

    found = asyncio.run(store.read(bodies))
    assert found
    assert [events.encode(events.decode(body)).decode() for body in found] == found


@pytest.mark.parametrize("name", [name for name, then in TOLD.items() if then["fair"]])
def test_the_record_of_an_old_game_is_as_it_was(store: Store, name: str) -> None:
    made = record(kept(store, name))
    assert made.fair == TOLD[name]["fair"]
    verify(made)
    setup, entries = imported(Record.read(made.json()), 0)
    assert record(Table(setup, entries)).actions == made.actions


def test_the_recordings_of_old_throws_are_found(store: Store) -> None:
    """By the version of their entry, and each is the one that its entry tells of."""
    table = kept(store, "stored-thrown")
    ways = asyncio.run(store.recordings("stored-thrown", 0))
    details = {
        v: json.loads(events.encode(e))["fall"] for v, e in enumerate(table.log, 1) if b'"fall"' in events.encode(e)
    }
    assert {version: hashlib.sha256(way).hexdigest() for version, way in ways.items()} == {
        version: detail["sha256"] for version, detail in details.items()
    }
    assert len(ways) > 4
