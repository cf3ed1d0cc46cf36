"""Draws are bound before the game, exact, and can be checked by anybody."""

import hmac
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import archipel
from archipel import Record
from archipel.table.fairness import WORD, Lot, Mac, NotFair, below, verify
from archipel.table.records import record
from tests.variants import EVERY, Options

from .room import Room

LOT = Lot(b"a" * 32, b"b" * 32, ("mine", "yours"))


def test_draws_are_what_they_were_promised_to_be() -> None:
    """If these words change, no old record can be checked any more."""
    assert LOT.commit == "7d67381e94b430a7ba5305b6d5666121ace297a93f3139a8461f4132a1e9d955"
    assert [f"{word:016x}" for word in itertools.islice(LOT.words(1), 5)] == [
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
        next(lot.words(1)) for lot in (LOT, Lot(b"c" * 32, LOT.salt, LOT.seeds), Lot(LOT.seed, LOT.salt, ("", "")))
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
    assert verify(kept) == (0, "")
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
        case "fewer":
            kept.fair["draws"].pop()
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


@pytest.mark.parametrize("change", ["seed", "seeds", "draws", "fewer", "nothing", "digits", "order"])
def test_a_record_that_was_changed_is_found_out(change: str) -> None:
    with pytest.raises(NotFair):
        verify(_damaged(change))


def test_swapped_cards_are_found_out() -> None:
    with pytest.raises((NotFair, archipel.RecordError)):
        verify(_damaged("deal"))
