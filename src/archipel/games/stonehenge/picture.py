"""Drawings of a Stonehenge position: text for a terminal, and SVG."""

from collections.abc import Mapping
from typing import Any

from archipel.core import drawing

from .board import CELLS, LINES, MEGALITHS, XY

# Where a line's megalith is: beside its first or its last cell, in half steps and steps from it.
ENDS = {
    "AB": ("A", -2, 0), "CDE": ("C", -2, 0), "FGHI": ("F", -2, 0), "JKLMN": ("J", -2, 0), "OPQR": ("O", -2, 0),
    "ACFJ": ("A", 1, -1), "BDGKO": ("B", 1, -1), "EHLP": ("E", 1, -1), "IMQ": ("I", 1, -1), "NR": ("N", 1, -1),
    "BEIN": ("N", 1, 1), "ADHMR": ("R", 1, 1), "CGLQ": ("Q", 1, 1), "FKP": ("P", 1, 1), "JO": ("O", 1, 1),
}  # fmt: skip
MARKS = "xo"


def text(shown: Mapping[str, Any]) -> str:
    """The cells and lines (x is seat 0, o is seat 1, a letter is empty, ? is face down), then what each seat has."""
    canvas = [[" "] * 36 for _ in range(11)]
    for line, (end, _, down) in ENDS.items():
        x, y = _spot(end)
        owner = shown["megaliths"].get(line)
        canvas[y + down][x + (3 if down else -2)] = "." if owner is None else MARKS[owner]
    for cell in CELLS:
        x, y = _spot(cell)
        canvas[y][x : x + 2] = _cell(shown, cell)
        for right, down, stroke in ((2, 0, "----"), (1, 1, "\\"), (-1, 1, "/")):
            if (XY[cell][0] + right, XY[cell][1] + down) in XY.values():
                start = x + (2 if right > 0 else -1)
                canvas[y + down][start : start + len(stroke)] = stroke
    board = ["".join(row).rstrip() for row in canvas]
    return "\n".join([*board, *_store(shown, 0), *_store(shown, 1), f"  {standing(shown)}"])


def _spot(cell: str) -> tuple[int, int]:
    """The column and row of a cell's first letter."""
    col, row = XY[cell]
    return 6 + 3 * col, 1 + 2 * row


def _cell(shown: Mapping[str, Any], cell: str) -> str:
    if cell not in shown["cells"]:
        return f"{cell} "
    owner, value = shown["cells"][cell]
    return f"{MARKS[owner]}{_value(value)}"


def _value(value: int | None) -> str:
    return "?" if value is None else str(value)


def _store(shown: Mapping[str, Any], seat: int) -> list[str]:
    lines = [line for line, owner in shown["megaliths"].items() if owner == seat]
    return [
        f"  {MARKS[seat]} seat {seat}  megaliths {' '.join([str(len(lines)), *lines])}",
        f"            druids    {_hand(shown['hands'][seat])}",
    ]


def _hand(hand: Any) -> str:
    if isinstance(hand, int):
        return f"{hand} unseen"
    return " ".join(map(str, hand)) or "none"


def standing(shown: Mapping[str, Any]) -> str:
    """Who is to act, or who has won."""
    return f"seat {shown['mover']} to play" if shown["winner"] is None else f"seat {shown['winner']} has won"


def _point(col: float, row: float) -> tuple[float, float]:
    return 110 + col * 42, 100 + row * 74


def svg(shown: Mapping[str, Any]) -> str:
    """The ring of cells with its fifteen lines, druids and megaliths."""
    parts = [_line(shown, line) for line in LINES] + [_druid(shown, cell) for cell in CELLS]
    for seat, count in enumerate(shown["scores"]):
        x = 150 if seat == 0 else 330
        parts.append(drawing.token(x, 490, seat, 11))
        parts.append(drawing.label(x + 20, 490, f"{count} of {MEGALITHS}", "ink left", 15))
    parts.append(drawing.label(280, 522, standing(shown).capitalize(), "soft", 15))
    return drawing.document(560, 545, "Stonehenge: " + standing(shown), parts)


def _line(shown: Mapping[str, Any], line: str) -> str:
    """A line from its megalith through all its cells."""
    end, right, down = ENDS[line]
    far = line[-1] if end == line[0] else line[0]
    x, y = _point(XY[end][0] + right * 0.85, XY[end][1] + down * 0.85)
    fx, fy = _point(*XY[far])
    drawn = drawing.tag("path", d=f"M{x:.1f} {y:.1f}L{fx:.1f} {fy:.1f}", class_="line")
    if line in shown["megaliths"]:
        return drawn + drawing.token(x, y, shown["megaliths"][line], 11)
    return drawn + drawing.tag("circle", cx=x, cy=y, r=7, class_="paper", stroke="var(--soft)")


def _druid(shown: Mapping[str, Any], cell: str) -> str:
    x, y = _point(*XY[cell])
    if cell in shown["cells"]:
        owner, value = shown["cells"][cell]
        return drawing.token(x, y, owner, 22, _value(value))
    hole = drawing.tag("circle", cx=x, cy=y, r=20, class_="paper", stroke="var(--ink)")
    return hole + drawing.label(x, y, cell, "soft")
