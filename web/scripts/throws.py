"""Write a throw, and aims that were judged by the table, for the tests of the client's tray.

`python web/scripts/throws.py` writes `web/tests/throws.json` anew. No test compares it: another version of the engine
throws otherwise, and the client has to read what it is sent.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

import archipel
from archipel.games.krakatoa.board import FACES
from archipel.games.krakatoa.dice import Aim, InvalidAim, Physics, Trajectory, Tray
from archipel.games.krakatoa.dice.aim import NARROWEST, STRONGEST, WEAKEST, WIDEST
from archipel.games.krakatoa.dice.shape import lying

WRITTEN = Path(__file__).parents[1] / "tests" / "throws.json"


def throw(rng: np.random.Generator) -> dict[str, Any]:
    """All nine land, then lava is thrown at ash: the trajectory of that, and its poses."""
    state, tray = archipel.game("krakatoa").new(), None
    while state.mover == archipel.CHANCE:
        landed = Physics().throw(state, None, rng, tray)
        state, tray = state.after(landed.landing), landed.tray
    assert tray is not None
    state = state.after(state.parse("keep"))
    aim = Aim.at(tray, "ash2", 90.0)
    landed = Physics().throw(state.after(state.parse("lava>ash2")), aim, rng, tray)
    assert landed.trajectory is not None
    assert landed.tray is not None
    seen = Trajectory.decode(landed.trajectory)
    return {
        "trajectory": base64.b64encode(landed.trajectory).decode(),
        "dice": seen.dice,
        "frames": len(seen),
        "poses": {str(frame): seen.poses[frame].round(5).tolist() for frame in (0, len(seen) // 2, len(seen) - 1)},
        "before": tray.json(),
        "after": landed.tray.json(),
        "written": Tray(tray.lies).written,
    }


def judged(rng: np.random.Generator, count: int) -> list[dict[str, Any]]:
    """Aims anywhere in the tray, and where the table puts the hand; null where it finds no room for it."""
    aims = []
    while len(aims) < count:
        x, y = rng.uniform(-19, 19, 2).round(2).tolist()
        if abs(x) + abs(y) > 20:
            continue
        said = {"x": x, "y": y, "direction": float(rng.integers(-180, 180))}
        said |= {"strength": float(rng.integers(WEAKEST, STRONGEST)), "spread": float(rng.uniform(NARROWEST, WIDEST))}
        try:
            hand = Aim.read(said).hand[:, :2].round(5).tolist()
        except InvalidAim:
            hand = None
        aims.append({"aim": said, "hand": hand})
    return aims


def main() -> None:
    rng = np.random.default_rng(3)
    lies = [[face, turn, lying(face, turn).round(6).tolist()] for face in range(FACES) for turn in (0.0, 1.0)]
    content = {"throw": throw(rng), "aims": judged(rng, 60), "lies": lies}
    WRITTEN.write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
