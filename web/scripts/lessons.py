"""Write the first steps of each game: real positions, one after the other, and the action that each of them asks for.

`python web/scripts/lessons.py` writes them anew; a test keeps them current. Krakatoa's dice fell once, by physics, and
are kept in `lesson_throws.json`: another version of the engine throws otherwise. `lessons.py throw` throws them again.
"""

import base64
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import archipel
from archipel.core.state import State
from archipel.games.kahuna.board import ISLANDS
from archipel.games.krakatoa.dice import Aim, Physics, Tray
from archipel.games.krakatoa.dice.at_table import lies_of
from archipel.games.krakatoa.dice.thrower import hand

WEB = Path(__file__).parents[1]
THROWS = Path(__file__).with_name("lesson_throws.json")
LEARNER = 0

HANDS = [["ALOA", "BARI", "DUDA"], ["COCO", "ELAI", "HUNA"]]
ROW = ["BARI", "KAHU", "LALE"]
KAHUNA: dict[str, Any] = {
    "round": 1,
    "mover": 0,
    "bridges": [[], []],
    "stones": [[], []],
    "hands": HANDS,
    "shown": [[], []],
    "open": ROW,
    "deck": sorted((Counter([*ISLANDS] * 2) - Counter([*HANDS[0], *HANDS[1], *ROW])).elements()),
    "discard": [],
    "hidden_discard": [[], []],
    "scores": [0, 0],
    "passed": False,
    "last_turns": None,
}
"""An empty board, and hands that play the lesson."""


class Do(NamedTuple):
    """What is done next, as a player writes it; without it there is only something to read."""

    notation: str = ""
    words: str = ""
    """The name of the words before it; without words it just happens."""
    spot: str = ""
    """Where to look, if nothing is asked for: a CSS selector in the board."""
    picked: str = ""
    """A selector that is found once the first half is done, as a card that was chosen; then other words say the rest,
    those named `words` and `_then`."""
    strength: float = 120.0
    """Of a throw of dice."""


class Lesson(NamedTuple):
    """Where it begins, and what happens."""

    options: dict[str, Any]
    snapshot: dict[str, Any] | None
    script: list[Do]


CHOSEN = ".hand [aria-pressed=true]"
LESSONS = {
    "kahuna": Lesson(
        {},
        KAHUNA,
        [
            Do(words="goal", spot=".chart"),
            Do("ALOA>BARI", "build", picked=CHOSEN),
            Do("draw BARI", "draw"),
            Do("deal GOLA"),
            Do("HUNA>ALOA", "watch"),
            Do("ELAI>BARI"),
            Do("draw deck"),
            Do("deal FAAA"),
            Do("DUDA>ALOA", "hold", picked=CHOSEN),
            Do(words="strip", spot=".chart"),
            Do("x BARI-ELAI (BARI BARI)", "cut", picked=CHOSEN + " ~ [aria-pressed=true]"),
            Do("draw LALE", "end"),
            Do("deal IFFI"),
        ],
    ),
    "stonehenge": Lesson(
        {},
        None,
        [
            Do(words="goal", spot=".ring"),
            Do("3@A", "place", picked=CHOSEN),
            Do("1@B", "watch", spot="[data-line=AB]"),
            Do("6@G", "long", picked=CHOSEN),
            Do("2@D", "answer", spot="[data-line=BDGKO]"),
            Do("5@K", "ahead", picked=CHOSEN),
            Do("1@C"),
        ],
    ),
    "kula_kula": Lesson(
        {"players": 3},
        None,
        [
            Do(words="goal", spot=".sea"),
            Do("sail", "sail"),
            Do("oracle", "others", spot=".seats"),
            Do("dolphin 4"),
            Do("card idol"),
            Do("sail"),
            Do("oracle", "oracle"),
            Do("dolphin 3"),
            Do("card fish"),
            Do("draw", "push"),
            Do("card fish"),
            Do("go", "go"),
            Do("sail", "pukas", spot=".seats"),
            Do("oracle"),
            Do("dolphin 9"),
            Do("card boat"),
            Do("go"),
            Do("sail", "island"),
            Do("trade", "trade"),
        ],
    ),
    "krakatoa": Lesson(
        {"players": 2},
        None,
        [
            Do("land"),
            Do("land"),
            Do("land"),
            Do(words="goal", spot=".sets"),
            Do("keep", "keep"),
            Do("lava>ash1", "set", picked="[data-set=lava].on"),
            Do("land"),
            Do("steam>lava2", "soft", strength=40.0),
            Do("land"),
            Do("ash>lava2", "hard", strength=160.0),
            Do("land"),
        ],
    ),
}


