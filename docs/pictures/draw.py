"""Draws the pictures of the documentation: one position of each game, from a fixed seed, and plots."""

from pathlib import Path

import numpy as np

import archipel
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


def draw() -> dict[str, str]:
    """Every picture by its file's name."""
    positions = {f"{name}.svg": position(name)._repr_svg_() + "\n" for name in POSITIONS}
    return positions | {"dice-calibration.svg": calibration() + "\n"}


if __name__ == "__main__":
    for name, picture in draw().items():
        (Path(__file__).parent / name).write_text(picture, "utf-8")
