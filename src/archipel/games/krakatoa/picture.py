"""Drawings of a Krakatoa position: text for a terminal, and SVG."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from archipel.core import drawing
from archipel.core.drawing import label, tag

from .board import BOXES, DICE, ROUNDS, SETS, THROWS, VALUES, name

Shown = Mapping[str, Any]

STEPS = ("all", "any", *SETS)


# Texts.


def standing(shown: Shown) -> str:
    """Who is to do what, or who has won."""
    if shown["phase"] == "over":
        return _won(shown["winner"])
    if shown["phase"] == "throwoff":
        return f"throw-off: seat {shown['thrower']} throws one set"
    bonus = "bonus " if shown["throw"] > THROWS else ""
    return f"round {shown['round']}, {bonus}throw {shown['throw']}: seat {shown['thrower']} {_does(shown)}"


def _won(winner: int | list[int]) -> str:
    if isinstance(winner, int):
        return f"seat {winner} has won"
    return f"seats {', '.join(map(str, winner[:-1]))} and {winner[-1]} have won"


def _does(shown: Shown) -> str:
    if shown["phase"] == "decide":
        return "keeps all nine, or rerolls"
    if shown["phase"] == "throw":
        return f"throws {_due(shown) or 'a set of its choice'}"
    if shown["aim"]:
        return f"has thrown {shown['aim']['set']} at {shown['aim']['at']}"
    return "throws all nine again" if shown["rerolled"] else "throws all nine"


def _due(shown: Shown) -> str | None:
    """The set that must be thrown now."""
    if shown["phase"] == "throw" and 3 <= shown["throw"] <= THROWS:
        return SETS[shown["throw"] - 3]
    return None


def _seats(shown: Shown, side: int) -> list[int]:
    """The seats of a side: one, or two partners."""
    return list(range(side, len(shown["scores"]), len(shown["totals"])))


def _throws(shown: Shown, side: int) -> bool:
    return shown["phase"] != "over" and shown["thrower"] in _seats(shown, side)


def _advanced(shown: Shown) -> bool:
    return bool(shown["options"]["game"] == "advanced")


# In a terminal.


def text(shown: Shown) -> str:
    """The throws of the round, the dice set by set, and the score sheet."""
    rows = [_steps(shown), "", *_table(shown), "", *(_side(shown, side) for side in range(len(shown["totals"])))]
    if _advanced(shown):
        rows.append(f"  bonus boxes left: {shown['boxes_left']}")
    return "\n".join([*rows, f"  {standing(shown)}"])


def _steps(shown: Shown) -> str:
    if not shown["round"]:
        return "  throw-off"
    steps = [f"{n} {what}" for n, what in enumerate(STEPS, 1)]
    if shown["throw"] > THROWS:
        steps.append(f"{shown['throw']} bonus")
    steps[min(shown["throw"], len(steps)) - 1] = f"[{steps[min(shown['throw'], len(steps)) - 1]}]"
    return f"  round {shown['round']} of {ROUNDS}:  " + "  ".join(steps)


def _table(shown: Shown) -> list[str]:
    if shown["dice"] is None:
        return [f"  {which:5}  . . ." for which in SETS]
    falls = shown["dice"].split()
    rows = [f"  {which:5}  {_fallen(shown, which, fall)}" for which, fall in zip(SETS, falls, strict=True)]
    return rows if shown["aim"] else [*rows, f"{'= ' + str(_sum(falls)):>31}"]


def _fallen(shown: Shown, which: str, fall: str) -> str:
    if _held(shown, which):
        return "in hand"
    letters = " ".join(f"({c})" if _aimed_at(shown, f"{which}{n}") else c for n, c in enumerate(fall, 1))
    return f"{letters:9}{name(fall):10}{VALUES[name(fall)]:3}"


def _held(shown: Shown, which: str) -> bool:
    """True if this set has been thrown, and not landed yet."""
    return shown["aim"] is not None and shown["aim"]["set"] == which


def _aimed_at(shown: Shown, die: str) -> bool:
    return shown["aim"] is not None and shown["aim"]["at"] == die


def _sum(falls: list[str]) -> int:
    return sum(VALUES[name(fall)] for fall in falls)


def _side(shown: Shown, side: int) -> str:
    who = "seat " + "+".join(map(str, _seats(shown, side)))
    soon, later = shown["marks"][side]
    marks = f"   next throw {soon or '-'}, then {later or '-'}" if soon or later else ""
    thrown = shown["throwoff"][side]
    opening = f"   threw {thrown} ({name(thrown)})" if thrown else ""
    return f"  {'>' if _throws(shown, side) else ' '} {who:8} {shown['totals'][side]:4}{marks}{opening}"


# SVG.

BODY = {"steam": "#fbfaf4", "ash": "#a7a8a4", "lava": "#2d2929"}
EDGE = {"steam": "#8d887b", "ash": "#5d5e5b", "lava": "#8a7f7b"}
SPOT = {"Y": ("#f3c32f", "#2b2410"), "R": ("#cf3f2b", "#fffdf7"), "B": ("#2d63b8", "#fffdf7")}
TURNED = (8, -20, 31, -9, 25, -33, 15, -27, 3)
"""The rotation of each die in degrees, so that the dice look thrown."""
RADIUS = 33
GOLDEN = (1 + 5**0.5) / 2
STYLE = (
    ".felt{fill:var(--sea);stroke:var(--faint)}.sheet{fill:none;stroke:var(--faint)}"
    ".now{fill:var(--ink)}.on-now{fill:var(--paper);font-weight:bold}.box{fill:var(--paper);stroke:var(--soft)}"
)


def svg(shown: Shown) -> str:
    """The nine dice on their cloth, the score sheet beside them, the throws of the round below."""
    parts = [tag("rect", x=16, y=16, width=398, height=312, rx=14, class_="felt")]
    parts += [_row(shown, k) for k in range(len(SETS))]
    parts.append(_points(shown))
    parts += _sheet(shown)
    parts += _strip(shown)
    parts.append(label(320, 416, standing(shown).capitalize(), "ink", 16))
    return drawing.document(640, 440, "Krakatoa: " + standing(shown), parts, STYLE)


def _row(shown: Shown, k: int) -> str:
    """A set: its name, its dice and their points."""
    which, y = SETS[k], 68 + 92 * k
    held = _held(shown, which)
    parts = [label(30, y - 8, which, "ink left", 17)]
    if held or _due(shown) == which:
        parts.append(label(30, y + 12, "in hand" if held else "to throw", "soft left", 13))
    for n in range(3):
        parts.append(_die(shown, which, 3 * k + n, 126 + 79 * n, y))
    if shown["dice"] is not None and not held:
        fall = shown["dice"].split()[k]
        parts += [
            label(400, y - 9, name(fall), "ink right", 15),
            label(400, y + 11, VALUES[name(fall)], "ink right", 17),
        ]
    return "".join(parts)


def _points(shown: Shown) -> str:
    if shown["dice"] is None or shown["aim"]:
        return ""
    return label(400, 312, f"points shown: {_sum(shown['dice'].split())}", "soft right", 13)


def _die(shown: Shown, which: str, i: int, x: float, y: float) -> str:
    """A dodecahedron from above: the top face, and the five around it."""
    if shown["dice"] is None or _held(shown, which):
        return _gone(which, x, y)
    letter = shown["dice"].replace(" ", "")[i]
    die = _solid(which, x, y, TURNED[i] * pi / 180) + _spot(letter, x, y)
    return die + (_crosshair(shown["thrower"], x, y) if _aimed_at(shown, DICE[i]) else "")


def _gone(which: str, x: float, y: float) -> str:
    """The place of a die that is still in the hand."""
    points = drawing.polygon(x, y, RADIUS, 10)
    return tag("polygon", points=points, fill=BODY[which], opacity=0.35) + tag(
        "polygon", points=points, fill="none", stroke="var(--soft)", stroke_dasharray="4 4"
    )


def _corner(x: float, y: float, radius: float, angle: float) -> str:
    return f"{x + radius * cos(angle):.1f},{y + radius * sin(angle):.1f}"


def _solid(which: str, x: float, y: float, turn: float) -> str:
    inner = RADIUS / GOLDEN
    edge: dict[str, Any] = {"stroke": EDGE[which], "stroke_width": 1.2, "stroke_linejoin": "round"}
    parts = []
    for k in range(5):
        a, middle, b = (turn + pi / 5 * (2 * k + step) for step in (0, 1, 2))
        face = [_corner(x, y, inner, a), *(_corner(x, y, RADIUS, c) for c in (a, middle, b)), _corner(x, y, inner, b)]
        shade = 0.16 + 0.14 * sin(middle + 0.6)
        parts.append(tag("polygon", points=" ".join(face), fill=BODY[which], **edge))
        parts.append(tag("polygon", points=" ".join(face), fill="#000", fill_opacity=f"{shade:.2f}"))
    top = " ".join(_corner(x, y, inner, turn + 2 * pi / 5 * k) for k in range(5))
    return "".join(parts) + tag("polygon", points=top, fill=BODY[which], **edge)


def _spot(letter: str, x: float, y: float) -> str:
    """The top face's colour: a disc for yellow, a triangle for red, a square for blue."""
    fill, ink = SPOT[letter]
    edge: dict[str, Any] = {"fill": fill, "stroke": ink, "stroke_width": 0.8}
    if letter == "Y":
        shape = tag("circle", cx=x, cy=y, r=13, **edge)
    elif letter == "R":
        shape = tag("polygon", points=drawing.polygon(x, y, 18, 3), **edge)
    else:
        shape = tag("polygon", points=drawing.polygon(x, y, 16, 4), **edge)
    return shape + tag(
        "text", letter, x=x, y=y + (2 if letter == "R" else 0.5), fill=ink, font_size=14, font_weight="bold"
    )


