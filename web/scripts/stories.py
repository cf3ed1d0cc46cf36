"""Write one event of every kind that the story of a game tells, as the table sends it: what the client's tests read.

`python web/scripts/stories.py` writes them anew; a test keeps them current.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import archipel
from archipel.core.state import State

WEB = Path(__file__).parents[1]
Wrote = dict[str, Any]
Kind = Callable[[dict[str, Any], Wrote], bool]

KINDS: dict[str, list[tuple[str, dict[str, Any], Kind]]] = {
    "kahuna": [
        ("bridge", {}, lambda action, wrote: action["do"] == "bridge" and not wrote),
        ("cut", {}, lambda action, wrote: action["do"] == "cut" and not wrote),
        ("won island", {}, lambda action, wrote: "won" in wrote),
        ("strip", {}, lambda action, wrote: len(wrote.get("stripped", ())) > 1),
        ("lost stone", {}, lambda action, wrote: action["do"] == "cut" and "lost" in wrote),
        ("refill", {"guarded": True}, lambda action, wrote: action["do"] == "refill"),
        ("row", {}, lambda action, wrote: action["do"] == "draw" and action["from"] != "deck" and not wrote),
        ("deck", {}, lambda action, wrote: action["do"] == "draw" and action["from"] == "deck" and not wrote),
        ("discard", {}, lambda action, wrote: action["do"] == "discard"),
        ("pass", {}, lambda action, wrote: action["do"] == "pass" and not wrote),
        ("round end", {}, lambda action, wrote: wrote.get("round") == 1 and any(wrote["points"])),
        ("tied round", {}, lambda action, wrote: wrote.get("round") in (1, 2) and not any(wrote["points"])),
        ("last turns", {}, lambda action, wrote: "last_turns" in wrote),
        ("sudden end", {}, lambda action, wrote: "sudden" in wrote),
        ("no bridge left", {"sudden_end": "state"}, lambda action, wrote: "bare" in wrote),
        ("hidden copy", {"open_cards": True, "open_copy": "choose"}, lambda action, wrote: "hidden" in action),
        ("handicap", {"handicap": [1, 0]}, lambda action, wrote: action["do"] == "bridge" and "card" not in action),
    ],
    "stonehenge": [
        ("place", {}, lambda action, wrote: not wrote),
        ("claim", {}, lambda action, wrote: len(wrote.get("claimed", ())) > 1),
        ("own claim", {"claims": "manual"}, lambda action, wrote: action["do"] == "claim"),
        ("revealed", {"hidden": True}, lambda action, wrote: len(wrote.get("revealed", ())) > 1),
    ],
    "kula_kula": [
        ("sail", {}, lambda action, wrote: action["do"] == "sail" and not wrote["toll"] and not wrote["pukas"]),
        ("pukas", {}, lambda action, wrote: action["do"] == "go" and wrote["pukas"] == 2),
        ("toll", {}, lambda action, wrote: bool(wrote.get("toll"))),
        ("oracle", {}, lambda action, wrote: action["do"] == "oracle"),
        ("dolphin", {}, lambda action, wrote: action["do"] == "dolphin" and wrote["lies"] > 1),
        ("full space", {}, lambda action, wrote: action["do"] == "dolphin" and wrote["lies"] == 0),
        ("fish", {}, lambda action, wrote: action.get("card") == "fish"),
        ("idol", {}, lambda action, wrote: wrote.get("lost") == []),
        ("idol with cards", {}, lambda action, wrote: len(wrote.get("lost", ())) > 1),
        ("trade", {}, lambda action, wrote: action["do"] == "trade"),
        ("turn limit", {"turn_limit": 2}, lambda action, wrote: "limit" in wrote),
    ],
    "krakatoa": [
        ("keep", {}, lambda action, wrote: action["do"] == "keep"),
        ("reroll", {}, lambda action, wrote: action["do"] == "reroll"),
        ("throw", {}, lambda action, wrote: action["do"] == "throw"),
        ("opening roll", {}, lambda action, wrote: len(action.get("faces", "")) == 3 and not wrote),
        ("nine dice", {}, lambda action, wrote: len(action.get("faces", "")) == 11 and not wrote),
        ("quake", {}, lambda action, wrote: bool(wrote.get("quake"))),
        ("rumble", {}, lambda action, wrote: bool(wrote.get("rumble"))),
        ("eruption", {}, lambda action, wrote: bool(wrote.get("eruption"))),
        ("scratch", {}, lambda action, wrote: wrote.get("touched") is False),
        ("bonus box", {}, lambda action, wrote: wrote.get("throw", 0) > 5),
    ],
}


def _seat(state: State) -> int | None:
    return None if state.mover == archipel.CHANCE else state.mover


def event(name: str, options: dict[str, Any], wanted: Kind) -> dict[str, Any]:
    """The first such event in game after game at random, with the move before it."""
    game = archipel.game(name, **options)
    for seed in range(4000):
        rng = np.random.default_rng(seed)
        state, previous, by = game.new(), None, None
        while state.mover != archipel.OVER:
            chance = state.mover == archipel.CHANCE
            action = state.sample(rng) if chance else int(rng.choice(state.actions()))
            after = state.after(action)
            wrote = game.written(state, action, after)
            by = by if chance else state.mover
            told = {
                "seat": _seat(state),
                "action": state.decode(action),
                "notation": state.notation(action),
                "wrote": wrote,
            }
            if wanted(told["action"], wrote or {}):
                return {"seats": game.seats, "previous": previous, "by": by, "move": told}
            state, previous = after, told
    raise ValueError(f"No such event of {name} in four thousand games.")


def files() -> dict[Path, str]:
    """Everything that is written, by path."""
    events = [
        {"game": name, "kind": kind} | event(name, options, wanted)
        for name, kinds in KINDS.items()
        for kind, options, wanted in kinds
    ]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in events)
    return {WEB / "tests" / "stories.json": f"[\n{lines}\n]\n"}


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(WEB))


if __name__ == "__main__":
    main()
