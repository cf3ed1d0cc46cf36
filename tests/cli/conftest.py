"""A terminal to type at, and a folder of one's own."""

import io
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import archipel
from archipel.cli import main, screen
from archipel.core import rules


@dataclass
class Said:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


Terminal = Callable[..., Said]


@pytest.fixture(scope="session", autouse=True)
def ready() -> None:
    """Compiled rules, so that no command needs to say that it compiles them."""
    for name in archipel.GAMES:
        deque(rules.warm(archipel.game(name).facts), maxlen=0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands run; the screen is wide enough for every sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for console in (screen.out, screen.err):
        monkeypatch.setattr(screen, console.__name__, cache(console.__wrapped__))
    return tmp_path


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Run a command in this process, typing these lines."""

    def run(*argv: str, typed: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(list(argv))
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def shell() -> Terminal:
    """Run a command as a user would, in a process of its own."""

    def run(*argv: str, typed: str = "") -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "archipel", *argv],
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return run
