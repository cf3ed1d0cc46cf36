"""Kula Kula puzzles: sail, or push your luck? The choice that brings more Pukas this turn on average.

The oracle's cards are known, and so are the Pukas on every space: the average is exact. `check` computes it again, card
by card in plain Python, from a snapshot.
"""

from collections.abc import Mapping
from functools import cache
from math import log2
from typing import Any

import numpy as np

import archipel
from archipel.bots import bot
from archipel.core.puzzles import Puzzle, PuzzleMaker
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.games.kula_kula.rules import DRAW, GO, ORACLE, SAIL, pukas_at

from .oracle import ALL_CARDS, Worths, another_card

PLAYERS = "random", "mcts:20", "fisher"
CLEAR = 0.05
"""How many Pukas better than the other choice the best one is at least."""
TOLERANCE = 1e-3
"""Values are rounded in the file."""
MIDDLE, STEEP = 1100, 215
"""The rating of a lead of half a Puka, and what half of that lead adds."""
IDOL = 0.0
"""Who draws an idol stays: nothing is paid, nothing is gained."""


class KulaKulaPuzzles(PuzzleMaker):
    """Decisions between sailing and the oracle."""

    question = "Which choice brings you more Pukas this turn on average, before any trade?"

    def make(self, seed: int, number: int) -> Puzzle | None:
        rng = np.random.default_rng((seed, number))
        state, moves = archipel.game("kula_kula").new(), list[int]()
        players = [bot(str(name)) for name in rng.choice(PLAYERS, state.game.seats)]
        after, pushing = int(rng.integers(20, 200)), bool(rng.random() < 0.7)
        while state.mover != OVER:
            if state.mover == CHANCE:
                moves.append(state.sample(rng))
            else:
                if len(moves) >= after and (found := _puzzle(state, moves, pushing)):
                    return found
                moves.append(players[state.mover].choose(state.view(state.mover), rng))
            state = state.after(moves[-1])
        return None

    def check(self, puzzle: Puzzle) -> None:
        state = puzzle.state("kula_kula")
        averages = _averages(state.snapshot())
        named = {state.encode({"do": verb}): value for verb, value in averages.items()}
        best = max(named, key=lambda action: named[action])
        if puzzle.answers != ((best,),):
            raise ValueError(f"The averages are {averages}; the puzzle's answers are {puzzle.answers}.")
        if abs(max(averages.values()) - min(averages.values())) < CLEAR - TOLERANCE:
            raise ValueError("Both choices are about as good.")
        if dict(puzzle.values).keys() != named.keys() or any(
            abs(value - named[action]) > TOLERANCE for action, value in puzzle.values
        ):
            raise ValueError("The values are not the averages.")

    def key(self, puzzle: Puzzle) -> Any:
        shown = puzzle.state("kula_kula").snapshot()
        parts = "boats", "pukas", "sea", "deck", "discard", "drawn", "mover"
        return str([shown[part] for part in parts])


PUZZLES = KulaKulaPuzzles()


def _puzzle(state: State, moves: list[int], pushing: bool) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    actions = state.actions()
    if actions != ([DRAW, GO] if pushing else [SAIL, ORACLE]):
        return None
    values = _pushed(state) if pushing else _chosen(state)
    worse, best = sorted(values, key=lambda action: values[action])
    lead = values[best] - values[worse]
    if lead < CLEAR:
        return None
    shown = tuple((action, round(value, 3)) for action, value in sorted(values.items()))
    rated = round(MIDDLE + STEEP * log2(0.5 / lead))
    return Puzzle(tuple(moves), ((best,),), 1, 0, values=shown, rated=rated)


def _pushed(state: State) -> dict[int, float]:
    s, spaces = state.record, int(state.game.facts[0].spaces)
    landing = _landing(state)
    return {DRAW: float(another_card(s, spaces, landing, IDOL, ALL_CARDS)), GO: float(landing[int(s.way) % spaces])}


def _chosen(state: State) -> dict[int, float]:
    spaces, turned = int(state.game.facts[0].spaces), state.after(ORACLE)
    oracle = sum(
        chance * float(another_card(after.record, spaces, _landing(after), IDOL, ALL_CARDS))
        for after, chance in ((turned.after(outcome), chance) for outcome, chance in turned.chances())
    )
    return {SAIL: float(_landing(state)[1]), ORACLE: oracle}


def _landing(state: State) -> Worths:
    """What the thrower gains by sailing each number of spaces: the Pukas there, less a Puka for each boat."""
    facts, s = state.game.facts[0], state.record
    seat, spaces = int(s.seat), int(facts.spaces)
    gains = np.zeros(spaces)
    for steps in range(spaces):
        space = (int(s.boats[seat]) + steps) % spaces
        boats = sum(int(s.boats[other]) == space for other in range(state.game.seats) if other != seat)
        there = 0 if facts.island[space] else int(pukas_at(facts, s, space))
        gains[steps] = there - min(boats, int(s.pukas[seat]))
    return gains


# The averages without the engine.

STEPS = {"boat": 1, "fish": 2}
LIMIT = 3
"""The most Pukas on one space: a fourth sends all of them back."""
Cards = tuple[int, int, int]


def _averages(snapshot: Mapping[str, Any]) -> dict[str, float]:
    """The average gain of each choice by its name."""
    drawn = sum(STEPS[card] for card in snapshot["drawn"])
    deck, discard = (_cards(snapshot[pile]) for pile in ("deck", "discard"))
    sea = tuple(snapshot["sea"].values())
    if snapshot["phase"] == "push":
        gains = _gains(snapshot, sea)
        return {"draw": _draws(deck, discard, drawn, gains), "go": gains[drawn % len(gains)]}
    after = [_gains(snapshot, _turned(sea, number, snapshot["supply"])) for number in range(len(sea))]
    oracle = sum(_draws(deck, discard, 0, gains) for gains in after) / len(after)
    return {"sail": _gains(snapshot, sea)[1], "oracle": oracle}


def _cards(pile: Mapping[str, int]) -> Cards:
    return pile["boat"], pile["fish"], pile["idol"]


def _turned(sea: tuple[int, ...], number: int, supply: int) -> tuple[int, ...]:
    """The sea after the dolphin has turned to a space."""
    now = sea[number] + (supply > 0)
    return (*sea[:number], 0 if now > LIMIT else now, *sea[number + 1 :])


def _gains(snapshot: Mapping[str, Any], sea: tuple[int, ...]) -> tuple[float, ...]:
    """The gain of sailing each number of spaces: islands are on even spaces, the sea on odd ones."""
    seat, boats = snapshot["mover"], snapshot["boats"]
    ring = [pukas for number in sea for pukas in (0, number)]
    gains = []
    for steps in range(len(ring)):
        space = (boats[seat] + steps) % len(ring)
        there = sum(boat == space for other, boat in enumerate(boats) if other != seat)
        gains.append(float(ring[space] - min(there, snapshot["pukas"][seat])))
    return tuple(gains)


@cache
def _draws(deck: Cards, discard: Cards, steps: int, gains: tuple[float, ...]) -> float:
    """The average gain of one more card and the best choice after it."""
    if not sum(deck):
        deck, discard = discard, (0, 0, 0)
    boats, fish, idols = deck
    total = 0.0
    for cards, left, more in ((boats, (boats - 1, fish, idols), 1), (fish, (boats, fish - 1, idols), 2)):
        if cards:
            go = gains[(steps + more) % len(gains)]
            again = _draws(left, discard, steps + more, gains) if sum(left) + sum(discard) else go
            total += cards * max(go, again)
    return total / (boats + fish + idols)
