"""What the terminal looks like: its colours, and how boards and headings are shown."""

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

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
    return Console(theme=THEME, highlighter=Seats())


@cache
def err() -> Console:
    """Where progress goes."""
    return Console(theme=THEME, highlighter=Seats(), stderr=True)


def named(text: str, style: str = "") -> Text:
    """A text in which the seats have their colours."""
    return Seats()(Text(text, style))


def board(text: str, marks: str) -> None:
    """A board as the game draws it, each seat's marks in its colour; only lines longer than the screen are folded."""
    drawn = Text("\n".join(map(_folded, text.splitlines())))
    for seat, mark in enumerate(marks):
        drawn.highlight_regex(rf"(?<![A-Za-z]){re.escape(mark)}[A-Z\d?]*(?![a-z])", f"seat.s{seat}")
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
    """Wipe the screen and what has scrolled off it, if it is one."""
    if out().is_terminal:
        out().file.write("\x1b[3J\x1b[2J\x1b[H")


@contextmanager
def waiting(for_what: str) -> Iterator[None]:
    """Say what is being waited for, on a screen that can take it back."""
    if not out().is_terminal:
        yield
        return
    with out().status(for_what, spinner="dots"):
        yield
