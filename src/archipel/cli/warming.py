"""Load or compile a game's kernels, with a message if that takes a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn

from . import screen
from .messages import Messages

if TYPE_CHECKING:
    from archipel.core.game import Game


def prepare(game: "Game", messages: Messages) -> None:
    """Load a game's kernels; print a line on stderr if some must be compiled first."""
    from archipel.core import rules
    from archipel.core.compiled import announced

    line = messages("compiling", title=game.title)
    with _bar() as bar:
        task = bar.add_task(line, total=None)
        with announced(bar.start if screen.err().is_terminal else lambda: screen.err().print(line)):
            for done, total in rules.warm(game.facts):
                bar.update(task, completed=done, total=total)


@contextmanager
def _bar() -> Iterator[Progress]:
    bar = Progress(TextColumn("{task.description}"), BarColumn(), console=screen.err(), transient=True)
    try:
        yield bar
    finally:
        if bar.live.is_started:
            bar.stop()
