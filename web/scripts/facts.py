"""Write what the client draws from into `web/`: the facts of each board, and positions of real games for its tests.

The facts stand in the games' own `board.py`; this copies them, so that nobody types them twice.
`python web/scripts/facts.py` writes them anew; a test keeps them current.
"""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import archipel
from archipel.core.state import State
from archipel.games.kahuna import board as kahuna
from archipel.games.krakatoa import board as krakatoa
from archipel.games.krakatoa.dice import aim, shape, tray
from archipel.games.kula_kula import board as kula_kula
from archipel.games.stonehenge import board as stonehenge
from archipel.games.stonehenge.picture import ENDS

WEB = Path(__file__).parents[1]
Is = Callable[[State], bool]


def facts() -> dict[str, Any]:
    """What never changes on each board."""
    return {
        "kahuna": {
            "islands": list(kahuna.ISLANDS),
            "lines": list(kahuna.LINES),
            "xy": {name: list(kahuna.XY[name]) for name in kahuna.ISLANDS},
            "degree": {name: int(n) for name, n in zip(kahuna.ISLANDS, kahuna.DEGREE, strict=True)},
            "rounds": kahuna.ROUNDS,
        },
        "stonehenge": {
            "cells": list(stonehenge.CELLS),
            "lines": list(stonehenge.LINES),
            "xy": {cell: list(stonehenge.XY[cell]) for cell in stonehenge.CELLS},
            "ends": {line: list(ENDS[line]) for line in stonehenge.LINES},
            "megaliths": stonehenge.MEGALITHS,
        },
        "kula_kula": kula_kula.BOARD | {"steps": dict(zip(kula_kula.KINDS[:2], (1, 2), strict=True))},
        "krakatoa": {
            "sets": list(krakatoa.SETS),
            "dice": list(krakatoa.DICE),
            "falls": {letters: _fall(krakatoa.name(letters)) for letters in krakatoa.WRITTEN},
            "rounds": krakatoa.ROUNDS,
            "throws": krakatoa.THROWS,
            "boxes": krakatoa.BOXES,
            "die": {
                "inradius": shape.INRADIUS,
                "colours": shape.COLOURS,
                "normals": shape.NORMALS.round(6).tolist(),
            },
            "tray": {"radius": tray.RADIUS, "sides": tray.SIDES, "grid": tray.GRID},
            "aim": {
                "strength": [aim.WEAKEST, aim.USUAL, aim.STRONGEST],
                "spread": [aim.NARROWEST, aim.WIDEST],
                "back": round(float(aim.BACK), 4),
            },
        },
    }  # fmt: skip


def _fall(name: str) -> dict[str, Any]:
    return {"name": name, "points": krakatoa.VALUES[name]}


def _turn(seat: int, *, actions: int = 2, where: Is = lambda state: True) -> Is:
    """Is it this seat's turn, with so much to choose from?"""
    return lambda state: state.mover == seat and len(state.actions()) >= actions and where(state)


def _over(state: State) -> bool:
    return state.mover == archipel.OVER


def _does(verb: str) -> Is:
    return lambda state: any(state.decode(action)["do"] == verb for action in state.actions())


def _has(key: str) -> Is:
    return lambda state: any(key in state.decode(action) for action in state.actions())


def _at(**wanted: Any) -> Is:
    return lambda state: all(state.snapshot()[key] == value for key, value in wanted.items())


def _landing(state: State) -> bool:
    snapshot = state.snapshot()
    return bool(snapshot["phase"] == "land" and snapshot["aim"])


def _many_bridges(state: State) -> bool:
    snapshot = state.snapshot()
    return snapshot["round"] == 2 and min(map(len, snapshot["stones"])) >= 2 and len(snapshot["hands"][0]) == 5


