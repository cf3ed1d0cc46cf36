"""Packages that bring games, installed in folders of their own so that no other test knows of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def briscola(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the example is installed, as pip installs it."""
    return installed(tmp_path_factory.mktemp("installed"))


def installed(folder: Path) -> Path:
    """Install the example into a folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--no-build-isolation", "--no-index", "--target", str(folder)]
    subprocess.run([*pip, *options, str(ROOT / "examples" / "briscola")], check=True)
    return folder


def started(*folders: Path, plain: bool) -> dict[str, str]:
    """The environment of a process for which the packages in these folders are installed."""
    path = os.pathsep.join(map(str, (SOURCES, *folders)))
    return os.environ | {"PYTHONPATH": path, "COLUMNS": "200", "NUMBA_DISABLE_JIT": "1" if plain else "0"}


def _heard(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture
def python() -> Run:
    """Run Python code in a process for which packages are installed; uncompiled unless told otherwise."""

    def run(code: str, *folders: Path, plain: bool = True) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
        return _heard(command, started(*folders, plain=plain))

    return run


@pytest.fixture
def terminal() -> Run:
    """Run `archipel` in a process for which packages are installed."""

    def run(*words: str, folders: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "ignore::RuntimeWarning", "-m", "archipel", *words]
        return _heard(command, started(*folders, plain=True))

    return run
