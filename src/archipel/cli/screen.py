"""The terminal's appearance: colours, boards and headings."""

import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import NoReturn

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.rule import Rule
from rich.text import Text
from rich.theme import Theme

SEATS = ("#d7674d", "#3a9cc0", "#e0a52e", "#a583d6", "#79b35f")

THEME = Theme(
    {
        "title": "bold",
        "soft": "dim",
        "number": "dim",
        "action": "bold",
        "command": "bold #3a9cc0",
        "wrong": "#d7674d",
        "right": "#79b35f",
        "markdown.h1": "bold",
        "markdown.h2": "bold #3a9cc0",
        "markdown.h3": "bold",
        "markdown.code": "bold #e0a52e",
        "markdown.item.number": "dim",
        "markdown.table.header": "dim",
        "markdown.table.border": "dim",
        **{f"seat.s{seat}": f"bold {colour}" for seat, colour in enumerate(SEATS)},
    }
)


class Seats(RegexHighlighter):
    """Colours the name of each seat."""

    base_style = "seat."
    highlights = [rf"(?P<s{seat}>\b([Ss]eat|[Ss]iège) {seat}\b|<{seat}>)" for seat in range(len(SEATS))]  # noqa: RUF012


class Output(Console):
    """A console that leaves a closed pipe to the command line, like every other way to write."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


@cache
def out() -> Console:
    """The console for output."""
    return Output(theme=THEME, highlighter=Seats(), markup=False, emoji=False)


@cache
def err() -> Console:
    """The console for progress, on stderr."""
    return Console(theme=THEME, highlighter=Seats(), markup=False, emoji=False, stderr=True)


def named(text: str, style: str = "") -> Text:
    """A text with the seats in their colours."""
    return Seats()(Text(text, style))


def board(text: str, marks: str) -> None:
    """A board as the game draws it; only lines longer than the screen are folded.

    Each seat's mark is shown in its colour, together with the text that follows it directly: `x6`, `oBARI`.
    """
    drawn = Text("\n".join(map(_folded, text.splitlines())))
    for found in re.finditer(rf"(?<![A-Za-z])[{marks}]+([A-Z\d?]*)(?![a-z])", drawn.plain) if marks else ():
        for at in range(found.start(), found.start(1)):
            end = found.end() if at + 1 == found.start(1) else at + 1
            drawn.stylize(f"seat.s{marks.index(drawn.plain[at])}", at, end)
    out().print(Seats()(drawn), soft_wrap=True)


def _folded(line: str) -> str:
    """Fold a line, with the same indentation on each part."""
    margin = " " * (len(line) - len(line.lstrip()) + 4)
    return (
        textwrap.fill(line, out().width, subsequent_indent=margin, break_long_words=False)
        if len(line) > out().width
        else line
    )


def heading(title: str) -> None:
    """A line across the screen."""
    out().print()
    out().print(Rule(named(title, "title"), align="left", style="soft"))


def clear() -> None:
    """Clear the screen, its scrollback and the typed input, if there is a screen."""
    if out().is_terminal:
        out().file.write("\x1b[3J\x1b[2J\x1b[H")
    if "readline" in sys.modules:
        sys.modules["readline"].clear_history()


def allow_editing() -> None:
    """Enable line editing with the arrow keys where the system supports it."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import_module("readline")


@contextmanager
def waiting(for_what: str) -> Iterator[None]:
    """Show a message while waiting, on a screen that can remove it afterwards."""
    if not out().is_terminal:
        yield
        return
    with out().status(for_what, spinner="dots"):
        yield
