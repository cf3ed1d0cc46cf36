"""While the kernels are being built, people play, the lobby says how far each game is, and its bots wait."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from archipel.core import compiled, native, registry, sources
from archipel.kernels import progress
from tests.patience import PATIENCE

from .house import Guest, Player

BUILD = """
import pathlib, shutil, sys, time
from archipel.core import native, registry
from archipel.kernels import progress

def main(arguments):
    room, made = pathlib.Path({room!r}), pathlib.Path({made!r})
    into = progress.compiled.built() / native.here()
    progress.begin(registry.own())
    for game in ("stonehenge", "kahuna", "krakatoa", "kula_kula"):
        progress.note(game, 3, 12)
        while not (room / game).exists():
            time.sleep(0.01)
        into.mkdir(parents=True, exist_ok=True)
        for name in (native.module_name(game) + ".abi3.so", native.manifest_name(game)):
            shutil.copy(made / name, into)
        progress.note(game, 12, 12)
"""
"""Stands in for the build: libraries that were built before arrive one at a time, each when a file says so."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the package that has no libraries, and whose build waits for files in this folder."""
    copy = tmp_path / "archipel"
    shutil.copytree(sources.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "client", "bench"))
    made = str(compiled.built() / native.here())
    (copy / "kernels" / "__main__.py").write_text(BUILD.format(room=str(tmp_path), made=made))
    return tmp_path


@contextmanager
def serving(place: Path) -> Iterator[int]:
    """A server of that copy, as somebody starts it who has just cloned it: its port."""
    command = [sys.executable, "-m", "archipel", "serve", "--no-browser", "--port", "0"]
    caches = {"XDG_CACHE_HOME": str(place / "cache"), "ARCHIPEL_DATABASE": str(place / "tables.sqlite3")}
    given = caches | {"PYTHONPATH": str(place), "ARCHIPEL_KERNELS": "soon", "ARCHIPEL_PACE": "0", "ARCHIPEL_BOTS": "1"}
    with (place / "said").open("w") as said:
        server = subprocess.Popen(command, env=os.environ | given, cwd=place, stdout=said, stderr=said)
    try:
        while not (found := re.search(r"http://127.0.0.1:(\d+)/", (place / "said").read_text())):
            assert server.poll() is None, (place / "said").read_text()
            time.sleep(0.02)
        yield int(found[1])
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.mark.needs(len(compiled.LIBRARIES) == len(registry.own()), "libraries of these sources: make kernels")
@pytest.mark.skipif(sys.platform == "win32", reason="libraries have another name there")
def test_the_bots_of_a_game_play_as_soon_as_that_game_is_built(place: Path) -> None:
    async def evening(port: int) -> None:
        ann = Guest(port)
        assert (await ann.post("/api/session", {"name": "Ann"}))[0] == 201

        async def preparing() -> dict[str, tuple[int, int]]:
            _, games = await ann.get("/api/games")
            return {each["game"]: (each["done"], each["total"]) for each in games.get("preparing", [])}

        async def moved(player: Player) -> None:
            while player.position["view"]["mover"] != 1:
                await player.next()

        while (await preparing()).get("stonehenge") != (3, 12):
            await asyncio.sleep(0.02)
        assert await preparing() == {"kahuna": (0, 0), "krakatoa": (0, 0), "kula_kula": (0, 0), "stonehenge": (3, 12)}
        chairs = [{"kind": "bot", "level": "chief"}, {"kind": "me"}]
        tables = {game: await ann.table(game, chairs) for game in ("kahuna", "stonehenge")}
        async with ann.at(tables["stonehenge"]) as a, ann.at(tables["kahuna"]) as b:
            (place / "stonehenge").touch()
            await moved(a)
            assert (await a.act(a.position["legal"][0]["action"]))["type"] == "ack"
            now = await preparing()
            assert set(now) == {"kahuna", "krakatoa", "kula_kula"}
            assert b.position["view"]["mover"] == 0  # its bot waits, and nobody thinks for it
            alone = await ann.table("kahuna", chairs[::-1])
            async with ann.at(alone) as c:  # people need not wait
                assert (await c.act(c.position["legal"][0]["action"]))["type"] == "ack"
            for game in ("kahuna", "krakatoa", "kula_kula"):
                (place / game).touch()
            await moved(b)
        while await preparing():
            await asyncio.sleep(0.02)

    with serving(place) as port:
        asyncio.run(evening(port))


def test_progress_is_read_as_it_was_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "built", lambda: tmp_path)
    assert progress.read("kahuna") == (0, 0)
    progress.note("kahuna", 3, 12)
    assert progress.read("kahuna") == (3, 12)
    progress.begin(["kahuna", "krakatoa"])
    assert progress.read("kahuna") == progress.read("krakatoa") == (0, 0)
    (tmp_path / "progress" / "kahuna.json").write_text("[")
    assert progress.read("kahuna") == (0, 0)


def test_a_build_ends_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_GENTLY", "import time; time.sleep(600)")
    build = progress.start()
    progress.stop(build)
    assert build.returncode != 0
