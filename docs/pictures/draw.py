"""Draws the pictures of the documentation: one position of each game, from a fixed seed, and plots."""

from collections import Counter
from pathlib import Path

import numpy as np

import archipel
from archipel.core import puzzles, registry
from archipel.core.drawing import document, label, tag
from archipel.games.krakatoa.dice.model import fitted

POSITIONS = {"kahuna": 118, "krakatoa": 60, "kula_kula": 160, "stonehenge": 11}
"""How many actions into a random game each picture is taken."""


def position(name: str) -> archipel.State:
    """The position that is drawn."""
    rng = np.random.default_rng(4)
    state = archipel.game(name).new()
    for _ in range(POSITIONS[name]):
        if state.mover == archipel.CHANCE:
            action = state.sample(rng)
        else:
            actions = state.actions()
            action = actions[rng.integers(len(actions))]
        state = state.after(action)
    return state


def calibration() -> str:
    """What the model of the dice says, and what physics does, on throws that the model has not seen."""
    parts = [_panel(part, title, 70 + 330 * k) for k, (part, title) in enumerate(PANELS.items())]
    return document(690, 350, "How often a table die turns and a throw touches: said by the model, and seen", parts)


PANELS = {"turn": "a table die turns", "touch": "a throw touches"}
SIDE = 250


def _panel(part: str, title: str, left: int) -> str:
    """Said to the right, happened upwards; a bar is twice the error that chance makes."""
    drawn = [
        label(left + SIDE / 2, 24, title),
        label(left + SIDE / 2, 330, "said by the model", "soft", 13),
        tag("line", x1=left, y1=290, x2=left + SIDE, y2=290 - SIDE, class_="line", stroke_dasharray="4 4"),
        tag("rect", x=left, y=290 - SIDE, width=SIDE, height=SIDE, class_="line"),
    ]
    for tick in (0, 0.5, 1):
        drawn.append(label(left + SIDE * tick, 306, f"{tick:.0%}", "soft", 12))
        drawn.append(label(left - 22, 290 - SIDE * tick, f"{tick:.0%}", "soft", 12))
    for tenth in fitted()["held_out"][part]["calibration"]:
        x, y = left + SIDE * tenth["said"], 290 - SIDE * tenth["happened"]
        reach = SIDE * 2 * (tenth["happened"] * (1 - tenth["happened"]) / tenth["cases"]) ** 0.5
        drawn.append(tag("line", x1=x, x2=x, y1=y - reach, y2=y + reach, class_="line"))
        drawn.append(tag("circle", cx=x, cy=y, r=4.0, class_="seat1"))
    return "".join(drawn)


def grades() -> str:
    """How many puzzles of each game have which rating, in steps of a hundred."""
    parts = [_spread(game, 60 + 190 * row) for row, game in enumerate(puzzles.games())]
    return document(690, 10 + 190 * len(parts), "The ratings of the puzzles of each game", parts)


LOW, HIGH = 600, 2600


def _spread(game: str, top: int) -> str:
    """The shares of a game's puzzles by rating; thin lines part the grades."""
    found = Counter(puzzle.rating // 100 * 100 for puzzle in puzzles.load(game))
    count, most = sum(found.values()), max(found.values())
    place = lambda rating: 60 + 600 * (rating - LOW) / (HIGH + 100 - LOW)  # noqa: E731
    drawn = [label(60, top - 40, f"{registry.kind(game).title}: {count:,} puzzles", "ink left")]
    for rating, cases in sorted(found.items()):
        height = 85 * cases / most
        width = place(rating + 100) - place(rating) - 3
        drawn.append(tag("rect", x=place(rating), y=top + 80 - height, width=width, height=height, class_="seat1"))
        drawn.append(label(place(rating) + width / 2, top + 72 - height, f"{cases / count:.0%}", "soft", 10))
    drawn += [label(place(rating), top + 94, rating, "soft", 11) for rating in range(LOW, HIGH + 200, 500)]
    for grade, rating in enumerate(puzzles.GRADES, 2):
        x = place(rating) - 1.5
        drawn.append(tag("line", x1=x, x2=x, y1=top - 28, y2=top + 80, class_="line", stroke_dasharray="2 4"))
        drawn.append(label(x + 24, top - 22, f"grade {grade}", "soft", 11))
    drawn.append(tag("line", x1=60, x2=660, y1=top + 80, y2=top + 80, class_="line"))
    return "".join(drawn)


def draw() -> dict[str, str]:
    """Every picture by its file's name."""
    positions = {f"{name}.svg": position(name)._repr_svg_() + "\n" for name in POSITIONS}
    return positions | {"dice-calibration.svg": calibration() + "\n", "puzzle-grades.svg": grades() + "\n"}


if __name__ == "__main__":
    for name, picture in draw().items():
        (Path(__file__).parent / name).write_text(picture, "utf-8")
