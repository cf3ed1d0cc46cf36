"""Kula Kula's rules: sail around the ring, consult the oracle, collect Pukas, trade them for Kauri.

A seat's actions are `SAIL` to `STOP`. Chance turns the dolphin to a numbered space (counted in the order of the ring),
or turns up a card: boat, fish or idol.
"""

import sys
from typing import Annotated

import numpy as np

from archipel.core import bits
from archipel.core.chance import Rng, below, word
from archipel.core.compiled import compiled
from archipel.core.fields import Int8, Int16, Int32, Row, dtype
from archipel.core.rules import CHANCE, OVER, Numbers, Rules, copy, register

from .board import MAX_CARDS, MAX_SPACES


class Setup:
    """The options and the board: fixed for a game."""

    players: Int8
    return_home: Int8
    toll_after: Int8  # the toll is paid at the end of a landing
    dolphin_after: Int8  # the dolphin turns at the end of a turn with the oracle
    spaces: Int8
    numbered: Int8  # the number of spaces that the dolphin can point at
    limit: Int16
    goal: Int16
    supply: Int16  # all Pukas
    price: Int16
    turns: Int32  # the number of turns after which the game ends
    cards: Annotated[Row, "i2", 3]
    starts: Annotated[Row, "i1", 5]
    sea: Annotated[Row, "i1", MAX_SPACES]  # the numbered spaces, in the order of the ring
    island: Annotated[Row, "i1", MAX_SPACES]  # 1 if this space is an island
    shells: Annotated[Row, "i1", MAX_SPACES]  # the Kauri or Pukas of each space at the start
    beach: Annotated[Row, "i1", MAX_SPACES]  # the Pukas of each numbered island at the start


