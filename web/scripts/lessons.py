"""Write the first steps of each game: real positions, one after the other, and the action that each of them asks for.

`python web/scripts/lessons.py` writes them anew; a test keeps them current.
"""

import json
from pathlib import Path
from typing import Any

import archipel
from archipel.core.state import State

WEB = Path(__file__).parents[1]
LEARNER = 0

# The example of the rules page, with cards that play it.
KAHUNA: dict[str, Any] = {
    "round": 2,
    "mover": 0,
    "bridges": [
        ["ALOA-DUDA", "BARI-ELAI", "BARI-FAAA", "DUDA-ELAI", "DUDA-HUNA", "ELAI-HUNA"],
        ["ALOA-BARI", "ALOA-HUNA", "ELAI-FAAA", "ELAI-IFFI", "ELAI-JOJO", "HUNA-IFFI", "HUNA-LALE"],
    ],
    "stones": [["DUDA"], ["ALOA", "HUNA"]],
    "hands": [["ALOA", "DUDA", "KAHU"], ["ELAI", "HUNA", "HUNA"]],
    "shown": [[], []],
    "open": ["COCO", "GOLA", "LALE"],
    "deck": ["ALOA", "BARI", "COCO", "ELAI", "FAAA", "JOJO", "KAHU"],
    "discard": ["BARI", "DUDA", "FAAA", "GOLA", "IFFI", "IFFI", "JOJO", "LALE"],
    "hidden_discard": [[], []],
    "scores": [0, 1],
    "passed": False,
    "last_turns": None,
}

Script = list[tuple[str, str]]
"""What is done, and the name of the words that go before it; without words it just happens."""

LESSONS: dict[str, tuple[dict[str, Any], dict[str, Any] | None, Script]] = {
    "kahuna": (
        {},
        KAHUNA,
        [
            ("DUDA>BARI", "build"),
            ("ALOA>BARI", "again"),
            ("draw GOLA", "draw"),
            ("deal JOJO", ""),
            ("x ELAI-HUNA (HUNA HUNA)", "cut"),
            ("ELAI>HUNA", "answer"),
            ("draw deck", ""),
            ("deal FAAA", ""),
        ],
    ),
    "stonehenge": (
        {},
        None,
        [("3@A", "place"), ("1@B", "watch"), ("6@G", "long"), ("2@D", ""), ("5@K", "ahead"), ("1@C", "")],
    ),
    "kula_kula": (
        {"players": 3},
        None,
        [
            ("sail", "sail"),
            ("oracle", "others"),
            ("dolphin 4", ""),
            ("card idol", ""),
            ("sail", ""),
            ("oracle", "oracle"),
            ("dolphin 2", ""),
            ("card fish", ""),
            ("draw", "push"),
            ("card boat", ""),
            ("go", "go"),
        ],
    ),
    "krakatoa": (
        {"players": 2},
        None,
        [
            ("YYB", ""),
            ("RBB", ""),
            ("YBB YRB RRB", ""),
            ("keep", "keep"),
            ("lava>ash1", "any"),
            ("YBB YRR YYR touched", ""),
            ("steam>lava3", "steam"),
            ("YYB YRR YYR scratch", ""),
            ("ash>lava1", "scratch"),
            ("YYB YYB YYY touched", ""),
        ],
    ),
}  # fmt: skip


def lesson(name: str) -> list[dict[str, Any]]:
    """The steps of a lesson: what is seen, what is asked for, and the words for it; at last nothing is asked for."""
    options, snapshot, script = LESSONS[name]
    game = archipel.game(name, **options)
    state = game.restore({"game": name, "options": game.options} | snapshot) if snapshot else game.new()
    steps: list[dict[str, Any]] = []
    recent: list[dict[str, Any]] = []
    for notation, words in script:
        action = state.parse(notation)
        if words:
            steps.append(_step(state, words, recent, state.decode(action)))
            recent = []
        recent.append(state.decode(action))
        state = state.after(action)
    return [*steps, _step(state, "done", recent, None)]


def _step(state: State, words: str, recent: list[dict[str, Any]], wanted: dict[str, Any] | None) -> dict[str, Any]:
    own = state.mover == LEARNER and wanted is not None
    legal = [{"action": state.decode(a), "notation": state.notation(a)} for a in state.actions()] if own else []
    return {
        "words": words,
        "view": state.view(LEARNER),
        "legal": legal,
        "recent": recent,
        "wanted": wanted if own else None,
    }


def files() -> dict[Path, str]:
    """Everything that is written, by path."""
    return {
        WEB / "src" / "games" / name / "lesson.json": json.dumps(lesson(name), ensure_ascii=False) + "\n"
        for name in LESSONS
    }


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(WEB))


if __name__ == "__main__":
    main()
