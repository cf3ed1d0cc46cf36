"""What a Stonehenge position looks like, in a terminal and as a drawing."""

from typing import TYPE_CHECKING

from archipel.core import drawing
from archipel.core.rules import OVER
from archipel.core.state import State

from .board import CELLS, LINES, ROWS, XY

if TYPE_CHECKING:
    from .game import Stonehenge

# Where a line's megalith stands: beside its first or its last cell, in half steps and steps from it.
ENDS = {
    "AB": ("A", -2, 0), "CDE": ("C", -2, 0), "FGHI": ("F", -2, 0), "JKLMN": ("J", -2, 0), "OPQR": ("O", -2, 0),
    "ACFJ": ("A", 1, -1), "BDGKO": ("B", 1, -1), "EHLP": ("E", 1, -1), "IMQ": ("I", 1, -1), "NR": ("N", 1, -1),
    "BEIN": ("N", 1, 1), "ADHMR": ("R", 1, 1), "CGLQ": ("Q", 1, 1), "FKP": ("P", 1, 1), "JO": ("O", 1, 1),
}  # fmt: skip
MARKS = "xo"


def text(game: "Stonehenge", state: State) -> str:
    """Rows of cells with value and owner (x for seat 0, o for seat 1), then lines and hands."""
    shown = state.snapshot()
    rows = []
    for row in ROWS:
        start = XY[row[0]][0]
        rows.append("  " + "  " * start + "--".join(_cell(shown, cell) for cell in row))
    owned = [f"{line}:{MARKS[seat]}" for line, seat in shown["megaliths"].items()]
    hands = [
        f"  {MARKS[seat]} seat {seat}: {shown['scores'][seat]} megaliths, druids {' '.join(map(str, hand)) or 'none'}"
        for seat, hand in enumerate(shown["hands"])
    ]
    return "\n".join([*rows, "", f"  lines  {' '.join(owned) or 'none yet'}", *hands, f"  {_standing(state)}"])


def _cell(shown: dict[str, object], cell: str) -> str:
    cells = shown["cells"]
    assert isinstance(cells, dict)
    if cell not in cells:
        return f"{cell}."
    owner, value = cells[cell]
    return f"{MARKS[owner]}{value}"


def _standing(state: State) -> str:
    return f"seat {state.winner} has won" if state.mover == OVER else f"seat {state.mover} to play"


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
    parts.append(drawing.label(280, 522, _standing(state).capitalize(), "soft", 15))
    return drawing.document(560, 545, "Stonehenge: " + _standing(state), parts)