class Position:
    """A game that is being played for a lesson, and Krakatoa's dice as they lie."""

    def __init__(self, name: str, lesson: Lesson) -> None:
        game = archipel.game(name, **lesson.options)
        snapshot = lesson.snapshot and {"game": name, "options": game.options} | lesson.snapshot
        self.state = game.restore(snapshot) if snapshot else game.new()
        self.moves = 0
        self.tray: Tray | None = None
        self._falls = iter(json.loads(THROWS.read_text("utf-8"))) if name == "krakatoa" else None

    def do(self, wanted: Do) -> dict[str, Any]:
        """Do it; the move as a table tells it."""
        before = self.state
        fall = next(self._falls) if self._falls and wanted.notation == "land" else None
        action = before.encode(fall["action"]) if fall else before.parse(wanted.notation)
        self.state = before.after(action)
        self.moves += 1
        seat = before.mover if before.mover >= 0 else None
        said: dict[str, Any] = {"v": self.moves, "seat": seat, "action": before.decode(action)}
        said["notation"] = before.notation(action)
        if fall:
            self.tray = Tray.read(fall["lies"])
            said["fall"] = {"hand": hand(before), "scratch": fall["action"].get("touched") is False, "cocked": 0}
            said["fall"]["trajectory"] = fall["trajectory"]
        elif self.tray and "at" in said["action"]:
            said["aim"] = aimed(self.tray, wanted).json()
        return said

    def dice(self) -> dict[str, Any] | None:
        """How the dice lie, as a table tells it."""
        lies = msgspec.to_builtins(lies_of(self.tray)) if self.tray else {}
        return {"lies": lies, "hand": [], "thrower": None, "land": False, "last": self.moves} if self._falls else None


def aimed(tray: Tray, wanted: Do) -> Aim:
    """Straight away from the player, at the die that a throw names."""
    return Aim.at(tray, wanted.notation.partition(">")[2], 90.0, wanted.strength)


def lesson(name: str) -> list[dict[str, Any]]:
    """The steps of a lesson: what is seen, what is asked for, and the words for it; at last nothing is asked for."""
    at = Position(name, LESSONS[name])
    steps: list[dict[str, Any]] = []
    moves: list[dict[str, Any]] = []
    for do in LESSONS[name].script:
        if do.words:
            steps.append(_step(at, do, moves))
            moves = []
        if do.notation:
            moves.append(at.do(do))
    return [*steps, _step(at, Do(words="done"), moves)]


def _step(at: Position, do: Do, moves: list[dict[str, Any]]) -> dict[str, Any]:
    state = at.state
    own = bool(do.notation) and state.mover == LEARNER
    wanted = state.decode(state.parse(do.notation)) if own else None
    step: dict[str, Any] = {
        "words": do.words,
        "view": state.view(LEARNER),
        "legal": _legal(state) if own else [],
        "recent": [move["action"] for move in moves],
        "wanted": wanted,
    }
    step |= {key: value for key in ("spot", "picked") if (value := getattr(do, key))}
    if dice := at.dice():
        step |= {"moves": moves, "dice": dice}
        if wanted and wanted["do"] == "throw" and at.tray:
            step["aim"] = aimed(at.tray, do).json()
    return step


def _legal(state: State) -> list[dict[str, Any]]:
    return [{"action": state.decode(a), "notation": state.notation(a)} for a in state.actions()]


# Throwing Krakatoa's dice again.

SEEDS = (0, 4, 4, 2, 107, 39)
"""A lesson's worth of luck: an Ace before a fiasco, sets worth 1, 1 and 0, a volcano, a scratch, a volcano."""


def thrown() -> Iterator[dict[str, Any]]:
    """Krakatoa's throws, one after the other, by physics."""
    options, _, script = LESSONS["krakatoa"]
    state, tray, aim = archipel.game("krakatoa", **options).new(), None, None
    seeds = iter(SEEDS)
    for do in script:
        if do.notation == "land":
            fall = Physics().throw(state, aim, np.random.default_rng(next(seeds)), tray)
            assert fall.tray is not None
            assert fall.trajectory is not None
            action = state.decode(fall.landing)
            trajectory = base64.b64encode(fall.trajectory).decode()
            yield {"action": action, "lies": fall.tray.json(), "trajectory": trajectory}
            state, tray, aim = state.after(fall.landing), fall.tray, None
        elif do.notation:
            if tray and ">" in do.notation:
                aim = aimed(tray, do)
            state = state.after(state.parse(do.notation))


def files() -> dict[Path, str]:
    """Everything that is written, by path."""
    return {
        WEB / "src" / "games" / name / "lesson.json": json.dumps(lesson(name), ensure_ascii=False) + "\n"
        for name in LESSONS
    }


def main() -> None:
    if sys.argv[1:] == ["throw"]:
        THROWS.write_text(json.dumps([*thrown()], indent=1) + "\n", "utf-8")
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(WEB))


if __name__ == "__main__":
    main()
