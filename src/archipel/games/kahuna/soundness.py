"""Recognise impossible Kahuna positions, although all their pieces and cards exist."""

from typing import Any

from archipel.core.rules import Record

from .board import DEAL, HAND_LIMIT, ROUNDS
from .rules import DEALING, DRAWN, ENDED, HANDICAP, REPLACING, TURN


def check(facts: Record, s: Record) -> None:
    """ValueError says what is impossible."""
    _check_piles(facts, s)
    if s.phase == ENDED:
        _check_end(s)
    elif tuple(s.scores.tolist()) not in _points(int(s.round_) - 1):
        raise ValueError(f"The scores cannot be {s.scores.tolist()} in round {s.round_}.")
    if s.phase in (TURN, DRAWN, REPLACING):
        _check_turn(facts, s)
    elif s.played or s.discarded or s.refill >= 0 or s.last_turns:
        raise ValueError("Nobody's turn is on: nothing has been played or discarded in it, and no last turns are left.")
    if s.phase == DEALING:
        _check_dealing(s)
    if s.phase == HANDICAP:
        _check_handicap(facts, s)


def _count(mask: Any) -> int:
    return int(mask).bit_count()


def _points(rounds: int) -> set[tuple[int, int]]:
    """The possible scores after this number of scored rounds."""
    points = {(0, 0)}
    for n in range(1, rounds + 1):
        points |= {(a + n, b) for a, b in points} | {(a, b + n) for a, b in points}
    return points


def _check_piles(facts: Record, s: Record) -> None:
    if _count(s.open) > DEAL:
        raise ValueError(f"No more than {DEAL} cards lie open.")
    if facts.tilsit and any(s.hidden):
        raise ValueError("Nobody discards face down in the edition 'tilsit'.")


def _check_dealing(s: Record) -> None:
    left = int(s.left)
    hands = [_count(hand) for hand in s.hands]
    if s.round_ == 1 and (any(s.bridges) or hands != [min(DEAL, 3 * DEAL - left), min(DEAL, max(0, 2 * DEAL - left))]):
        raise ValueError("The first deal gives three cards to seat 0, then three to seat 1, before anybody builds.")
    if (s.round_ > 1 and left > DEAL) or _count(s.open) != max(0, DEAL - left):
        raise ValueError(
            f"The last {DEAL} cards of a deal are laid open: {left} left does not fit those that lie there."
        )
    if s.discard or any(s.hidden) or s.passed:
        raise ValueError("A round is dealt from all the discards, and after a draw.")


def _check_handicap(facts: Record, s: Record) -> None:
    seat = int(s.turn)
    built = int(facts.handicap[seat]) - int(s.left)
    if s.round_ > 1 or built < 0 or _count(s.bridges[seat]) != built or s.bridges[1 - seat]:
        raise ValueError("The handicap is built before anything else, in the first round.")
    if s.discard or any(s.hidden) or s.passed:
        raise ValueError("Nobody has discarded or passed before the handicap is built.")


def _check_turn(facts: Record, s: Record) -> None:
    seat = int(s.turn)
    if (s.deck | s.open == 0) != (s.last_turns > 0):
        raise ValueError("A round ends when its last card is drawn; only the last turns come after that.")
    if s.phase == DRAWN and _count(s.hands[seat]) >= HAND_LIMIT:
        raise ValueError(f"Seat {seat} cannot have drawn: it holds {HAND_LIMIT} cards already.")
    if s.phase == REPLACING and _count(s.open) >= DEAL:
        raise ValueError("A card is to be replaced, but the open row is full.")
    if s.discarded and (facts.tilsit or s.played or not s.hidden[seat]):
        raise ValueError("After a face-down discard there must be one, and no card played in that turn.")
    if s.refill >= 0 and (s.phase != TURN or not s.played or (s.bridges[0] | s.bridges[1]) >> s.refill & 1):
        raise ValueError("A line is refilled right after a cut has freed it.")


def _check_end(s: Record) -> None:
    if not (_ended_suddenly(s) or _ended_by_points(s)):
        raise ValueError(
            "The game cannot have ended like this: nobody lost the last bridge, nor does it follow from the scores."
        )


def _ended_suddenly(s: Record) -> bool:
    lost = {0: s.bridges[1] == 0, 1: s.bridges[0] == 0}
    fair = tuple(s.scores.tolist()) in _points(int(s.round_) - 1)
    return s.round_ > 1 and fair and any(lost[seat] and s.winners == 1 << seat for seat in (0, 1))


def _ended_by_points(s: Record) -> bool:
    third = _count(s.stones[0]) - _count(s.stones[1])
    a, b = s.scores.tolist()
    over = s.round_ == ROUNDS and s.deck | s.open == 0 and s.passed
    ahead = (a - b) or third or _count(s.bridges[0]) - _count(s.bridges[1])
    winners = 3 if ahead == 0 else 1 if ahead > 0 else 2
    return over and (a - max(third, 0), b - max(-third, 0)) in _points(ROUNDS - 1) and s.winners == winners
