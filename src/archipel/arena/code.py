"""A bot of one's own, from a Python file."""

import hashlib
import inspect
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from archipel.bots import Bot, View

from . import ArenaError

Choose = Callable[[View, np.random.Generator, Any], Any]


def load(path: str) -> Callable[[], Bot]:
    """What makes the bot of a file: its class, or its function `choose`; ArenaError if there is neither."""
    return _maker(_module(path), path)


def digest(path: str) -> str:
    """What tells two versions of a file apart."""
    return hashlib.sha256(_source(path)).hexdigest()[:16]


class Chooser:
    """A bot that is no more than a function."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def choose(self, view: View, rng: np.random.Generator, budget: int | None = None) -> int:
        chosen: int = self._function(view, rng, budget)
        return chosen


def _source(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ArenaError(f"The bot file {path} cannot be read: {error.strerror}.") from None


@cache
def _module(path: str) -> ModuleType:
    """The file as a module, run once in a process."""
    module = ModuleType(Path(path).stem)
    module.__file__ = path
    try:
        exec(compile(_source(path), path, "exec"), module.__dict__)
    except ArenaError:
        raise
    except (Exception, SystemExit) as error:
        raise ArenaError(f"The bot file {path} cannot be run: {_told(error, path)}.") from None
    return module


def _told(error: BaseException, path: str) -> str:
    """What went wrong, and in which line of the file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    words = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    where = f" in line {line}" if line else ""
    return f"{type(error).__name__}{where}{': ' if words else ''}{words.rstrip('.')}"


def _maker(module: ModuleType, path: str) -> Callable[[], Bot]:
    function = getattr(module, "choose", None)
    if callable(function) and not inspect.isclass(function):
        return lambda: Chooser(function)
    kinds = [kind for kind in vars(module).values() if _is_bot(kind, module)]
    if len(kinds) != 1:
        found = "none" if not kinds else " and ".join(kind.__name__ for kind in kinds)
        raise ArenaError(
            f"The bot file {path} must have a function choose(view, rng, budget), or one class with such a method; "
            f"it has {found}."
        )
    kind: Callable[[], Bot] = kinds[0]
    return kind


def _is_bot(kind: Any, module: ModuleType) -> bool:
    return inspect.isclass(kind) and kind.__module__ == module.__name__ and callable(getattr(kind, "choose", None))
