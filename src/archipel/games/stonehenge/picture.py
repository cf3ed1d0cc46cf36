"""What a Stonehenge position looks like, in a terminal and as a drawing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from archipel.core import drawing
from archipel.core.rules import OVER
from archipel.core.state import State

from .board import CELLS, LINES, XY

if TYPE_CHECKING:
    from .game import Stonehenge

# Where a line's megalith stands: beside its first or its last cell, in half steps and steps from it.
ENDS = {
    "AB": ("A", -2, 0), "CDE": ("C", -2, 0), "FGHI": ("F", -2, 0), "JKLMN": ("J", -2, 0), "OPQR": ("O", -2, 0),
    "ACFJ": ("A", 1, -1), "BDGKO": ("B", 1, -1), "EHLP": ("E", 1, -1), "IMQ": ("I", 1, -1), "NR": ("N", 1, -1),
    "BEIN": ("N", 1, 1), "ADHMR": ("R", 1, 1), "CGLQ": ("Q", 1, 1), "FKP": ("P", 1, 1), "JO": ("O", 1, 1),
}  # fmt: skip
MARKS = "xo"


def text(shown: Mapping[str, Any]) -> str:
    """The ring of cells (x is seat 0, o is seat 1, a letter is empty, ? lies face down), then each seat's store."""
    canvas = [[" "] * 36 for _ in range(11)]
    for line, (end, _, dy) in ENDS.items():
        x, y = _spot(end)
        owner = shown["megaliths"].get(line)
        canvas[y + dy][x + (3 if dy else -2)] = "." if owner is None else MARKS[owner]
    for cell in CELLS:
        x, y = _spot(cell)
        canvas[y][x : x + 2] = _cell(shown, cell)
        for right, below, stroke in ((2, 0, "----"), (1, 1, "\\"), (-1, 1, "/")):
            if (XY[cell][0] + right, XY[cell][1] + below) in XY.values():
                start = x + (2 if right > 0 else -1)
                canvas[y + below][start : start + len(stroke)] = stroke
    board = ["".join(row).rstrip() for row in canvas]
    return "\n".join([*board, *_store(shown, 0), *_store(shown, 1), f"  {_standing(shown)}"])


def _spot(cell: str) -> tuple[int, int]:
    col, row = XY[cell]
    return 6 + 3 * col, 1 + 2 * row


def _cell(shown: Mapping[str, Any], cell: str) -> str:
    owner, value = shown["cells"].get(cell, (None, None))
    return f"{cell} " if owner is None else f"{MARKS[owner]}{value or '?'}"


def _store(shown: Mapping[str, Any], seat: int) -> list[str]:
    lines = [line for line, owner in shown["megaliths"].items() if owner == seat]
    hand = shown["hands"][seat]
    druids = f"{hand} face down" if isinstance(hand, int) else " ".join(map(str, hand)) or "none"
    return [
        f"  {MARKS[seat]} seat {seat}  megaliths {' '.join([str(len(lines)), *lines])}",
        f"            druids    {druids}",
    ]


def _standing(shown: Mapping[str, Any]) -> str:
    if shown["mover"] == OVER:
        return f"seat {shown['winner']} has won"
    return f"seat {shown['mover']} to {'claim' if shown.get('placed') else 'place'}"


def _point(col: float, row: float) -> tuple[float, float]:
    return 110 + col * 42, 100 + row * 74


def svg(game: "Stonehenge", state: State) -> str:
    """The ring of cells with its fifteen lines, druids and megaliths."""
    s = state.record
    parts = []
    for line, owner in zip(LINES, s.owner, strict=True):
        end, dx, dy = ENDS[line]
        x, y = _point(*XY[end])
        mx, my = _point(XY[end][0] + dx * 0.85, XY[end][1] + dy * 0.85)
        far = line[-1] if end == line[0] else line[0]
        fx, fy = _point(*XY[far])
        parts.append(drawing.tag("path", d=f"M{mx:.1f} {my:.1f}L{x:.1f} {y:.1f}L{fx:.1f} {fy:.1f}", class_="line"))
        if owner >= 0:
            parts.append(drawing.token(mx, my, int(owner), 11))
        else:
            parts.append(drawing.tag("circle", cx=mx, cy=my, r=7, class_="paper", stroke="var(--soft)"))
    for cell, druid in zip(CELLS, s.druid, strict=True):
        x, y = _point(*XY[cell])
        if druid:
            parts.append(drawing.token(x, y, int(druid < 0), 22, abs(int(druid))))
        else:
            parts.append(drawing.tag("circle", cx=x, cy=y, r=20, class_="paper", stroke="var(--ink)"))
            parts.append(drawing.label(x, y, cell, "soft"))
    for seat, count in enumerate(state.scores):
        x = 150 if seat == 0 else 330
        parts += [drawing.token(x, 490, seat, 11), drawing.label(x + 20, 490, f"{count} of 8", "ink left", 15)]
    standing = _standing(state.snapshot())
    parts.append(drawing.label(280, 522, standing.capitalize(), "soft", 15))
    return drawing.document(560, 545, "Stonehenge: " + standing, parts)
