"""The commands around the tables: serve, verify, backup, records."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from archipel.core.record import Record
from archipel.table import protocol
from archipel.table.log.fairness import verify
from archipel.table.log.records import record
from archipel.table.storage import Store
from tests.table.room import Room, a_few_throws

from .conftest import Terminal

IN_THE_CLEAR = "The players’ texts were sent in the clear: the person who ran the server could have tried several."


def kept_game(folder: Path) -> tuple[Path, Room]:
    """A finished game in a database."""
    room = Room("stonehenge").sit_all().play_out()
    database = folder / "tables.sqlite3"

    async def keep() -> None:
        store = Store(str(database))
        store.prepare()
        store.start()
        row: dict[str, Any] = {"status": "over", "updated": 1, "due": None}
        await store.create(room.table.setup, room.table.log, row, ["Ada"])
        await store.close()

    asyncio.run(keep())
    return database, room


def test_verify(terminal: Terminal, folder: Path) -> None:
    kept = record(Room("kahuna").sit_all().play_out().table)
    kept.save(folder / "fair.json")
    said = terminal("verify", "fair.json")
    assert (said.code, said.out) == (
        0,
        f"fair.json: fair, every draw is what the promised seed gives. {IN_THE_CLEAR}\n",
    )
    kept.fair["seed"] = "00" * 32
    kept.save(folder / "foul.json")
    said = terminal("verify", "foul.json")
    assert (said.code, said.err) == (2, "The seed is not the one that was promised before the game.\n")


def test_verify_throws_dice_again(terminal: Terminal, folder: Path) -> None:
    room = a_few_throws(1)
    room.say("Ada", protocol.Resign, seat=0)
    kept = record(room.table)
    kept.save(folder / "fair.json")
    said = terminal("verify", "fair.json")
    assert (said.code, said.out) == (
        0,
        f"fair.json: fair, every draw is what the promised seed gives. {IN_THE_CLEAR}\n",
    )
    throws: list[dict[str, Any]] = kept.fair["dice"]["throws"]
    throws[-1]["aim"]["direction"] += 1
    kept.save(folder / "foul.json")
    said = terminal("verify", "foul.json")
    assert said.code == 2
    assert "the promised seed and this aim" in said.err
    for throw in throws:
        throw["engine"] = "mujoco-core 3.2.1"
    kept.save(folder / "old.json")
    said = terminal("verify", "old.json")
    assert said.code == 1
    assert f"{len(throws)} not made again" in said.out
    assert (
        f"{len(throws)} throws were not made again: mujoco-core 3.2.1 moved the dice, and here is mujoco-core"
        in said.out
    )


def test_a_game_from_the_terminal_has_nothing_to_verify(terminal: Terminal) -> None:
    terminal("play", "stonehenge", "--seat", "random", "random", "--record", "game.json")
    assert terminal("verify", "game.json").err.startswith("The record does not tell what its draws came from")


def test_backup_can_be_served_from(terminal: Terminal, folder: Path) -> None:
    database, room = kept_game(folder)
    said = terminal("backup", "copy.sqlite3", "--database", str(database))
    assert (said.code, said.out) == (0, f"copy.sqlite3: {room.table.version} log entries are copied.\n")
    assert terminal("backup", "copy.sqlite3", "--database", str(database)).code == 2
    assert terminal("backup", "other.sqlite3", "--database", "nowhere.sqlite3").code == 2
    assert not (folder / "nowhere.sqlite3").exists()
    assert terminal("records", "--export", "games", "--database", "copy.sqlite3").code == 0
    assert len(list((folder / "games").iterdir())) == 1


def test_records_are_taken_out_and_brought_in(terminal: Terminal, folder: Path) -> None:
    database, _ = kept_game(folder)
    assert terminal("records", "--export", "out", "--database", str(database)).out == "out: 1 games are written.\n"
    (path,) = (folder / "out").iterdir()
    assert verify(Record.load(path)).fair
    said = terminal("records", "--import", str(path), "--database", "new.sqlite3")
    assert said.code == 0
    assert terminal("records", "--export", "again", "--database", "new.sqlite3").code == 0
    (again,) = (folder / "again").iterdir()
    assert json.loads(again.read_text("utf-8")) == json.loads(path.read_text("utf-8"))


def test_serve_starts_answers_and_ends(folder: Path) -> None:
    command = [sys.executable, "-m", "archipel", "serve", "--port", "0", "--database", str(folder / "t.sqlite3")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        assert server.stdout
        line = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line
        with urllib.request.urlopen(f"{found[0]}healthz", timeout=20) as answer:
            assert json.load(answer) == {"status": "ok"}
        server.send_signal(signal.SIGINT)
        operator, goodbye = server.stdout.read().splitlines()
        assert operator.startswith(f"Operator’s page: {found[0]}operator#")
        assert goodbye == "All tables are saved. Bye!"
        assert server.wait(20) == 0


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--port", "99999"), "ARCHIPEL_PORT is a number from 0 to 65535, not 99999."),
        (("--workers", "2"), "Several workers need PostgreSQL and Redis"),
        (("--public-url", "ftp://x"), "The public URL must begin with http:// or https://."),
    ],
)
def test_settings_that_cannot_be(terminal: Terminal, argv: tuple[str, ...], said: str) -> None:
    answer = terminal("serve", *argv)
    assert answer.code == 2
    assert said in answer.err
