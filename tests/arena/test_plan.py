"""Who meets whom, at which seats, with which chance."""

from collections import Counter
from itertools import combinations

import pytest

import archipel
from archipel.arena.plan import Plan, lineups, round_robin

GAMES = {2: "kahuna", 3: "kula_kula", 4: "krakatoa", 5: "kula_kula"}


def plan(seats: int, bots: str, games: int, seed: int = 0) -> Plan:
    options = {} if seats == 2 else {"players": seats}
    return round_robin(archipel.game(GAMES[seats], **options), list(bots), games, seed, {})


@pytest.mark.parametrize(("seats", "bots"), [(2, "ab"), (2, "abcde"), (3, "ab"), (3, "abcd"), (4, "abc"), (5, "ab")])
def test_every_bot_has_every_seat_equally_often(seats: int, bots: str) -> None:
    taken = Counter((seat, bot) for match in plan(seats, bots, 60).matches() for seat, bot in enumerate(match.seats))
    for bot in bots:
        assert len({taken[seat, bot] for seat in range(seats)}) == 1
    assert len({taken[0, bot] for bot in bots}) == 1


@pytest.mark.parametrize(("seats", "bots"), [(2, "abcd"), (3, "ab"), (4, "abcdef"), (5, "abc")])
def test_everybody_meets_everybody_equally_often(seats: int, bots: str) -> None:
    met = Counter(
        frozenset(pair)
        for match in plan(seats, bots, 10).matches()
        for pair in set(combinations(sorted(match.seats), 2))
    )
    assert len({met[frozenset(pair)] for pair in combinations(bots, 2)}) == 1


def test_few_bots_take_several_seats() -> None:
    assert lineups("ab", 2) == [("a", "b")]
    assert lineups("ab", 3) == [("a", "b", "a"), ("a", "b", "b")]
    assert lineups("abb", 3) == [("a", "b", "b")]
    assert lineups("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(("seats", "asked", "played"), [(2, 1, 2), (2, 400, 400), (3, 400, 402), (5, 5, 5)])
def test_games_are_made_up_to_whole_deals(seats: int, asked: int, played: int) -> None:
    assert plan(seats, "ab", asked).games == played


def test_the_games_of_a_deal_share_their_chance_and_nothing_else() -> None:
    matches = [plan(3, "abc", 6).match(0, number) for number in range(6)]
    assert [match.chance for match in matches] == [matches[0].chance] * 3 + [matches[3].chance] * 3
    assert len({match.chance for match in matches}) == 2
    assert len({match.thought for match in matches}) == 6
    assert len({match.seats for match in matches}) == 6


def test_other_seeds_and_tables_have_other_chance() -> None:
    seen = [plan(2, "abc", 2, seed).match(table, 0).chance for seed in (0, 1) for table in range(3)]
    assert len(set(seen)) == 6


def test_more_games_do_not_change_those_there_are() -> None:
    few, many = plan(2, "abc", 4), plan(2, "abc", 8)
    assert set(map(repr, few.matches())) < set(map(repr, many.matches()))
    assert few.header() == many.header()
    assert few.name == many.name != plan(2, "abc", 4, 1).name
