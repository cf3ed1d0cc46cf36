"""Drawings of a Kula Kula position: text for a terminal, and a sea chart as SVG."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any, Protocol

from archipel.core.drawing import document, label, tag, token

from .board import KINDS, Board

Shown = Mapping[str, Any]


class Sea(Protocol):
    """What a picture takes from the game."""

    board: Board
    seats: int
    options: dict[str, Any]


# In a terminal.


def text(game: Sea, shown: Shown) -> str:
    """The ring in two columns, clockwise down the right and up the left; then cards, shells and seats."""
    cells = [_cell(game, shown, space) for space in range(len(game.board.ring))]
    half = (len(cells) + 1) // 2
    left = [*reversed(cells[half:]), ""]
    rows = [f"  {a:<30}|  {b}".rstrip() for a, b in zip(left, cells[:half], strict=False)]
    cards = "   ".join(f"{pile} {_counts(shown[pile])}" for pile in ("deck", "discard"))
    drawn = f"   drawn {' '.join(shown['drawn'])}" if shown["drawn"] else ""
    seats = [_seat(game, shown, seat) for seat in range(game.seats)]
    return "\n".join([*rows, "", f"  {cards}{drawn}", f"  supply {shown['supply']}", *seats, f"  {standing(shown)}"])


def _cell(game: Sea, shown: Shown, space: int) -> str:
    """An island with its Kauri as stars, or a sea space with its Pukas as rings; and the boats there."""
    place = game.board.ring[space]
    if isinstance(place, str):
        number = game.board.island_numbers.get(place)
        name = place if number is None else f"{place} {number}"
        shells = _tally(shown["islands"][place], "*") + _tally(shown["sea"].get(str(number), 0), "o")
    else:
        name, shells = f"{place:>2}", _tally(shown["sea"][str(place)], "o")
    boats = "".join(f"<{seat}>" for seat, boat in enumerate(shown["boats"]) if boat == space)
    return f"{name:<12}{shells:<6}{boats}".rstrip()


def _tally(n: int, mark: str) -> str:
    return mark * n if n <= 4 else f"{n}{mark}"


def _counts(cards: dict[str, int]) -> str:
    return " ".join(f"{n} {kind}" for kind, n in cards.items())


def _seat(game: Sea, shown: Shown, seat: int) -> str:
    return f"  <{seat}> {shown['kauris'][seat]} of {game.board.goal} Kauri, {_plural(_pukas(shown, seat), 'Puka')}"


def _pukas(shown: Shown, seat: int) -> int | str:
    """The number of Pukas behind a screen, if it is known."""
    pukas: int | None = shown["pukas"][seat]
    return "?" if pukas is None else pukas


def standing(shown: Shown) -> str:
    """Who is to do what, or who has won."""
    winner = shown["winner"]
    if winner is not None:
        return f"seats {_listed(winner)} share the win" if isinstance(winner, list) else f"seat {winner} has won"
    seat = shown["turn"] % len(shown["boats"])
    texts = {
        "choose": f"seat {seat} may sail or ask the oracle",
        "dolphin": f"the dolphin turns for seat {seat}",
        "card": f"a card is turned up for seat {seat}",
        "push": f"seat {seat} may draw again or go {_steps(shown)}",
        "trade": f"seat {seat} may trade or stop",
    }
    return texts[shown["phase"]]


def _steps(shown: Shown) -> int:
    return sum(KINDS.index(card) + 1 for card in shown["drawn"])


def _plural(n: int | str, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _listed(seats: list[int]) -> str:
    return ", ".join(map(str, seats[:-1])) + f" and {seats[-1]}"


# SVG: the ring around the oracle, the screens below.

WIDTH, HEIGHT = 960, 812
X, Y = WIDTH / 2, 322.0
RX, RY = 386.0, 240.0
SCREENS = 664
STYLE = """
.sea{fill:var(--sea)}.frame{fill:none;stroke:var(--ink)}.wave{fill:none;stroke:var(--soft);opacity:.35}
.land{fill:var(--land);stroke:var(--ink);stroke-width:1.3}.shoal{fill:var(--paper);opacity:.45}
.route{fill:none;stroke:var(--soft);stroke-width:2;stroke-dasharray:2 7;stroke-linecap:round}
.name{font-style:italic;paint-order:stroke;stroke:var(--sea);stroke-width:4px;stroke-linejoin:round}
.puka,.kauri{fill:#fbf3df;stroke:#3a2f22;stroke-width:1.3}.hole{fill:#8fb3bd;stroke:#3a2f22}
.slit{stroke:#3a2f22;stroke-width:1.2;fill:none}
.rose{fill:var(--paper);stroke:var(--soft);opacity:.55}.deep{fill:var(--seat1)}.wood{fill:var(--ink)}
.card{fill:var(--paper);stroke:var(--ink);stroke-width:1.2}
.pattern{fill:none;stroke:var(--seat1);stroke-width:1.2;opacity:.7}
.leaf{fill:var(--paper);stroke-linejoin:round}.crease{fill:none;stroke:var(--soft);stroke-width:1.2}
.now{stroke:var(--ink);stroke-width:3}.then{stroke:var(--soft);stroke-width:1.2}
"""


def svg(game: Sea, shown: Shown) -> str:
    """A sea chart of the ring, with boats, shells, cards and what each seat has collected."""
    spaces = _places(len(game.board.ring))
    parts = [*_water(), *_oracle(shown)]
    names = []
    for (x, y, size), place in zip(spaces, game.board.ring, strict=True):
        if isinstance(place, str):
            parts += _island(x, y, size, place, shown["islands"][place])
            if place in game.board.island_numbers:
                number = game.board.island_numbers[place]
                parts += _beach(x, y, size, number, shown["sea"][str(number)])
            if game.options["return_home"]:
                parts += _homes(game, x, y, size, place)
            names.append(_name(x, y, size, place))
        else:
            parts += _sea_space(x, y, size, place, shown["sea"][str(place)])
    parts += names
    for space in sorted(set(shown["boats"])):
        parts += _fleet(shown, space, *spaces[space])
    parts += _screens(game, shown)
    parts.append(label(X, HEIGHT - 22, standing(shown).capitalize(), "soft", 17))
    return document(WIDTH, HEIGHT, "Kula Kula: " + standing(shown), parts, STYLE)


@cache
def _places(spaces: int) -> list[tuple[float, float, float]]:
    """The position of each space, evenly spaced along the oval from its top, clockwise; and its maximum size."""
    steps = 3600
    rim = [(X + RX * sin(2 * pi * k / steps), Y - RY * cos(2 * pi * k / steps)) for k in range(steps + 1)]
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(rim))
    size = min(34.0, 0.42 * length / spaces)
    places = []
    gone, k = 0.0, 0
    for space in range(spaces):
        while gone < length * space / spaces:
            gone += hypot(rim[k + 1][0] - rim[k][0], rim[k + 1][1] - rim[k][1])
            k += 1
        places.append((*rim[k], size))
    return places


def _water() -> Iterator[str]:
    yield tag("rect", x=14, y=14, width=WIDTH - 28, height=SCREENS - 30, rx=10, class_="sea")
    yield tag("rect", x=14, y=14, width=WIDTH - 28, height=SCREENS - 30, rx=10, class_="frame", stroke_width=2)
    yield tag("rect", x=20, y=20, width=WIDTH - 40, height=SCREENS - 42, rx=6, class_="frame", stroke_width=0.7)
    for x, y in ((60, 66), (850, 70), (66, 588), (836, 590), (300, 178), (604, 190), (296, 462), (612, 452)):
        yield tag("path", d=f"M{x} {y}q9 -9 18 0t18 0t18 0m-44 11q9 -9 18 0t18 0", class_="wave", stroke_width=1.6)
    yield tag("ellipse", cx=X, cy=Y, rx=RX, ry=RY, class_="route")


def _island(x: float, y: float, size: float, name: str, kauri: int) -> Iterator[str]:
    yield tag("path", d=_coast(x, y, size * 1.22, name), class_="shoal")
    yield tag("path", d=_coast(x, y, size, name), class_="land")
    yield from _shells(x, y, size * 0.34, kauri, _kauri)


def _beach(x: float, y: float, size: float, number: int, pukas: int) -> Iterator[str]:
    """A numbered island's number, and its Pukas."""
    yield label(x - size * 0.62, y + size * 0.55, number, "ink", max(7, round(size * 0.34)))
    yield from _shells(x + size * 0.2, y + size * 0.58, size * 0.16, pukas, _puka)


def _homes(game: Sea, x: float, y: float, size: float, name: str) -> Iterator[str]:
    """A pennant for each seat that must come home here."""
    homes = [seat for seat, home in enumerate(game.board.starts) if home == name]
    for k, seat in enumerate(homes):
        yield _pennant(x - size * 0.1 + k * size * 0.42, y - size * 0.42, seat, size * 0.55)


def _name(x: float, y: float, size: float, name: str) -> str:
    """An island's name on its outer side, so that boats do not hide it."""
    aside = -size * 1.38 if y < Y - 1 else size * 1.34
    return label(x, y + aside, name, "ink name", max(9, round(size * 0.42)))


def _coast(x: float, y: float, size: float, name: str) -> str:
    """An outline for each island, always the same."""
    turn = sum(i * ord(letter) for i, letter in enumerate(name, 1))
    points = []
    for k in range(14):
        angle = 2 * pi * k / 14
        far = size * (1 + 0.09 * sin(3 * angle + turn) + 0.06 * sin(5 * angle + 1.7 * turn))
        points.append((x + far * cos(angle), y + 0.86 * far * sin(angle)))
    return _smooth(points)


def _smooth(points: list[tuple[float, float]]) -> str:
    """A closed smooth curve through the points."""
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(points, points[1:] + points[:1], strict=True)]
    bends = "".join(
        f"Q{px:.1f} {py:.1f} {mx:.1f} {my:.1f}"
        for (px, py), (mx, my) in zip(points[1:] + points[:1], middles[1:] + middles[:1], strict=True)
    )
    return f"M{middles[0][0]:.1f} {middles[0][1]:.1f}{bends}Z"


def _pennant(x: float, y: float, seat: int, size: float) -> str:
    staff = tag("path", d=f"M{x:.1f} {y:.1f}v{-size:.1f}", stroke="var(--ink)", stroke_width=1.5)
    flag = f"M{x:.1f} {y - size:.1f}l{0.65 * size:.1f} {0.22 * size:.1f}l{-0.65 * size:.1f} {0.22 * size:.1f}z"
    return staff + tag("path", d=flag, class_=f"seat{seat}", stroke="var(--ink)", stroke_width=0.8)


def _sea_space(x: float, y: float, size: float, number: int, pukas: int) -> Iterator[str]:
    yield tag("circle", cx=x, cy=y, r=size * 0.66, class_="paper", stroke="var(--soft)", stroke_width=1.3)
    if pukas:
        yield from _shells(x, y + size * 0.17, size * 0.18, pukas, _puka)
        yield label(x, y - size * 0.33, number, "ink", max(7, round(size * 0.34)))
    else:
        yield label(x, y, number, "ink", max(8, round(size * 0.44)))


def _shells(x: float, y: float, size: float, count: int, shell: Any) -> Iterator[str]:
    """Up to three shells side by side; more are shown as a number."""
    if count > 3:
        yield shell(x - size * 0.9, y, size)
        yield label(x + size * 0.75, y, count, "ink", max(8, round(size * 1.5)))
        return
    for k in range(count):
        yield shell(x + (k - (count - 1) / 2) * size * 1.75, y, size)


def _kauri(x: float, y: float, size: float) -> str:
    """A cowrie, with its slit visible."""
    body = tag("ellipse", cx=x, cy=y, rx=size * 0.78, ry=size, class_="kauri")
    slit = f"M{x:.1f} {y - size * 0.7:.1f}q{-size * 0.35:.1f} {size * 0.7:.1f} 0 {size * 1.4:.1f}"
    teeth = "".join(f"M{x - size * 0.35:.1f} {y + size * d:.1f}h{size * 0.5:.1f}" for d in (-0.3, 0.0, 0.3))
    return body + tag("path", d=slit + teeth, class_="slit")


def _puka(x: float, y: float, size: float) -> str:
    """A shell ring with its hole."""
    return tag("circle", cx=x, cy=y, r=size, class_="puka") + tag("circle", cx=x, cy=y, r=size * 0.34, class_="hole")


def _fleet(shown: Shown, space: int, x: float, y: float, size: float) -> Iterator[str]:
    """The boats at a space, on its inner side, side by side."""
    here = [seat for seat, boat in enumerate(shown["boats"]) if boat == space]
    dx, dy = (X - x) / RX**2, (Y - y) / RY**2
    dx, dy = dx / hypot(dx, dy), dy / hypot(dx, dy)
    room = size * 1.5 + 6
    boat = max(9.0, size * 0.42)
    for k, seat in enumerate(here):
        aside = (k - (len(here) - 1) / 2) * boat * 2.3
        yield _boat(x + dx * room - dy * aside, y + dy * room + dx * aside, seat, boat)


def _boat(x: float, y: float, seat: int, size: float) -> str:
    hull = f"M{x - size * 1.25:.1f} {y + size * 0.85:.1f}q{size * 1.25:.1f} {size * 1.5:.1f} {size * 2.5:.1f} 0z"
    return tag("path", d=hull, class_="wood", stroke="var(--sea)") + token(x, y, seat, size, seat)


def _oracle(shown: Shown) -> Iterator[str]:
    """Dolphin, deck, discards, the cards drawn, the supply."""
    yield _dolphin()
    yield from _pile(X - 165, Y - 8, "in the deck", shown["deck"], back=True)
    yield from _pile(X + 165, Y - 8, "discarded", shown["discard"], back=False)
    yield _puka(X, Y - 136, 8)
    yield label(X, Y - 116, f"{shown['supply']} in the supply", "ink", 14)
    drawn = shown["drawn"]
    step = min(38.0, 260 / max(1, len(drawn)))
    for k, kind in enumerate(drawn):
        yield from _card(X + (k - (len(drawn) - 1) / 2) * step, Y + 122, kind, 0.62)
    if drawn:
        yield label(X, Y + 158, _plural(_steps(shown), "space"), "ink", 14)


def _dolphin() -> str:
    body = (
        "M-46 14C-38 -16 -6 -34 26 -20C34 -18 40 -12 44 -4L60 0L45 5C34 8 22 4 14 2C10 12 2 18 -8 20C-4 14 -4 8 -4 4"
        "C-18 2 -32 6 -42 22C-44 30 -52 34 -62 32C-56 28 -54 24 -54 20C-60 18 -66 12 -66 4C-58 8 -50 10 -46 14Z"
    )
    fin = "M-2 -25C-8 -34 -16 -40 -26 -40C-20 -34 -20 -28 -20 -19Z"
    eye = tag("circle", cx=34, cy=-9, r=2.4, fill="var(--paper)")
    drawn = tag("path", d=body + fin, class_="deep") + eye
    points = [(92, 62, 76, 62)[k % 4] for k in range(16)]
    star = " ".join(f"{far * sin(pi * k / 8):.1f},{-far * cos(pi * k / 8):.1f}" for k, far in enumerate(points))
    base = tag("polygon", points=star, class_="rose")
    base += tag("circle", r=58, class_="paper") + tag("circle", r=58, class_="frame", stroke_width=1.2)
    return tag("g", base + tag("g", drawn, transform="scale(.8)"), transform=f"translate({X:.0f} {Y:.0f})")


def _pile(x: float, y: float, name: str, cards: dict[str, int], back: bool) -> Iterator[str]:
    total = sum(cards.values())
    for lift in (4, 2, 0) if total > 2 else (0,) * min(1, total):
        yield tag("rect", x=x - 60 - lift, y=y - 38 - lift, width=52, height=76, rx=6, class_="card")
    if total == 0:
        yield tag("rect", x=x - 60, y=y - 38, width=52, height=76, rx=6, class_="line", stroke_dasharray="3 4")
    elif back:
        yield tag(
            "path", d=f"M{x - 52} {y}q9 -18 18 0t18 0m-36 -16q9 -18 18 0t18 0m-36 32q9 -18 18 0t18 0", class_="pattern"
        )
    for k, kind in enumerate(KINDS):
        yield _figure(x + 14, y - 26 + 26 * k, kind, 0.55)
        yield label(x + 32, y - 26 + 26 * k, cards[kind], "ink left", 16)
    yield label(x - 4, y + 58, f"{total} {name}", "ink", 14)


def _card(x: float, y: float, kind: str, scale: float) -> Iterator[str]:
    yield tag("rect", x=x - 16, y=y - 23, width=32, height=46, rx=4, class_="card")
    yield _figure(x, y, kind, scale)


FIGURES = {
    "boat": tag("path", d="M-18 6H18Q12 18 0 18T-18 6Z", class_="wood")
    + tag("path", d="M0 4V-18Q16 -8 15 3Z", class_="seat0")
    + tag("path", d="M-3 4V-14Q-14 -6 -14 3Z", class_="seat2"),
    "fish": tag("path", d="M-18 -9Q-14 -2 -6 -4Q6 -14 18 -4Q6 6 -6 -3Q-14 -4 -18 1Z", class_="seat1")
    + tag("path", d="M-16 8Q-12 15 -4 13Q6 4 16 13Q6 22 -4 14Q-12 13 -16 18Z", class_="seat1"),
    "idol": tag("path", d="M-12 -18H12L15 -4L10 18H-10L-15 -4Z", class_="wood")
    + tag("path", d="M-8 -9H-2M2 -9H8M0 -8V2M-6 9H6", stroke="var(--paper)", stroke_width=3, fill="none"),
}


def _figure(x: float, y: float, kind: str, scale: float) -> str:
    return tag("g", FIGURES[kind], transform=f"translate({x:.1f} {y:.1f}) scale({scale})")


def _screens(game: Sea, shown: Shown) -> Iterator[str]:
    """A folding screen for each seat, with what it has collected."""
    width = (WIDTH - 28 - 12 * (game.seats - 1)) / game.seats
    marked = _marked(shown)
    for seat in range(game.seats):
        x, y = 14 + seat * (width + 12), SCREENS
        yield from _screen(x, y, width, seat in marked)
        yield token(x + 28, y + 28, seat, 13, seat)
        yield label(x + 52, y + 28, f"Seat {seat}", "ink left", 17)
        yield _kauri(x + 26, y + 70, 10)
        yield label(x + 42, y + 70, f"{shown['kauris'][seat]} of {game.board.goal}", "ink left", 17)
        yield _puka(x + width * 0.62, y + 70, 9)
        yield label(x + width * 0.62 + 16, y + 70, _pukas(shown, seat), "ink left", 17)


def _screen(x: float, y: float, width: float, now: bool) -> Iterator[str]:
    """Three panels, folded to and fro."""
    leaf = width / 3
    fold = f"l{leaf:.1f} 7l{leaf:.1f} -7l{leaf:.1f} 7"
    back = f"l{-leaf:.1f} -7l{-leaf:.1f} 7l{-leaf:.1f} -7"
    outline = f"M{x:.1f} {y:.1f}{fold}v92{back}z"
    yield tag("path", d=outline, class_="leaf " + ("now" if now else "then"))
    creases = f"M{x + leaf:.1f} {y + 7:.1f}v9m0 74v9M{x + 2 * leaf:.1f} {y:.1f}v9m0 74v9"
    yield tag("path", d=creases, class_="crease")


def _marked(shown: Shown) -> list[int]:
    """The highlighted screens: of the seat whose turn it is, or of the winners."""
    winner = shown["winner"]
    if winner is None:
        return [shown["turn"] % len(shown["boats"])]
    return winner if isinstance(winner, list) else [winner]
