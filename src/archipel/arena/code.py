"""Your own bot, from a Python file, or as a class or function that is there already."""

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from archipel.bots import Bot, View

from .errors import ArenaError

Choose = Callable[[View, np.random.Generator, Any], Any]


@dataclass(frozen=True)
class Code:
    """A bot file as it was when it was read: workers run this text, even on a machine without the file."""

    path: str
    source: bytes

    @classmethod
    def read(cls, path: str) -> "Code":
        """Read the file; ArenaError if that fails."""
        try:
            return cls(str(Path(path).resolve()), Path(path).read_bytes())
        except OSError as error:
            raise ArenaError(f"The bot file {path} cannot be read: {error.strerror}.") from None

    @property
    def name(self) -> str:
        """The bot's name: the file's name without `.py`."""
        return Path(self.path).stem

    @property
    def digest(self) -> str:
        """A digest of the file."""
        return hashlib.sha256(self.source).hexdigest()[:16]

    def make(self) -> Bot:
        """Return a new bot; ArenaError if the file defines none."""
        return _maker(self)()


@dataclass(frozen=True)
class Made:
    """A bot class or function of the program that calls the arena. Workers import it by its name."""

    maker: Callable[..., Any]

    @property
    def name(self) -> str:
        """What the bot is called: the name of the class or function."""
        return getattr(self.maker, "__name__", type(self.maker).__name__)

    @property
    def digest(self) -> str:
        """A digest of its source, or of its name where there is none."""
        try:
            source = inspect.getsource(self.maker)
        except (OSError, TypeError):
            source = getattr(self.maker, "__qualname__", self.name)
        return hashlib.sha256(source.encode()).hexdigest()[:16]

    def make(self) -> Bot:
        """A bot that has played nothing yet."""
        made: Any = self.maker() if inspect.isclass(self.maker) else Chooser(self.maker)
        bot: Bot = made
        return bot


class Chooser:
    """A bot made from a function."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def choose(self, view: View, rng: np.random.Generator, budget: Any = None) -> int:
        chosen: int = self._function(view, rng, budget)
        return chosen


@cache
def _maker(code: Code) -> Callable[[], Bot]:
    """The callable that creates the bot: the file's function `choose`, or its class. The file is run once per
    process."""
    module = _module(code)
    function = getattr(module, "choose", None)
    if callable(function) and not inspect.isclass(function):
        return lambda: Chooser(function)
    kinds = [kind for kind in vars(module).values() if _is_bot(kind, module)]
    if len(kinds) != 1:
        found = "none" if not kinds else " and ".join(kind.__name__ for kind in kinds)
        raise ArenaError(
            f"The bot file {code.path} must have a function choose(view, rng, budget), "
            f"or one class with such a method; it has {found}."
        )
    kind: Callable[[], Bot] = kinds[0]
    return kind


def _module(code: Code) -> ModuleType:
    module = ModuleType(f"archipel_bot_{code.name}")
    module.__file__ = code.path
    sys.modules[module.__name__] = module
    folder = str(Path(code.path).parent)
    if folder not in sys.path:
        sys.path.append(folder)  # a bot may import modules beside it; last, so that they hide no others
    try:
        exec(compile(code.source, code.path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise ArenaError(f"The bot file {code.path} cannot be run: {_message(error, code.path)}.") from None
    return module


def _message(error: BaseException, path: str) -> str:
    """The error message, with the line of the file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    where = f" in line {line}" if line else ""
    return f"{type(error).__name__}{where}{': ' if text else ''}{text.rstrip('.')}"


def _is_bot(kind: Any, module: ModuleType) -> bool:
    return inspect.isclass(kind) and kind.__module__ == module.__name__ and callable(getattr(kind, "choose", None))