def _crosshair(seat: int, x: float, y: float) -> str:
    r = RADIUS + 4
    ring: dict[str, Any] = {"fill": "none", "stroke": f"var(--seat{seat})", "stroke_width": 3}
    bars = "".join(
        f"M{x + dx * (r - 6):.1f} {y + dy * (r - 6):.1f}L{x + dx * (r + 6):.1f} {y + dy * (r + 6):.1f}"
        for dx, dy in ((0.71, 0.71), (-0.71, 0.71), (0.71, -0.71), (-0.71, -0.71))
    )
    return tag("circle", cx=x, cy=y, r=r, **ring) + tag("path", d=bars, **ring)


def _sheet(shown: Shown) -> list[str]:
    """The totals, and the marks for the next two throws."""
    sides = len(shown["totals"])
    step = 312 / max(sides, 3)
    parts = [tag("rect", x=428, y=16, width=196, height=312, rx=14, class_="sheet")]
    for side in range(sides):
        parts.append(_line(shown, side, 16 + step * side, step))
    return parts


def _line(shown: Shown, side: int, top: float, height: float) -> str:
    y = top + height / 2
    parts = []
    if _throws(shown, side):
        parts.append(tag("path", d=f"M434 {y - 20:.1f}l7 6l-7 6z", class_="ink"))
    for k, seat in enumerate(_seats(shown, side)):
        resting = shown["phase"] not in ("throwoff", "over") and seat not in shown["order"]
        token = drawing.token(459 + 30 * k, y - 14, seat, 11, seat)
        parts.append(tag("g", token, opacity=0.4) if resting else token)
    parts.append(label(610, y - 14, shown["totals"][side], "ink right", 26))
    parts.append(_below(shown, side, y + 20))
    if side + 1 < len(shown["totals"]):
        parts.append(tag("path", d=f"M440 {top + height:.1f}h172", stroke="var(--faint)"))
    return "".join(parts)


