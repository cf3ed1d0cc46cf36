"""A terminal to type at, and a folder of one's own."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from archipel.cli import main, screen


@dataclass
class Said:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


Terminal = Callable[..., Said]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the commands run; the screen is wide enough for every sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    for console in (screen.out, screen.err):
        console.cache_clear()
    yield tmp_path
    for console in (screen.out, screen.err):
        console.cache_clear()


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
