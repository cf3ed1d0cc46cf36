"""A build in the background of a running server: starting it, and its progress.

Every game's process writes its progress into a small file that anyone can read; a lock prevents concurrent builds.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from archipel.core import compiled

GENTLE = 10
"""The niceness of a build, so that the server comes first."""


class Progress(NamedTuple):
    """How many steps of a game's build are done, and of how many; 0 of 0 before it has started."""

    done: int
    total: int

    @property
    def is_done(self) -> bool:
        return 0 < self.total == self.done


def start() -> "subprocess.Popen[bytes]":
    """Build the libraries for this machine in another process, except those that are current."""
    return subprocess.Popen(
        [sys.executable, "-c", _GENTLY, str(GENTLE)],
        env=os.environ | {"ARCHIPEL_KERNELS": compiled.PLAIN},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the server, which ends the build with all its processes
    )


def stop(build: "subprocess.Popen[bytes]") -> None:
    """End a build with all its processes."""
    if sys.platform == "win32":
        build.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(build.pid, signal.SIGKILL)
    build.wait()


_GENTLY = """
import os, sys
if hasattr(os, "nice"):
    os.nice(int(sys.argv[1]))
from archipel.kernels.__main__ import main
main([])
"""


@contextmanager
def one_build() -> Iterator[None]:
    """Wait until no other build runs, and hold the lock."""
    from filelock import FileLock

    compiled.built().mkdir(parents=True, exist_ok=True)
    with FileLock(compiled.built() / "build.lock"):
        yield


def begin(games: Iterable[str]) -> None:
    """Reset the progress of a game."""
    for game in games:
        note(game, 0, 0)


def note(game: str, done: int, total: int) -> None:
    """Write the progress of a game."""
    path = _file(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps([done, total]), "utf-8")
    new.replace(path)


def read(game: str) -> Progress:
    """Read the progress of a game."""
    with suppress(OSError, ValueError, TypeError):
        return Progress(*json.loads(_file(game).read_text("utf-8")))
    return Progress(0, 0)


def _file(game: str) -> Path:
    return compiled.built() / "progress" / f"{game}.json"
