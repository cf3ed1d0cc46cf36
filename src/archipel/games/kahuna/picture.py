"""Drawings of a Kahuna position: text for a terminal, and SVG."""

from collections.abc import Mapping
from math import cos, sin
from typing import Any

from archipel.core import drawing

from .board import DEGREE, ISLANDS, LINES, XY

MARKS = "xo"
COLUMNS, ROWS = 78, 23
"""The size of the map in a terminal."""


def text(shown: Mapping[str, Any]) -> str:
    """The map with its bridges and stones (x for seat 0, o for seat 1; a stone is in brackets), then the cards."""
    rows = _map(shown)
    cards = [_player_text(shown, seat) for seat in (0, 1)]
    table = f"  open row {_pile(shown['open'])}, deck {_size(shown['deck'])}, discards {_pile(shown['discard'])}"
    down = sum(_size(pile) for pile in shown["hidden_discard"])
    return "\n".join([*rows, "", *cards, table + (f" and {down} face down" if down else ""), f"  {standing(shown)}"])


def _player_text(shown: Mapping[str, Any], seat: int) -> str:
    points, stones, bridges = shown["scores"][seat], len(shown["stones"][seat]), len(shown["bridges"][seat])
    counts = f"{_many(points, 'point')}, {_many(stones, 'stone')}, {_many(bridges, 'bridge')}"
    return f"  {MARKS[seat]} seat {seat}: {counts}, hand {_pile(shown['hands'][seat])}{_open_hand(shown, seat)}"


