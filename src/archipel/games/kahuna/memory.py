"""Kahuna's log of cards as others read it: in words, with gaps for what a seat has not seen; and what is certain."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from archipel.core import reading
from archipel.core.errors import quoted

from .board import HAND_LIMIT, ISLANDS, N_ISLANDS
from .recall import DEALT, LAID, LAIN, LOG, PLAYED, ROUND, TOOK, WENT

Log = tuple[int, ...]
Piles = tuple[tuple[int, ...], tuple[int, ...]]

UNSEEN = 255
"""In a log with gaps: something dealt or laid, added to the kind of entry by `_gap`."""
SIGNS = {DEALT: "+", TOOK: "<", PLAYED: ">", LAID: "_", WENT: "/"}
MOST_CASES = 300
"""With more, `certain` keeps only what is common to all."""


def _gap(what: int) -> int:
    return 256 + what


@lru_cache(4096)
def seen(log: Log, seat: int | None) -> Log:
    """The log with gaps for the cards that a seat (None: a spectator) has not seen."""
    return tuple(
        _gap(code // N_ISLANDS) if code // N_ISLANDS in _HIDDEN and code // N_ISLANDS & 1 != seat else code
        for code in log
    )


_HIDDEN = (DEALT, DEALT + 1, LAID, LAID + 1)


def _entry(code: int) -> str:
    if code >= 256:
        what = code - 256
        return f"{what & 1}{SIGNS[what & ~1]}?"
    what, card = divmod(code, N_ISLANDS)
    if what == ROUND:
        return "|"
    return f"={ISLANDS[card]}" if what == LAIN else f"{what & 1}{SIGNS[what & ~1]}{ISLANDS[card]}"


_ENTRIES = {code: _entry(code) for code in (*range(ROUND * N_ISLANDS + 1), *(_gap(what) for what in _HIDDEN))}
_CODES = {text: code for code, text in _ENTRIES.items()}


def told(log: Sequence[int]) -> list[str]:
    """The entries in words, with `?` for a card that is not seen.

    `0+ALOA` was dealt to seat 0, `0<ALOA` taken, `0>ALOA` played, `0_ALOA` laid face down, `0/ALOA` lay open before its
    owner and is gone, `=ALOA` was dealt open; `|` begins a new round.
    """
    return [_ENTRIES[code] for code in log]


def read(history: Any, hidden: int | str | None = "nothing") -> list[int]:
    """The log of some entries; `hidden` is the seat whose view it is, with gaps for the cards of others."""
    codes = []
    for text in reading.items(history, None, "history"):
        code = _CODES.get(text, -1) if isinstance(text, str) else -1
        if code >= 256:
            what = code - 256
            code = what * N_ISLANDS if hidden != "nothing" and what & 1 != hidden else -1
        elif hidden != "nothing" and code >= 0 and code // N_ISLANDS in _HIDDEN and code // N_ISLANDS & 1 != hidden:
            code = -1
        if code < 0:
            raise ValueError(f"The snapshot's history has no such entry as {quoted(text)}.")
        codes.append(code)
    if len(codes) > LOG:
        raise ValueError("The snapshot's history is longer than a game.")
    return codes


def made_up(snapshot: Mapping[str, Any], known: Any, open_cards: bool) -> list[str]:
    """A history for a snapshot that has none: cards come from anywhere, but those known were taken openly."""
    hands, shown, hidden, laid, taken = (
        _lists(snapshot.get(key, [[], []]) if key else known, key or "known")
        for key in ("hands", "shown", "hidden_discard", "laid", "")
    )
    row = [card for key in ("open", "discard") for card in reading.items(snapshot.get(key, []), None, key)]
    log = [f"={card}" for card in row]
    for seat in (0, 1):
        log += [f"={card}" for card in laid[seat]]
        for card in _less(hidden[seat], laid[seat]):
            log += [f"{seat}+{card}", f"{seat}_{card}"]
    for seat in (0, 1):
        sure = shown[seat] if open_cards else taken[seat]
        for card in sure:
            log += [f"={card}", f"{seat}<{card}"]
        log += [f"{seat}+{card}" for card in _less(hands[seat], sure)]
    return log


def _lists(piles: Any, what: str) -> list[list[str]]:
    return [list(reading.items(pile, None, what)) for pile in reading.items(piles, 2, what)]


def _less(pile: list[str], some: list[str]) -> list[str]:
    rest = list(pile)
    for card in some:
        if card in rest:
            rest.remove(card)
    return rest


def check_entries(log: Sequence[int]) -> None:
    """ValueError if hands are larger than they can be."""
    sizes = [0, 0]
    for code in log:
        what = code // N_ISLANDS
        if what < LAIN:
            sizes[what & 1] += 1 if what & ~1 in (DEALT, TOOK) else -1
            if not 0 <= sizes[what & 1] <= HAND_LIMIT:
                raise ValueError("The history cannot be: a hand has fewer than no cards, or more than five.")


def check(log: Sequence[int], snapshot: Mapping[str, Any], open_cards: bool) -> None:
    """ValueError if a history does not lead to the snapshot's cards."""
    check_entries(log)
    hands: list[Counter[str]] = [Counter(), Counter()]
    shown: list[Counter[str]] = [Counter(), Counter()]
    down: list[Counter[str]] = [Counter(), Counter()]
    for code in log:
        what, card = code // N_ISLANDS, ISLANDS[code % N_ISLANDS]
        owner, what = what & 1, what & ~1
        if code // N_ISLANDS == ROUND:
            down = [Counter(), Counter()]
        elif what in (DEALT, TOOK):
            (shown if what == TOOK and open_cards else hands)[owner][card] += 1
        elif what < LAIN:
            pile = (shown if what == WENT else hands)[owner]
            pile[card] -= 1
            if pile[card] < 0:
                raise ValueError(f"The history cannot be: seat {owner} does not hold the {card} that leaves its hand.")
            down[owner][card] += what == LAID
    for key, found in (
        ("hands", [a + b for a, b in zip(hands, shown, strict=True)]),
        ("shown", shown),
        ("hidden_discard", [a + Counter(laid) for a, laid in zip(down, snapshot.get("laid", [[], []]), strict=True)]),
    ):
        for owner in (0, 1):
            if +found[owner] != Counter(snapshot[key][owner]):
                raise ValueError(f"The history does not lead to the {key} of seat {owner}.")


