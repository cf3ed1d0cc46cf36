"""Where kernels are kept once they are compiled."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import platformdirs
import pytest

from archipel.core import compiled

FOLDER = "import numba, archipel.core.compiled; print(numba.config.CACHE_DIR)"


def chosen_folder(**environment: str) -> Path:
    """The cache folder that a new process chooses."""
    without = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", FOLDER], capture_output=True, text=True, check=True, env=without | environment
    )
    return Path(done.stdout.strip())


def test_kernels_lie_in_the_users_cache_folder() -> None:
    assert chosen_folder() == compiled.cache_folder()
    assert compiled.cache_folder().is_relative_to(platformdirs.user_cache_dir("archipel"))


def test_the_user_may_choose_another_folder(tmp_path: Path) -> None:
    assert chosen_folder(NUMBA_CACHE_DIR=str(tmp_path)) == tmp_path


def test_every_version_of_the_sources_has_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core, game = tmp_path / "core", tmp_path / "games" / "go"
    core.mkdir()
    game.mkdir(parents=True)
    (core / "compiled.py").write_text("core")
    (game / "rules.py").write_text("rules")
    monkeypatch.setattr(compiled, "__file__", str(core / "compiled.py"))
    names = [compiled.cache_folder().name]
    for path, text in ((game / "rules.py", "other rules"), (game / "board.py", "board"), (core / "bits.py", "bits")):
        path.write_text(text)
        names.append(compiled.cache_folder().name)
    assert len(set(names)) == 4
    (game / "picture.py").write_text("a picture is not compiled")
    assert compiled.cache_folder().name == names[-1]


def test_a_function_stays_itself_when_compiled() -> None:
    @compiled.compiled
    def twice(n: int) -> int:
        """Two of them."""
        return 2 * n

    assert twice(4) == 8
    assert twice.__doc__ == "Two of them."
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        assert twice.py_func(4) == 8  # type: ignore[attr-defined]
