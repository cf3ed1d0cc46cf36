"""What only a real terminal shows: progress, wiping, colours, narrow screens."""

import io
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import archipel
from archipel.cli import listing, screen
from archipel.cli.messages import Messages
from archipel.cli.warming import prepare
from archipel.core import rules
from archipel.core.compiled import compiled


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal of eighty columns, and all that was written to it."""
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80, theme=screen.THEME, color_system="truecolor")
    monkeypatch.setattr(screen, "out", lambda: console)
    monkeypatch.setattr(screen, "err", lambda: console)
    return written


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games whose only kernel is in no cache."""

    @compiled
    def one_more(n: int) -> int:
        return n + 1

    # Nothing that was compiled before is to be found.
    if hasattr(one_more, "_cache"):
        one_more._cache.disable()

    def warm(facts: Any) -> Iterator[tuple[int, int]]:
        one_more(1)
        yield 1, 1

    monkeypatch.setattr(rules, "warm", warm)


needs_compiler = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")


@needs_compiler
def test_compiling_is_announced_on_stderr(cold: None, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        prepare(archipel.game("kahuna"), Messages())
    assert capsys.readouterr() == ("", "Compiling Kahuna’s rules (once on this machine)…\n")


@needs_compiler
def test_compiling_shows_a_bar_in_a_terminal(cold: None, display: io.StringIO) -> None:
    prepare(archipel.game("kahuna"), Messages("fr"))
    assert "Compilation des règles de Kahuna" in display.getvalue()
    written = len(display.getvalue())
    prepare(archipel.game("kahuna"), Messages("fr"))
    assert len(display.getvalue()) == written


def test_the_curtain_wipes_what_has_scrolled_away_too(display: io.StringIO) -> None:
    screen.clear()
    assert display.getvalue() == "\x1b[3J\x1b[2J\x1b[H"


def test_seats_have_their_colours(display: io.StringIO) -> None:
    screen.board("  x seat 0  [x]  o3  box ox\n  <1>", "xo")
    red, blue, end = "\x1b[1;38;2;215;103;77m", "\x1b[1;38;2;58;156;192m", "\x1b[0m"
    first = f"  {red}x{end} {red}seat 0{end}  [{red}x{end}]  {blue}o3{end}  box {blue}o{end}{red}x{end}"
    assert display.getvalue() == f"{first}\n  {blue}<1>{end}\n"


def test_only_lines_that_are_too_long_are_folded(display: io.StringIO) -> None:
    screen.board("  short\n  " + "word " * 20, "")
    assert display.getvalue() == "  short\n  " + ("word " * 15).rstrip() + "\n      word word word word word\n"


def test_many_actions_make_a_grid() -> None:
    state = archipel.game("stonehenge").new()
    lines = listing.listed(state, 80).plain.splitlines()
    assert lines[0].split() == ["place", "1@A", "…"]
    assert lines[1].split() == list("ABCDEFGHIJKLMNOPQR")
    assert lines[2].split() == ["1", *map(str, range(1, 19))]
    assert lines[7].split() == ["6", *map(str, range(91, 109))]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("width", [20, 40, 80, 120])
@pytest.mark.parametrize("name", archipel.GAMES)
def test_every_action_is_listed_once(name: str, width: int) -> None:
    state, rng = archipel.game(name).new(), np.random.default_rng(1)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    shown = listing.listed(state, width).plain
    assert max(map(len, shown.splitlines())) <= max(width, 80)
    for number, action in enumerate(state.actions(), 1):
        assert f"{number} {state.notation(action)}" in shown or "…" in shown
