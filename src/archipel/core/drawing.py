"""Pictures as SVG text: shapes, labels, pieces and cards, with colours for light and dark themes."""

from collections.abc import Iterable
from html import escape
from math import cos, pi, sin
from typing import Any

STYLE = """
svg{--paper:#f7f2e7;--ink:#23303b;--soft:#8b8577;--faint:#d9cfba;--sea:#cfe5ea;--land:#e9d8a6;
--seat0:#c8553d;--seat1:#1f6f8b;--seat2:#d99a1c;--seat3:#6a4c93;--seat4:#4f7f3f;--on-seat:#fffdf7;
font-family:Georgia,'Times New Roman',serif}
@media (prefers-color-scheme:dark){svg{--paper:#18222b;--ink:#efe8d8;--soft:#9aa3a8;--faint:#34434f;--sea:#1d3a47;
--land:#6b6140;--seat0:#ef8a6f;--seat1:#5fb3cf;--seat2:#f0bf57;--seat3:#b79be0;--seat4:#93c47d;--on-seat:#14181c}}
.paper{fill:var(--paper)}.ink{fill:var(--ink)}.soft{fill:var(--soft)}.line{stroke:var(--soft);fill:none}
.small{font-size:13px}.on{fill:var(--on-seat);font-weight:bold}
.seat0{fill:var(--seat0)}.seat1{fill:var(--seat1)}.seat2{fill:var(--seat2)}.seat3{fill:var(--seat3)}.seat4{fill:var(--seat4)}
text{text-anchor:middle;dominant-baseline:central}.left{text-anchor:start}.right{text-anchor:end}
"""


def tag(name: str, content: str = "", **attributes: Any) -> str:
    """Return one element. Underscores in an attribute's name become hyphens; `class_` is `class`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _plain(value: Any) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def label(x: float, y: float, text: Any, class_: str = "ink", size: int = 16) -> str:
    """Return text centred on a point."""
    return tag("text", escape(str(text)), x=float(x), y=float(y), class_=class_, font_size=size)


def token(x: float, y: float, seat: int, radius: float, text: Any = "") -> str:
    """Return a player's piece: each seat has its own shape as well as its colour."""
    attributes: dict[str, Any] = {"class_": f"seat{seat}", "stroke": "var(--ink)", "stroke_width": 1.5}
    corners = {1: 4, 2: 3, 3: 6, 4: 5}
    if seat == 0:
        shape = tag("circle", cx=float(x), cy=float(y), r=float(radius), **attributes)
    else:
        shape = tag(
            "polygon", points=polygon(x, y, radius * (1.15 if seat != 2 else 1.35), corners[seat]), **attributes
        )
    return shape + (label(x, y, text, "on", round(radius * 1.1)) if text != "" else "")


SUITS = {"S": ("♠", "ink"), "H": ("♥", "seat0"), "D": ("♦", "seat0"), "C": ("♣", "ink")}


def card(x: float, y: float, name: str | None) -> str:
    """Return a playing card, 50 by 70, centred on a point. Its name is rank and suit, as in ``"7H"``; None draws its
    back."""
    attributes: dict[str, Any] = {"x": x - 25.0, "y": y - 35.0, "width": 50, "height": 70, "rx": 6}
    if name is None:
        return tag("rect", class_="seat1", stroke="var(--ink)", **attributes) + label(x, y, "◆", "on", 24)
    suit, colour = SUITS[name[-1]]
    text = label(x, y - 14, name[:-1], colour, 24) + label(x, y + 14, suit, colour, 26)
    return tag("rect", fill="var(--on-seat)", stroke="var(--ink)", **attributes) + text


def polygon(x: float, y: float, radius: float, corners: int) -> str:
    """Return the corners of a regular polygon, flat side down."""
    turn = pi / 2 + pi / corners
    return " ".join(
        f"{x + radius * cos(turn + 2 * pi * k / corners):.1f},{y + radius * sin(turn + 2 * pi * k / corners):.1f}"
        for k in range(corners)
    )


def document(width: int, height: int, title: str, parts: Iterable[str], style: str = "") -> str:
    """Return a whole picture, with a title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}{style}</style>"
        f'<rect class="paper" width="{width}" height="{height}" rx="12"/>{"".join(parts)}</svg>'
    )