def _many(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def standing(shown: Mapping[str, Any]) -> str:
    """Who is to act, or who has won."""
    if shown["winner"] is not None:
        won = shown["winner"]
        return f"seat {won} has won" if isinstance(won, int) else "the game is drawn"
    who = "a card is dealt" if shown["mover"] < 0 else f"seat {shown['mover']} to play"
    last = " (last turn)" if shown["last_turns"] else ""
    return f"round {shown['round']}, {who}{last}"


def _size(pile: Any) -> int:
    return pile if isinstance(pile, int) else len(pile)


def _pile(pile: Any) -> str:
    if isinstance(pile, int):
        return f"of {_many(pile, 'card')}"
    return " ".join(pile) or "empty"


def _open_hand(shown: Mapping[str, Any], seat: int) -> str:
    seen = shown["shown"][seat] or (shown["known"][seat] if isinstance(shown["hands"][seat], int) else [])
    return f" (known: {' '.join(seen)})" if seen else ""


def _map(shown: Mapping[str, Any]) -> list[str]:
    canvas = [[" "] * COLUMNS for _ in range(ROWS)]
    for line in LINES:
        _strew(canvas, line, _bridge(shown, line))
    for name in ISLANDS:
        column, row = _spot(name)
        stone = _stone(shown, name)
        canvas[row][column - 4 : column + 3] = f"({stone}{name})" if stone else f"  {name} "
    return ["".join(row).rstrip() for row in canvas]


def _spot(name: str) -> tuple[int, int]:
    """The column and row of an island's middle."""
    x, y = XY[name]
    return 5 + round((x - 240) * 0.22), round((y - 160) * (ROWS - 1) / 225)


def _strew(canvas: list[list[str]], line: str, mark: str) -> None:
    """Draw a line on the map, with enough marks to follow it."""
    (column, row), (end_column, end_row) = (_spot(name) for name in line.split("-"))
    across, down = end_column - column, end_row - row
    steps = max(abs(across) // 2, abs(down))
    for k in range(1, steps):
        canvas[row + round(down * k / steps)][column + round(across * k / steps)] = mark


def _bridge(shown: Mapping[str, Any], line: str) -> str:
    return next((MARKS[seat] for seat in (0, 1) if line in shown["bridges"][seat]), "·")


def _stone(shown: Mapping[str, Any], name: str) -> str:
    return next((MARKS[seat] for seat in (0, 1) if name in shown["stones"][seat]), "")


def _point(name: str) -> tuple[float, float]:
    x, y = XY[name]
    return 68 + (x - 240) * 1.62, 60 + (y - 160) * 1.75


def _coast(name: str) -> str:
    """An island's outline: an irregular shape that is always the same."""
    x, y = _point(name)
    seed = sum(ord(letter) * (i + 3) for i, letter in enumerate(name))
    points = []
    for k in range(12):
        wobble = 0.82 + ((seed * (k * k + 7 * k + 3)) % 37) / 100
        angle = 6.2832 * k / 12
        points.append((x + 44 * wobble * cos(angle), y + 27 * wobble * sin(angle)))
    middles = [
        ((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True)
    ]
    path = f"M{middles[-1][0]:.1f} {middles[-1][1]:.1f}"
    for (px, py), (mx, my) in zip(points, middles, strict=True):
        path += f"Q{px:.1f} {py:.1f} {mx:.1f} {my:.1f}"
    return path


WAVES = ((60, 250), (160, 440), (500, 60), (480, 420), (330, 40), (565, 300))
STYLE = (
    ".wave{fill:none;stroke:var(--soft);opacity:.35}.card{fill:var(--paper);stroke:var(--ink)}.back{fill:var(--faint)}"
)


def svg(shown: Mapping[str, Any]) -> str:
    """Islands on a sea, dotted lines, bridges and stones of both players, cards below."""
    parts = [drawing.tag("rect", x=14, y=14, width=612, height=470, rx=10, fill="var(--sea)", stroke="var(--ink)")]
    parts += [drawing.tag("path", d=f"M{x} {y}q8 -8 16 0t16 0t16 0", class_="wave") for x, y in WAVES]
    coast: dict[str, Any] = {"stroke": "var(--paper)", "stroke_width": 14, "stroke_linejoin": "round", "opacity": 0.45}
    parts += [drawing.tag("path", d=_coast(name), fill="none", **coast) for name in ISLANDS]
    parts += [_line(shown, line) for line in LINES]
    parts += [_land(shown, name, int(lines)) for name, lines in zip(ISLANDS, DEGREE, strict=True)]
    parts += [_player(shown, seat) for seat in (0, 1)]
    parts += [_stack(470, 502, shown["open"], "open"), _stack(470, 536, shown["deck"], "deck")]
    parts.append(drawing.label(320, 582, standing(shown).capitalize(), "soft", 15))
    return drawing.document(640, 602, "Kahuna: " + standing(shown), parts, STYLE)


def _land(shown: Mapping[str, Any], name: str, lines: int) -> str:
    """An island with its name, and its stone or as many dots as it has lines."""
    x, y = _point(name)
    land = drawing.tag("path", d=_coast(name), fill="var(--land)", stroke="var(--ink)")
    for seat in (0, 1):
        if name in shown["stones"][seat]:
            return land + drawing.token(x, y - 9, seat, 10) + drawing.label(x, y + 12, name, "ink", 14)
    return land + drawing.label(x, y - 5, name, "ink", 14) + drawing.label(x, y + 11, "·" * lines, "soft", 16)


def _line(shown: Mapping[str, Any], line: str) -> str:
    """A dotted line, or a bridge: seat 0's are plain, seat 1's have planks."""
    (ax, ay), (bx, by) = (_point(name) for name in line.split("-"))
    ends: dict[str, Any] = {"x1": ax, "y1": ay, "x2": bx, "y2": by}
    for seat, dashes in ((0, "none"), (1, "11 3")):
        if line in shown["bridges"][seat]:
            edge = drawing.tag("line", **ends, stroke="var(--ink)", stroke_width=9)
            plank: dict[str, Any] = {"stroke": f"var(--seat{seat})", "stroke_width": 6, "stroke_dasharray": dashes}
            return edge + drawing.tag("line", **ends, **plank)
    dots: dict[str, Any] = {"stroke_dasharray": "0 7", "stroke_linecap": "round", "opacity": 0.7}
    return drawing.tag("line", **ends, stroke="var(--ink)", stroke_width=3, **dots)


def _player(shown: Mapping[str, Any], seat: int) -> str:
    y = 502 + 34 * seat
    points = drawing.label(54, y + 13, _many(shown["scores"][seat], "point"), "ink left", 14)
    return drawing.token(36, y + 13, seat, 9) + points + _stack(128, y, shown["hands"][seat], "")


def _stack(x: float, y: float, pile: Any, title: str) -> str:
    """Cards side by side: by name if visible, otherwise their backs."""
    drawn = drawing.label(x - 8, y + 13, title, "soft right", 13) if title else ""
    names = pile if isinstance(pile, list) and title != "deck" else None
    if names is None:
        many = drawing.label(x + 26, y + 13, _size(pile), "ink", 13)
        return drawn + drawing.tag("rect", x=x, y=y, width=52, height=26, rx=4, class_="card back") + many
    for k, name in enumerate(names):
        drawn += drawing.tag("rect", x=x + 54 * k, y=y, width=50, height=26, rx=4, class_="card")
        drawn += drawing.label(x + 54 * k + 25, y + 13, name, "ink", 12)
    return drawn
