"""The plain C loops: compiled here, run in processes of their own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .measuring import Played, Runner

SOURCES = Path(__file__).parent
FLAGS = ("-O2", "-march=native")


def has_loop(name: str) -> bool:
    """Is this game written in C too?"""
    return (SOURCES / f"{name}.c").exists()


def compiler() -> str | None:
    """The C compiler of this machine, if there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


@contextmanager
def built(name: str) -> Iterator[Runner]:
    """Compile a game's loop into a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / name
        command = [compiler() or "cc", *FLAGS, "-o", str(program), str(SOURCES / f"{name}.c")]
        subprocess.run(command, check=True, capture_output=True)
        yield lambda games, seed: _run(program, games, seed)


def _run(program: Path, games: int, seed: int) -> Played:
    done = subprocess.run([program, str(games), str(seed)], check=True, capture_output=True, text=True)
    seconds, actions, wins = done.stdout.split()
    return Played(games, int(actions), float(seconds), float(wins))
