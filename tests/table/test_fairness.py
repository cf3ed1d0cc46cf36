"""Draws are bound before the game, exact, and can be checked by anybody."""

import hmac
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import archipel
from archipel import Record
from archipel.table.log.fairness import WORD, Lot, Mac, NotFair, below, verify
from archipel.table.log.records import record
from tests.variants import EVERY, Options

from .room import Room

LOT = Lot(b"a" * 32, b"b" * 32, ("mine", "yours"))


def test_draws_are_what_they_were_promised_to_be() -> None:
    """If these words change, no old record can be checked any more."""
    assert LOT.commit == "7d67381e94b430a7ba5305b6d5666121ace297a93f3139a8461f4132a1e9d955"
    assert [f"{word:016x}" for word in itertools.islice(LOT.random_numbers(1), 5)] == [
        "0f8042ea28c8e2da",
        "c274d5fe13ccb16f",
        "81cfe1ec1a3a9d25",
        "0507a19aca6d2732",
        "e01bc02e42c0409b",
    ]
    state, deals = archipel.game("kahuna").new(), []
    for draw in range(1, 5):
        card = LOT.draw(state, draw)
        deals.append(state.notation(card))
        state = state.after(card)
    assert deals == ["deal BARI", "deal HUNA", "deal ALOA", "deal KAHU"]


def test_a_lot_depends_on_everybody() -> None:
    first = [
        next(lot.random_numbers(1))
        for lot in (LOT, Lot(b"c" * 32, LOT.salt, LOT.seeds), Lot(LOT.seed, LOT.salt, ("", "")))
    ]
    assert len(set(first)) == 3


def test_games_of_a_table_have_lots_of_their_own() -> None:
    lots = [Lot.of(b"secret", game) for game in range(1, 50)]
    assert len({lot.seed for lot in lots} | {lot.salt for lot in lots}) == 98


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_the_mac_is_hmac(key: bytes, message: bytes) -> None:
    assert Mac(key)(message) == hmac.digest(key, message, "sha256")


@given(st.integers(1, 2**63), st.integers(0, 100))
def test_rejection_keeps_only_whole_multiples(n: int, k: int) -> None:
    limit = WORD - WORD % n
    words = iter([WORD - 1] * (WORD % n > 0) + [min(limit - 1, k)])
    assert below(words, n) == min(limit - 1, k) % n


def test_every_outcome_has_its_chance() -> None:
    state = archipel.game("kahuna").new()
    counts = Counter(LOT.draw(state, number) for number in range(1, 6001))
    assert set(counts) == set(range(12))
    # Chi-squared with 11 degrees of freedom: beyond 31.26 lies one case in a thousand.
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 31.26


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_game_played_at_a_table_can_be_verified(name: str, options: Options) -> None:
    room = Room(name, options).sit_all().play_out()
    kept = Record.read(record(room.table).json())
    assert verify(kept).fair
    assert kept.fair["seeds"] == [f"seed of {seat}" for seat in range(room.table.seats)]


def _damaged(change: str) -> Record:
    kept = record(Room("kahuna").sit_all().play_out().table)
    match change:
        case "seed":
            kept.fair["seed"] = "00" * 32
        case "seeds":
            kept.fair["seeds"] = ["", ""]
        case "draws":
            kept.fair["draws"][5] += 1
        case "nothing":
            kept.fair = {}
        case "digits":
            kept.fair["salt"] = "salt"
        case "order":
            kept.fair["draws"][5] = 2
        case "deal":
            cards = [n for n, action in enumerate(kept.actions[:9])]
            first = kept.actions[cards[0]]
            other = next(n for n in cards if kept.actions[n] != first)
            kept.actions[0], kept.actions[other] = kept.actions[other], first
    return kept


@pytest.mark.parametrize("change", ["seed", "seeds", "draws", "nothing", "digits", "order"])
def test_a_record_that_was_changed_is_found_out(change: str) -> None:
    with pytest.raises(NotFair):
        verify(_damaged(change))


def test_swapped_cards_are_found_out() -> None:
    with pytest.raises((NotFair, archipel.RecordError)):
        verify(_damaged("deal"))


# Forged records: nothing is certified that was not checked


def _kept() -> Record:
    return Record.read(record(Room("kahuna").sit_all().play_out().table).json())


def _with_seed_of_the_forger(kept: Record) -> None:
    forged = Lot(b"f" * 32, b"g" * 32, tuple(kept.fair["seeds"]))
    kept.fair |= forged.shown()


def test_a_foreign_seed_with_an_empty_branch_is_refused() -> None:
    kept = _kept()
    _with_seed_of_the_forger(kept)
    kept.fair["draws"] = [-1] * len(kept.fair["draws"])
    kept.fair["branch"] = {}
    with pytest.raises(NotFair, match="A branch must name the table"):
        verify(kept)
    del kept.fair["branch"]
    with pytest.raises(NotFair, match="Action 1 is said to come from another game"):
        verify(kept)
    kept.fair["branch"] = {"table": "abc", "game": 1, "moves": 9999}
    found = verify(kept)
    assert not found.fair
    assert set(found.draws) == {"taken over"}
    assert found.reason == f"Not certified: {len(found.draws)} of {len(found.draws)} draws could not be checked."


def test_draws_that_are_said_to_be_typed_in_are_refused() -> None:
    kept = _kept()
    _with_seed_of_the_forger(kept)
    kept.fair["dice"] = {"by": "pad"}
    with pytest.raises(NotFair, match="in this game everything is drawn"):
        verify(kept)


def test_draws_that_skip_numbers_until_they_please_are_not_certified() -> None:
    """Every card is chosen: numbers are passed over until the seed gives it."""
    kept = _kept()
    numbers, last = [], 0
    for state, action in zip(list(kept.states()), kept.actions, strict=False):
        if state.mover == archipel.CHANCE:
            wanted = state.encode(action)
            lot = Lot(b"f" * 32, b"g" * 32, ("", ""))
            last = next(n for n in itertools.count(last + 1) if lot.draw(state, n) == wanted)
            numbers.append(last)
    kept.fair |= lot.shown() | {"draws": numbers}
    found = verify(kept)
    assert set(found.draws) == {"checked"}
    assert len(found.skipped) == numbers[-1] - len(numbers) > 100
    assert not found.fair


def test_a_draw_without_a_number_is_missing() -> None:
    kept = _kept()
    kept.fair["draws"].pop()
    found = verify(kept)
    assert (found.draws[-1], found.fair) == ("missing", False)