POSITIONS: list[tuple[str, str, dict[str, Any], int | None, Is]] = [
    ("kahuna", "opening", {}, 0, _turn(0)),
    ("kahuna", "middle", {}, 0, _turn(0, where=lambda s: _does("cut")(s) and _many_bridges(s))),
    ("kahuna", "guarded", {"guarded": True, "open_cards": True}, 0, _turn(0, where=_does("refill"))),
    ("kahuna", "copies", {"open_cards": True, "open_copy": "choose"}, 0, _turn(0, where=_has("hidden"))),
    ("kahuna", "handicap", {"handicap": [2, 0]}, 0, _turn(0, where=_at(phase="handicap"))),
    ("kahuna", "watching", {}, None, _turn(1, where=lambda s: _does("cut")(s) and _at(round=2)(s))),
    ("kahuna", "over", {}, 0, _over),
    ("stonehenge", "opening", {}, 0, _turn(0)),
    ("stonehenge", "middle", {}, 0, _turn(0, where=lambda s: len(s.snapshot()["cells"]) == 10)),
    ("stonehenge", "hidden", {"hidden": True}, 0, _turn(0, where=lambda s: len(s.snapshot()["cells"]) == 12)),
    ("stonehenge", "claiming", {"claims": "manual"}, 0, _turn(0, actions=3, where=_does("claim"))),
    ("stonehenge", "over", {}, 0, _over),
    ("kula_kula", "opening", {}, 0, _turn(0)),
    ("kula_kula", "push", {"players": 4}, 0, _turn(0, where=lambda s: len(s.snapshot()["drawn"]) == 3)),
    ("kula_kula", "trade", {"players": 3}, 0, _turn(0, where=_does("trade"))),
    ("kula_kula", "five", {"players": 5, "return_home": True}, 0, _turn(0, where=lambda s: s.snapshot()["turn"] == 60)),
    ("kula_kula", "over", {}, 0, _over),
    ("krakatoa", "throwoff", {}, 0, _at(phase="throwoff")),
    ("krakatoa", "decide", {}, 0, _turn(0, where=_at(phase="decide", round=2))),
    ("krakatoa", "any", {"players": 3}, 0, _turn(0, where=_at(phase="throw", throw=2, round=3))),
    ("krakatoa", "steam", {"players": 4, "teams": True}, 0, _turn(0, where=_at(phase="throw", throw=3, round=3))),
    ("krakatoa", "land", {}, 1, _landing),
    ("krakatoa", "over", {}, 0, _over),
]


def _played(game: archipel.Game, seed: int) -> Iterator[tuple[int | None, State]]:
    """Every position of one game at random, and the action that led there."""
    rng = np.random.default_rng(seed)
    state = game.new()
    yield None, state
    while state.mover != archipel.OVER:
        chance = state.mover == archipel.CHANCE
        action = state.sample(rng) if chance else int(rng.choice(state.actions()))
        state = state.after(action)
        yield action, state


def _found(game: archipel.Game, seat: int | None, wanted: Is) -> list[tuple[int | None, State]]:
    """The first such position in game after game, with those that led to it since this seat acted."""
    for seed in range(1000):
        since: list[tuple[int | None, State]] = []
        for action, state in _played(game, seed):
            since.append((action, state))
            if wanted(state):
                return since
            if state.mover == (0 if seat is None else seat):
                since = [(action, state)]
    raise ValueError(f"No such position of {game.name} in a thousand games.")


def legal(state: State, seat: int | None) -> list[dict[str, Any]]:
    """What the seat may do, as the table sends it."""
    if seat is None or state.mover != seat:
        return []
    return [{"action": state.decode(action), "notation": state.notation(action)} for action in state.actions()]


def _told(state: State, action: int, seat: int | None) -> dict[str, Any]:
    """An action as the seat sees it, as the table sends it."""
    return state.decode(action) | dict.fromkeys(state.game.unseen(state, action, seat))


def position(name: str, options: dict[str, Any], seat: int | None, wanted: Is) -> dict[str, Any]:
    """What a seat gets at such a position."""
    since = _found(archipel.game(name, **options), seat, wanted)
    before, state = since[0][1], since[-1][1]
    return {
        "view": state.view(seat),
        "legal": legal(state, seat),
        "before": before.view(seat),
        "recent": [_told(then, action, seat) for (_, then), (action, _) in pairwise(since) if action is not None],
    }


def files() -> dict[Path, str]:
    """Everything that is written, by path."""
    written = {WEB / "src" / "games" / name / "facts.json": _text(known) for name, known in facts().items()}
    for name, about, options, seat, wanted in POSITIONS:
        path = WEB / "fixtures" / name / f"{about}.json"
        written[path] = _text(position(name, options, seat, wanted))
    return written


def _text(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False) + "\n"


def main() -> None:
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(WEB))


if __name__ == "__main__":
    main()