def _below(shown: Shown, side: int, y: float) -> str:
    """What is under a total: the opening roll, then the marks."""
    if shown["throwoff"][side]:
        return label(448, y, f"{shown['throwoff'][side]}, {name(shown['throwoff'][side])}", "soft left", 15)
    if not _advanced(shown) or not shown["round"]:
        return ""
    soon, later = shown["marks"][side]
    return _mark(448, y, "next", soon) + _mark(534, y, "then", later)


def _mark(x: float, y: float, when: str, mark: str) -> str:
    box = tag("rect", x=x + 36, y=y - 11, width=34, height=22, rx=4, class_="now" if mark else "box")
    return label(x, y, when, "soft left", 14) + box + label(x + 53, y - 1, mark, "on-now", 15)


def _strip(shown: Shown) -> list[str]:
    """The round's throws, and the bonus boxes of the game."""
    parts = [label(20, 364, f"Round {shown['round']} of {ROUNDS}" if shown["round"] else "Throw-off", "ink left", 16)]
    for n, what in enumerate(STEPS, 1):
        parts.append(_step(142 + 66 * (n - 1), 60, f"{n} {what}", shown["throw"] == n, 1.0))
    if _advanced(shown):
        parts.append(label(490, 364, "bonus", "soft left", 14))
        for n in range(1, BOXES + 1):
            parts.append(_bonus(shown, n))
    return parts


def _step(x: float, width: float, text: str, now: bool, opacity: float) -> str:
    box = tag("rect", x=x, y=350, width=width, height=28, rx=5, class_="now" if now else "box", opacity=opacity)
    return box + label(x + width / 2, 364, text, "on-now" if now else "ink", 14)


def _bonus(shown: Shown, n: int) -> str:
    """A box: free, in use, or crossed out."""
    used = BOXES - shown["boxes_left"]
    now = shown["throw"] > THROWS and shown["phase"] != "over" and n == used + 1
    x = 534 + 30 * (n - 1)
    cross = tag("path", d=f"M{x + 5} 357l16 14m0 -14l-16 14", class_="line") if n <= used else ""
    return _step(x, 26, "", now, 1.0) + cross
