"""Every history that a seat's whole experience allows, with its weight: what `imagine` is measured against.

A world is followed from the first state on. Chance brings what it may by its odds. Another seat's action is taken as
seen; where the seat does not see all of it (a card laid face down), each action that looks alike is as likely.

`python -m tests.histories --states 10000` prints chi-square for each way to play, and for all together.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import archipel
from archipel import CHANCE, OVER, Game, State
from archipel.games.kahuna.board import ISLANDS
from tests.variants import chosen

Key = tuple[object, ...]


def cards(state: State) -> Key:
    """What may differ between worlds of Kahuna that look alike: hands, face-down discards and the deck."""
    s = state.plain
    return (*s.hands, *s.hidden, s.deck)


@dataclass
class Histories:
    """All worlds that fit what a seat (None: a spectator) has seen, by what is hidden, each with its weight."""

    seat: int | None
    worlds: dict[Key, tuple[State, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, first: State, seat: int | None) -> "Histories":
        return cls(seat, {cards(first): (first, 1.0)})

    def follow(self, before: State, action: int, limit: int) -> bool:
        """The game went on by this action; False if there are more worlds now than the limit."""
        told = before.told(action, self.seat)
        worlds: dict[Key, tuple[State, float]] = {}
        for world, weight in self.worlds.values():
            for outcome, odds in self._outcomes(world, action, told):
                after = world.after(outcome)
                key = cards(after)
                worlds[key] = (after, weight * odds + worlds.get(key, (after, 0.0))[1])
        self.worlds = worlds
        return 0 < len(worlds) <= limit

    def _outcomes(self, world: State, action: int, told: str) -> Iterator[tuple[int, float]]:
        if world.mover == CHANCE:
            yield from ((one, odds) for one, odds in world.chances() if world.told(one, self.seat) == told)
            return
        if world.mover == self.seat or "?" not in told:
            if world.is_legal(action):
                yield action, 1.0
            return
        alike = [one for one in world.actions() if world.told(one, self.seat) == told]
        yield from ((one, 1 / len(alike)) for one in alike)

    def odds(self) -> dict[Key, float]:
        total = sum(weight for _, weight in self.worlds.values())
        return {key: weight / total for key, (_, weight) in self.worlds.items()}

    def certain(self, owner: int) -> int:
        """The cards that are in a hand in every world, as a pile."""
        sure = -1
        for state, _ in self.worlds.values():
            sure &= state.plain.hands[owner]
        return sure


@dataclass
class Luck:
    """Chi-square over many states: cells that expect too little are put together."""

    states: int = 0
    draws: int = 0
    chi: float = 0.0
    freedom: int = 0

    def count(self, found: dict[Key, int], odds: dict[Key, float], draws: int) -> None:
        rest_found, rest_wanted, cells = 0.0, 0.0, 0
        for key, share in odds.items():
            wanted = share * draws
            if wanted < 5:
                rest_found, rest_wanted = rest_found + found.get(key, 0), rest_wanted + wanted
            else:
                self.chi += (found.get(key, 0) - wanted) ** 2 / wanted
                cells += 1
        if rest_wanted >= 5:
            self.chi += (rest_found - rest_wanted) ** 2 / rest_wanted
            cells += 1
        self.freedom += max(0, cells - 1)
        self.states += 1
        self.draws += draws

    @property
    def deviations(self) -> float:
        """How far chi-square is from what it should be, in standard deviations."""
        return float((self.chi - self.freedom) / (2 * max(1, self.freedom)) ** 0.5)

    def __str__(self) -> str:
        return (
            f"{self.states} states, {self.draws} imagined worlds: chi-square {self.chi:.0f} with {self.freedom} degrees"
            f" of freedom, {self.deviations:+.2f} standard deviations from what is expected"
        )


def set_up(game: Game, rng: np.random.Generator) -> State:
    """A position in which everybody knows both hands and a short deck: all that follows can be listed for a while."""
    pile = [str(card) for card in rng.permutation([*ISLANDS, *ISLANDS])]
    sizes = [int(n) for n in rng.integers(1, 5, 2)]
    hands = [sorted(pile.pop() for _ in range(size)) for size in sizes]
    row = sorted(pile.pop() for _ in range(3))
    deck = sorted(pile.pop() for _ in range(int(rng.integers(1, 7))))
    shown = hands if game.options["open_cards"] else [[], []]
    return game.restore(
        {
            "game": "kahuna", "round": int(rng.integers(1, 3)), "mover": int(rng.integers(2)), "passed": False,
            "bridges": [["ALOA-BARI", "GOLA-KAHU"], ["COCO-FAAA", "HUNA-LALE"]], "hands": hands, "shown": shown,
            "known": hands, "open": row, "deck": deck, "discard": sorted(pile), "hidden_discard": [[], []],
        }
    )  # fmt: skip


def measured(game: Game, states: int, draws: int, limit: int, seed: int = 0) -> Luck:
    """Follow random games, as a player or a spectator sees them, while all histories can be listed."""
    luck = Luck()
    number = 0
    while luck.states < states:
        rng = np.random.default_rng([seed, number])
        seat = (0, 1, None)[number % 3]
        state = set_up(game, rng)
        histories = Histories.of(state, seat)
        number += 1
        while state.mover != OVER and luck.states < states:
            action = chosen(state, rng)
            fits = histories.follow(state, action, limit)
            state = state.after(action)
            if not fits:
                break
            if len(histories.worlds) > 1:
                _compare(state, histories, draws, rng, luck)
    return luck


def _compare(state: State, histories: Histories, draws: int, rng: np.random.Generator, luck: Luck) -> None:
    odds = histories.odds()
    found: dict[Key, int] = {}
    for _ in range(draws):
        key = cards(state.redealt(histories.seat, rng))
        assert key in odds, f"seat {histories.seat} imagines what cannot be, after {state.snapshot()['history']}"
        found[key] = found.get(key, 0) + 1
    luck.count(found, odds, draws)
    _check_known(state, histories, histories.seat)


def _check_known(state: State, histories: Histories, seat: int | None) -> None:
    """What a view calls certain is what all histories share."""
    for owner in (0, 1):
        if owner != seat:
            sure = histories.certain(owner)
            names = sorted(ISLANDS[place % 12] for place in range(24) if sure >> place & 1)
            told = state.view(seat)["known"][owner]
            if state.game.options["open_cards"]:
                assert not Counter(told) - Counter(names)
                continue
            assert told == names, f"seat {seat} knows {told} of seat {owner}, but {names} is certain"


VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"edition": "tilsit"},
    {"open_cards": True},
    {"open_cards": True, "open_copy": "choose"},
)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.histories", description=__doc__)
    parser.add_argument("--states", type=int, default=10_000)
    parser.add_argument("--draws", type=int, default=100, help="imagined worlds in each state")
    parser.add_argument("--most", type=int, default=150, help="worlds that may fit, at most")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    whole = Luck()
    for options in VARIANTS:
        luck = measured(
            archipel.game("kahuna", **options), args.states // len(VARIANTS), args.draws, args.most, args.seed
        )
        print(f"{options or 'as printed'}: {luck}", flush=True)
        whole.states += luck.states
        whole.draws += luck.draws
        whole.chi += luck.chi
        whole.freedom += luck.freedom
    print(f"all: {whole}")


if __name__ == "__main__":
    main()
