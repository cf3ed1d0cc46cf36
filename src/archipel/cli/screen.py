"""What the terminal looks like: its colours, and how boards and headings are shown."""

import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module

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
    """Each seat in its own colour, wherever it is named."""

    base_style = "seat."
    highlights = [rf"(?P<s{seat}>\b([Ss]eat|[Ss]iège) {seat}\b|<{seat}>)" for seat in range(len(SEATS))]  # noqa: RUF012


@cache
def out() -> Console:
    """The screen."""
    return Console(theme=THEME, highlighter=Seats(), markup=False, emoji=False)


@cache
def err() -> Console:
    """Where progress goes."""
    return Console(theme=THEME, highlighter=Seats(), markup=False, emoji=False, stderr=True)


def named(text: str, style: str = "") -> Text:
    """A text in which the seats have their colours."""
    return Seats()(Text(text, style))


def board(text: str, marks: str) -> None:
    """A board as the game draws it; only lines longer than the screen are folded.

    Each seat's mark is shown in its colour, and so is what is written right behind it: `x6`, `oBARI`.
    """
    drawn = Text("\n".join(map(_folded, text.splitlines())))
    for found in re.finditer(rf"(?<![A-Za-z])[{marks}]+([A-Z\d?]*)(?![a-z])", drawn.plain) if marks else ():
        for at in range(found.start(), found.start(1)):
            end = found.end() if at + 1 == found.start(1) else at + 1
            drawn.stylize(f"seat.s{marks.index(drawn.plain[at])}", at, end)
    out().print(Seats()(drawn), soft_wrap=True)


def _folded(line: str) -> str:
    """The line on as many lines as it needs, under its own beginning."""
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
    """Wipe the screen, what has scrolled off it and what was typed, if there is a screen."""
    if out().is_terminal:
        out().file.write("\x1b[3J\x1b[2J\x1b[H")
    if "readline" in sys.modules:
        sys.modules["readline"].clear_history()


def allow_editing() -> None:
    """Let the arrow keys edit what is typed, where the system can do that."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import_module("readline")


@contextmanager
def waiting(for_what: str) -> Iterator[None]:
    """Say what is being waited for, on a screen that can take it back."""
    if not out().is_terminal:
        yield
        return
    with out().status(for_what, spinner="dots"):
        yield
