"""While the kernels are being built, people play, the lobby says how far it is, and bots wait."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from archipel.core import compiled
from archipel.kernels import progress

from .house import house

WAIT = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)"


def test_bots_wait_for_the_build_and_the_lobby_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = tmp_path / "done"
    monkeypatch.setattr(compiled, "MODE", compiled.SOON)
    monkeypatch.setattr(compiled, "built", lambda: tmp_path)
    monkeypatch.setattr(compiled, "arrive", lambda: True)
    command = [sys.executable, "-c", WAIT, str(done)]
    monkeypatch.setattr(progress, "start", lambda: subprocess.Popen(command, start_new_session=True))

    async def evening() -> None:
        async with house(tmp_path / "t.sqlite3") as server:
            ann = await server.guest("Ann")
            progress.note("kahuna", 3, 12)
            _, games = await ann.get("/api/games")
            assert games["preparing"][0] == {"game": "kahuna", "done": 3, "total": 12}
            assert games["preparing"][1] == {"game": "krakatoa", "done": 0, "total": 0}
            table = await ann.table("stonehenge", [{"kind": "me"}, {"kind": "bot", "level": "random"}])
            async with ann.at(table) as a:
                await a.act(a.position["legal"][0]["action"])
                while a.position["view"]["mover"] != 1:
                    await a.next()
                bots: Any = server.hub.bots
                while not bots.queue.size:  # the bot has its question, and nobody thinks about it yet
                    await asyncio.sleep(0.01)
                done.touch()
                await a.until_version(a.version + 1)
            _, games = await ann.get("/api/games")
            assert "preparing" not in games

    asyncio.run(evening())


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