class Position:
    """A state of the game."""

    mover: Int8
    winners: Int8
    seat: Int8  # whose turn it is, also while chance acts
    phase: Int8
    turn: Int32  # turns ended, all seats together
    supply: Int16
    drawn: Int16  # how many cards were drawn in this turn
    way: Int16  # the sum of their steps
    idol: Int8  # an idol has ended the drawing, but not yet the turn
    counted: Int8  # everybody has seen every Puka change hands since the start
    deck: Annotated[Row, "i2", 3]
    discard: Annotated[Row, "i2", 3]
    pukas: Annotated[Row, "i2", 5]
    kauris: Annotated[Row, "i2", 5]
    boats: Annotated[Row, "i1", 5]
    fish: Annotated[Row, "u1", MAX_CARDS // 4]  # bits: which of the cards drawn are fish; the others are boats
    shells: Annotated[Row, "i1", MAX_SPACES]  # the Kauri of an island, the Pukas of a sea space
    beach: Annotated[Row, "i1", MAX_SPACES]  # the Pukas of a numbered island


FACTS, STATE = dtype(Setup), dtype(Position)


CHOOSING, SPINNING, TURNING, PUSHING, TRADING, ENDED = range(6)
PHASES = ("choose", "dolphin", "card", "push", "trade", "over")
SAIL, ORACLE, DRAW, GO, TRADE, STOP = range(6)
ACTIONS = 6
BOAT, FISH, IDOL = range(3)

_1 = np.uint64(1)


@compiled
def begin(facts: Setup, s: Position) -> None:
    copy(facts.starts, s.boats)
    copy(facts.cards, s.deck)
    copy(facts.shells, s.shells)
    copy(facts.beach, s.beach)
    s.supply = facts.supply
    for k in range(facts.numbered):
        s.supply -= pukas_at(facts, s, facts.sea[k])
    s.counted = 1


@compiled
def pukas_at(facts: Setup, s: Position, space: int) -> int:
    """The Pukas on a numbered space."""
    return s.beach[space] if facts.island[space] else s.shells[space]


@compiled
def put_pukas(facts: Setup, s: Position, space: int, pukas: int) -> None:
    if facts.island[space]:
        s.beach[space] = pukas
    else:
        s.shells[space] = pukas


@compiled
def ask(s: Position, phase: int) -> None:
    s.phase = phase
    s.mover = s.seat


@compiled
def leave_to_chance(s: Position, phase: int) -> None:
    s.phase = phase
    s.mover = CHANCE


@compiled
def end(s: Position, winners: int) -> None:
    s.phase = ENDED
    s.mover = OVER
    s.winners = winners


@compiled
def end_turn(facts: Setup, s: Position) -> None:
    put_cards_away(facts, s)
    s.turn += 1
    s.seat += 1
    if s.seat == facts.players:
        s.seat = 0
    if s.turn == facts.turns:
        end(s, richest(facts, s))
    else:
        ask(s, CHOOSING)


@compiled
def put_cards_away(facts: Setup, s: Position) -> None:
    for kind in range(3):
        s.discard[kind] = facts.cards[kind] - s.deck[kind]
    for i in range((s.drawn + 7) >> 3):
        s.fish[i] = 0
    s.drawn = 0
    s.way = 0
    s.idol = 0


@compiled
def most_kauri(facts: Setup, s: Position) -> int:
    """The seats with the most Kauri, as bits."""
    most = -1
    seats = 0
    for seat in range(facts.players):
        if s.kauris[seat] > most:
            most = s.kauris[seat]
            seats = 0
        if s.kauris[seat] == most:
            seats |= bits.bit(seat)
    return seats


@compiled
def richest(facts: Setup, s: Position) -> int:
    """The seats with the most Kauri, and among those the most Pukas, as bits."""
    leaders = most_kauri(facts, s)
    most = -1
    seats = 0
    for seat in range(facts.players):
        if leaders & bits.bit(seat):
            if s.pukas[seat] > most:
                most = s.pukas[seat]
                seats = 0
            if s.pukas[seat] == most:
                seats |= bits.bit(seat)
    return seats


@compiled
def has_won(facts: Setup, s: Position, seat: int) -> bool:
    return s.kauris[seat] >= facts.goal and (not facts.return_home or s.boats[seat] == facts.starts[seat])


@compiled
def may_trade(facts: Setup, s: Position) -> bool:
    space = s.boats[s.seat]
    return facts.island[space] != 0 and s.shells[space] > 0 and s.pukas[s.seat] >= facts.price


@compiled
def cards_left(s: Position) -> int:
    return s.deck[0] + s.deck[1] + s.deck[2] + s.discard[0] + s.discard[1] + s.discard[2]


@compiled
def pay_toll(facts: Setup, s: Position) -> None:
    """Pay one Puka to each boat that was there before, starting with the next seat's."""
    seat = s.seat
    for k in range(1, facts.players):
        other = (seat + k) % facts.players
        if s.boats[other] == s.boats[seat] and s.pukas[seat] > 0:
            s.pukas[seat] -= 1
            s.pukas[other] += 1


@compiled
def land(facts: Setup, s: Position, steps: int) -> None:
    seat = s.seat
    space = (s.boats[seat] + steps) % facts.spaces
    s.boats[seat] = space
    if not facts.toll_after:
        pay_toll(facts, s)
    s.pukas[seat] += pukas_at(facts, s, space)
    put_pukas(facts, s, space, 0)
    go_on(facts, s)


@compiled
def trade(facts: Setup, s: Position) -> None:
    s.pukas[s.seat] -= facts.price
    s.supply += facts.price
    s.shells[s.boats[s.seat]] -= 1
    s.kauris[s.seat] += 1
    go_on(facts, s)


@compiled
def go_on(facts: Setup, s: Position) -> None:
    """After landing or a trade: the seat has won, may trade, or has ended its turn."""
    if has_won(facts, s, s.seat):
        end(s, bits.bit(s.seat))
    elif may_trade(facts, s):
        ask(s, TRADING)
    else:
        end_landing(facts, s)


@compiled
def end_landing(facts: Setup, s: Position) -> None:
    """No more trade is wanted or possible."""
    if facts.toll_after:
        pay_toll(facts, s)
    end_move(facts, s)


@compiled
def end_move(facts: Setup, s: Position) -> None:
    """The move, or its idol, is done: the dolphin turns now if it has not before, or the turn ends."""
    if facts.dolphin_after and (s.drawn > 0 or s.idol):
        leave_to_chance(s, SPINNING)
    else:
        end_turn(facts, s)


@compiled
def dolphin_points(facts: Setup, s: Position, space: int) -> None:
    pukas = pukas_at(facts, s, space)
    if pukas == facts.limit:
        s.supply += pukas
        put_pukas(facts, s, space, 0)
    elif s.supply > 0:
        s.supply -= 1
        put_pukas(facts, s, space, pukas + 1)


@compiled
def call_for_card(s: Position) -> None:
    """A card is due; an empty deck is reshuffled from the discards."""
    if s.deck[0] + s.deck[1] + s.deck[2] == 0:
        for kind in range(3):
            s.deck[kind] = s.discard[kind]
            s.discard[kind] = 0
    leave_to_chance(s, TURNING)


@compiled
def turn_up(facts: Setup, s: Position, kind: int) -> None:
    s.deck[kind] -= 1
    if kind == IDOL:
        s.idol = 1
        end_move(facts, s)
        return
    if kind == FISH:
        s.fish[s.drawn >> 3] |= bits.bit(s.drawn & 7)
    s.drawn += 1
    s.way += kind + 1
    ask(s, PUSHING)


@compiled
def apply(facts: Setup, s: Position, action: int) -> None:
    if s.phase == SPINNING:
        dolphin_points(facts, s, facts.sea[action])
        if facts.dolphin_after:
            end_turn(facts, s)
        else:
            call_for_card(s)
    elif s.phase == TURNING:
        turn_up(facts, s, action)
    elif action == SAIL:
        land(facts, s, 1)
    elif action == ORACLE and not facts.dolphin_after:
        leave_to_chance(s, SPINNING)
    elif action in (ORACLE, DRAW):
        call_for_card(s)
    elif action == GO:
        land(facts, s, s.way)
    elif action == TRADE:
        trade(facts, s)
    else:
        end_landing(facts, s)


@compiled
def first_offer(s: Position) -> int:
    """Return the first of the two actions between which a seat chooses."""
    if s.phase == CHOOSING:
        return SAIL
    return DRAW if s.phase == PUSHING else TRADE


@compiled
def must_go(s: Position) -> bool:
    return s.phase == PUSHING and cards_left(s) == 0


@compiled
def is_legal(facts: Setup, s: Position, action: int) -> bool:
    if s.phase == SPINNING:
        return 0 <= action < facts.numbered
    if s.phase == TURNING:
        return 0 <= action < 3 and s.deck[action] > 0
    if action == DRAW and must_go(s):
        return False
    return first_offer(s) <= action <= first_offer(s) + 1


@compiled
def legal(facts: Setup, s: Position, out: Numbers) -> int:
    if must_go(s):
        out[0] = GO
        return 1
    out[0] = first_offer(s)
    out[1] = first_offer(s) + 1
    return 2


@compiled
def pick(facts: Setup, s: Position, rng: Rng) -> int:
    if must_go(s):
        return GO
    return first_offer(s) + below(rng, 2)


@compiled
def weights(facts: Setup, s: Position, out: Numbers) -> int:
    if s.phase == SPINNING:
        out[: facts.numbered] = 1
        return facts.numbered
    copy(s.deck, out)
    return 3


@compiled
def draw(facts: Setup, s: Position, rng: Rng) -> int:
    if s.phase == SPINNING:
        return below(rng, facts.numbered)
    card = below(rng, s.deck[0] + s.deck[1] + s.deck[2])
    if card < s.deck[0]:
        return BOAT
    return FISH if card < s.deck[0] + s.deck[1] else IDOL


@compiled
def label(facts: Setup, s: Position, action: int, seat: int) -> int:
    return action


@compiled
def redeal(facts: Setup, s: Position, seat: int, rng: Rng) -> None:
    """Split the others' Pukas at random, uniformly among all splits that are consistent with what the seat knows.

    Nothing is unknown to a seat that has counted since the start. In a position that was set up, two things are known
    of a split besides its sum: a seat that may trade can pay, and Pukas that decided the game decided it as they did.
    """
    if s.counted:
        return
    others = bits.bit(facts.players) - 1
    if seat >= 0:
        others &= ~bits.bit(seat)
    tied = tied_at_end(facts, s)
    if tied:
        deal_tie(s, others, tied, rng)
    elif s.phase == TRADING and others & bits.bit(s.seat):
        deal(s, others, behind_screens(s, others) - int(facts.price), 0, rng)
        s.pukas[s.seat] += facts.price
    else:
        deal(s, others, behind_screens(s, others), 0, rng)


@compiled
def behind_screens(s: Position, seats: int) -> int:
    total = 0
    for seat in range(5):
        if seats & bits.bit(seat):
            total += int(s.pukas[seat])
    return total


@compiled
def tied_at_end(facts: Setup, s: Position) -> int:
    """The seats between which Pukas decided the game, as bits; 0 if they did not."""
    if s.mover != OVER or s.turn < facts.turns:
        return 0
    leaders = most_kauri(facts, s)
    return leaders if bits.count(leaders) > 1 else 0


@compiled
def splits(total: int, screens: int) -> int:
    """The number of ways to put this many Pukas behind this many screens."""
    if total < 0:
        return 0
    if screens == 0:
        return 1 if total == 0 else 0
    ways = 1
    for k in range(1, screens):
        ways = ways * (total + k) // k
    return ways


@compiled
def splits_below(total: int, screens: int, losers: int, most: int) -> int:
    """The same, if some of the screens have fewer than `most` each: by inclusion and exclusion."""
    ways = 0
    sets = 1
    for k in range(losers + 1):
        ways += sets * splits(total - k * most, screens)
        sets = -sets * (losers - k) // (k + 1)
    return ways


@compiled
def one_of(rng: Rng, n: int) -> int:
    """A number from 0 to n-1, where n may be larger than `below` accepts."""
    return np.int64(word(rng) >> _1) % n  # type: ignore[return-value]


@compiled
def deal(s: Position, seats: int, total: int, tied: int, rng: Rng) -> None:
    """Split the total among the seats; if Pukas broke a tie, its losers get fewer than its winners have."""
    most = int(s.pukas[bits.first(s.winners)]) if tied else 0
    while seats:
        seat = bits.first(seats)
        number = one_of(rng, splits_below(total, bits.count(seats), bits.count(seats & tied), most))
        seats &= seats - 1
        share = -1
        while number >= 0:
            share += 1
            number -= splits_below(total - share, bits.count(seats), bits.count(seats & tied), most)
        s.pukas[seat] = share
        total -= share


@compiled
def ways_with(s: Position, others: int, tied: int, most: int) -> int:
    """The number of splits in which each winner of the tie has `most`."""
    winners = tied & s.winners
    own = tied & ~others
    if own & winners and s.pukas[bits.first(own)] != most:
        return 0
    if own & ~winners and s.pukas[bits.first(own)] >= most:
        return 0
    total = behind_screens(s, others) - most * bits.count(winners & others)
    return splits_below(total, bits.count(others & ~winners), bits.count(others & tied & ~winners), most)


@compiled
def deal_tie(s: Position, others: int, tied: int, rng: Rng) -> None:
    """Draw how many Pukas each winner of the tie has, weighted by the number of splits; then the rest."""
    ways = 0
    for most in range(behind_screens(s, 31) + 1):
        ways += ways_with(s, others, tied, most)
    number = one_of(rng, ways)
    most = -1
    while number >= 0:
        most += 1
        number -= ways_with(s, others, tied, most)
    total = behind_screens(s, others)
    winners = s.winners & others
    for seat in range(5):
        if winners & bits.bit(seat):
            s.pukas[seat] = most
            total -= most
    deal(s, others & ~winners, total, tied, rng)


RULES = register(Rules(sys.modules[__name__], FACTS, STATE, MAX_SPACES, inlined=("judge",)))