def taken(log: Sequence[int], open_cards: bool) -> list[list[str]]:
    """What each seat took openly and holds, as far as it has laid nothing face down since."""
    found: list[list[str]] = [[], []]
    for code in log:
        what, card = code // N_ISLANDS, ISLANDS[code % N_ISLANDS]
        owner, what = what & 1, what & ~1
        if code // N_ISLANDS >= LAIN or open_cards:
            continue
        if what == TOOK:
            found[owner].append(card)
        elif what == PLAYED and card in found[owner]:
            found[owner].remove(card)
        elif what == LAID:
            found[owner] = []
    return found


def fits(snapshot: Mapping[str, Any], open_cards: bool) -> bool:
    """Has the snapshot a history that leads to its cards?"""
    if not {"history", "hands", "shown", "hidden_discard"} <= snapshot.keys():
        return False
    try:
        check(read(snapshot["history"]), snapshot, open_cards)
    except (TypeError, ValueError, LookupError):
        return False
    return True


# What is certain


class _Watch:
    """What a seat can be sure of about one hand, entry by entry: all cases of which of its named cards are left."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        self.size = 0
        self.laid = 0
        self.cases: set[Piles] = {((), ())}
        """The named cards in the hand, and those laid face down in this round."""
        self.left = [0] * N_ISLANDS
        """Of each card, how many are out of sight in this round."""

    def common(self) -> None:
        """Keep what all cases share, where there are too many."""
        if len(self.cases) > MOST_CASES:
            hands = [Counter(hand) for hand, _ in self.cases]
            sure = hands[0]
            for hand in hands[1:]:
                sure &= hand
            self.cases = {(tuple(sorted(sure.elements())), ())}

    def took(self, card: int) -> None:
        self.size += 1
        self.left[card] += 1
        self.cases = {(_with(hand, card), down) for hand, down in self.cases}

    def played(self, card: int) -> None:
        found = set()
        for hand, down in self.cases:
            if card in hand:
                found.add((_without(hand, card), down))
            elif len(hand) < self.size and self.left[card] > down.count(card):
                found.add((hand, down))
        self.cases = found
        self.size -= 1
        self.left[card] -= 1

    def lay(self) -> None:
        found = set()
        for hand, down in self.cases:
            found |= {(_without(hand, card), _with(down, card)) for card in hand}
            if len(hand) < self.size:
                found.add((hand, down))
        self.cases = found
        self.size -= 1
        self.laid += 1
        self.common()

    def counted(self, elsewhere: int) -> set[Piles]:
        """The cases with those cards added that can be nowhere else: so many other places are out of sight."""
        found = set()
        for hand, down in self.cases:
            more = [
                card
                for card in range(N_ISLANDS)
                for _ in range(self.left[card] - hand.count(card) - down.count(card) - (elsewhere - len(down)))
            ]
            found.add((tuple(sorted((*hand, *more))), down))
        return found


def _with(pile: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(sorted((*pile, card)))


def _without(pile: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = pile.index(card)
    return pile[:at] + pile[at + 1 :]


@lru_cache(2048)
def certain(log: Log, seat: int | None, owner: int, deck: int) -> list[int]:
    """The cards that are in the owner's hand in every history that a seat (None: a spectator) can think of."""
    watch = _Watch(owner)
    held = [0] * N_ISLANDS  # in the seat's own hand
    other = 0  # cards of the other hand, if that is out of sight, too
    lain = 0  # cards that it laid down
    _begin(watch, log, 0, seat, held)
    for at, code in enumerate(log):
        what, card = divmod(code, N_ISLANDS)
        if what == ROUND:
            watch.cases = {(hand, ()) for hand, _ in watch.counted(watch.laid + other + lain)}
            watch.laid = lain = 0
            _begin(watch, log, at + 1, seat, held)
        elif what < LAIN and what & 1 == owner:
            if what == DEALT + owner:
                watch.size += 1
            elif what == TOOK + owner:
                watch.took(card)
            elif what == PLAYED + owner:
                watch.played(card)
            else:
                watch.lay()
        elif what < LAIN:
            comes = what & ~1 in (DEALT, TOOK)
            if seat is None:
                other += 1 if comes else -1
                lain += what & ~1 == LAID
                watch.left[card] += (what & ~1 == TOOK) - (what & ~1 == PLAYED)
            else:
                held[card] += 1 if comes else -1
    cases = [Counter(hand) for hand, _ in watch.counted(watch.laid + other + lain + deck)]
    sure = cases[0]
    for hand in cases[1:]:
        sure &= hand
    return sorted(sure.elements())


def _begin(watch: _Watch, log: Log, at: int, seat: int | None, held: list[int]) -> None:
    """A round begins: of each card, how many are out of sight in it."""
    watch.left = [2 - n for n in held]
    for code in log[at:]:
        what, card = divmod(code, N_ISLANDS)
        if what == ROUND:
            break
        watch.left[card] -= what == LAIN or (seat is not None and what == DEALT + seat)
