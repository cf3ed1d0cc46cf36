"""How rules become machine code: one decorator, and a cache that outlives the process."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])


def _fingerprint() -> str:
    """A digest of the package's sources.

    Numba notices a change in a kernel's own file only, not in the functions
    that the kernel calls; so each version of the sources has its own folder.
    """
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for pattern in ("core/*.py", "games/*/board.py", "games/*/rules.py", "bots/*.py"):
        for source in sorted(package.glob(pattern)):
            digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    return Path(platformdirs.user_cache_dir("archipel")) / "kernels" / _fingerprint()


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def compiled(function: Function) -> Function:
    """Compile with Numba on first use; plain Python under ``NUMBA_DISABLE_JIT=1``."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[return-value]
