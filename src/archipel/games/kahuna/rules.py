"""Kahuna's rules: play cards, build bridges, win islands, three rounds.

A pile of cards is 24 bits: bit c for a card of island c, bit 12 + c for a
second one. An action is, in this order: a bridge (line * 2 + the end whose
card is played), a cut (line * 3 + 0 for two cards of the first end, 1 for one
of each, 2 for two of the second), `REFILL`, a discard by card, a draw by open
card, `DRAW_DECK`, `PASS`, a handicap bridge by line; then, for the option
`open_copy`, bridges, cuts with a card of each end, and discards once more, with
the copy that is not face up. Chance deals a card.
"""

import sys

import numpy as np

from archipel.core.bits import bit, count, first, nth
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Numbers, Record, Rules, register

from .board import BRIDGES, DEAL, DEGREE, ENDS, HAND_LIMIT, LINES_OF, N_ISLANDS, N_LINES, ROUNDS

FACTS = np.dtype(
    (
        np.record,
        [
            ("tilsit", "i1"),
            ("guarded", "i1"),
            ("open_cards", "i1"),
            ("any_copy", "i1"),  # open_cards: the player chooses which of two copies goes
            ("bare_loses", "i1"),  # a seat that has lost all bridges loses when the opponent's turn ends
            ("handicap", "i1", 2),
        ],
    )
)
STATE = np.dtype(
    (
        np.record,
        [
            ("mover", "i1"),
            ("winners", "i1"),
            ("phase", "i1"),
            ("turn", "i1"),  # whose turn it is, also while chance deals
            ("round_", "i1"),
            ("left", "i1"),  # DEALING: cards left to deal; HANDICAP: bridges left to build
            ("played", "i1"),  # a card was played in this turn
            ("discarded", "i1"),  # a card was laid face down in this turn
            ("refill", "i1"),  # guarded: the line just cut, or -1
            ("passed", "i1"),  # the last turn that ended was a pass
            ("last_turns", "i1"),  # how many last turns are left, 0 before and after
            ("scores", "i1", 2),
            ("bridges", "i4", 2),  # bits of lines
            ("stones", "i4", 2),  # bits of islands
            ("bare", "i1"),  # bits of seats: those that have lost all the bridges they had
            ("hands", "i4", 2),
            ("shown", "i4", 2),  # open_cards: the part of each hand that is face up
            ("known", "i4", 2),  # the part of each hand that the opponent has seen it take
            ("maybe", "i4", 2),  # seen likewise, but cards were laid face down since
            ("since", "i1", (2, 24)),  # for each bit of maybe: how many cards were laid face down since
            ("hidden", "i4", 2),  # face-down discards of each seat
            ("laid", "i4", 2),  # open_cards: those among them that were face up before
            ("open", "i4"),
            ("deck", "i4"),
            ("discard", "i4"),
        ],
    )
)

DEALING, HANDICAP, TURN, DRAWN, REPLACING, ENDED = range(6)
PHASES = ("deal", "handicap", "turn", "drawn", "replace", "over")

BRIDGE = 0
CUT = BRIDGE + 2 * N_LINES
REFILL = CUT + 3 * N_LINES
DISCARD = REFILL + 1
DRAW = DISCARD + N_ISLANDS
DRAW_DECK = DRAW + N_ISLANDS
PASS = DRAW_DECK + 1
FREE = PASS + 1
HIDDEN_BRIDGE = FREE + N_LINES
HIDDEN_CUT = HIDDEN_BRIDGE + 2 * N_LINES
HIDDEN_DISCARD = HIDDEN_CUT + N_LINES
ACTIONS = HIDDEN_DISCARD + N_ISLANDS

ALL_LINES = (1 << N_LINES) - 1
ONES = (1 << N_ISLANDS) - 1
"""The first copies in a pile, as bits."""
ALL_CARDS = (1 << 2 * N_ISLANDS) - 1


# Piles


@compiled
def with_card(pile: int, card: int) -> int:
    return pile | bit(card + N_ISLANDS) if pile & bit(card) else pile | bit(card)


@compiled
def without(pile: int, card: int) -> int:
    """The pile without one such card, if it has one."""
    second = bit(card + N_ISLANDS)
    return pile & ~second if pile & second else pile & ~bit(card)


@compiled
def together(a: int, b: int) -> int:
    """The union of two piles; no card has more than two copies."""
    return a | b | (a & b & ONES) << N_ISLANDS


@compiled
def apart(pile: int, some: int) -> int:
    """The pile without some of its cards."""
    while some:
        pile = without(pile, first(some) % N_ISLANDS)
        some &= some - 1
    return pile


@compiled
def has(pile: int, card: int) -> bool:
    return pile & bit(card) != 0


@compiled
def has_two(pile: int, card: int) -> bool:
    return pile & bit(card + N_ISLANDS) != 0


# Islands


@compiled
def majority(bridges: int, island: int) -> bool:
    return 2 * count(bridges & LINES_OF[island]) > DEGREE[island]


@compiled
def majorities(bridges: int, islands: int) -> int:
    """The islands where these bridges are more than half of all lines, as bits."""
    held = 0
    while islands:
        island = first(islands)
        islands &= islands - 1
        if majority(bridges, island):
            held |= bit(island)
    return held


@compiled
def take_away(s: Record, lines: int) -> None:
    """Remove the opponent's bridges on these lines, and the stones that depend on them."""
    foe = 1 - s.turn
    lost = s.bridges[foe] & lines
    if lost:
        s.bridges[foe] ^= lost
        s.stones[foe] = majorities(s.bridges[foe], s.stones[foe])
        if s.bridges[foe] == 0:
            s.bare |= bit(foe)
            if s.round_ > 1:
                finish(s, bit(s.turn))


@compiled
def build(s: Record, line: int) -> None:
    """The player builds a bridge; if it wins islands, the opponent's bridges there are removed, at both ends
    together."""
    mine = s.turn
    s.bridges[mine] |= bit(line)
    s.bare &= ~bit(mine)
    stripped = 0
    for k in range(2):
        island = ENDS[line, k]
        if not s.stones[mine] & bit(island) and majority(s.bridges[mine], island):
            s.stones[mine] |= bit(island)
            stripped |= LINES_OF[island]
    take_away(s, stripped)


# Cards


@compiled
def forget(s: Record, seat: int, card: int, hidden: bool) -> None:
    """A card has left the hand face up: if it was known to be there, it no longer is."""
    if not hidden:
        s.shown[seat] = without(s.shown[seat], card)
    if has(s.known[seat], card):
        s.known[seat] = without(s.known[seat], card)
    elif has(s.maybe[seat], card):
        # Of two copies, the one seen earlier stays, which claims less.
        gone = card + N_ISLANDS if has_two(s.maybe[seat], card) else card
        s.maybe[seat] &= ~bit(gone)
        s.since[seat, gone] = 0


@compiled
def put_away(s: Record, card: int, hidden: bool) -> None:
    """Move a card from the hand to the face-up discards: the copy that is face up, or the other one if `hidden`."""
    forget(s, s.turn, card, hidden)
    s.hands[s.turn] = without(s.hands[s.turn], card)
    s.discard = with_card(s.discard, card)


@compiled
def lay_down(s: Record, card: int, hidden: bool) -> None:
    """Lay a card face down; cards known to be in the hand may now be among such discards."""
    seat = s.turn
    s.hands[seat] = without(s.hands[seat], card)
    s.hidden[seat] = with_card(s.hidden[seat], card)
    if has(s.shown[seat], card) and not hidden:
        s.shown[seat] = without(s.shown[seat], card)
        s.laid[seat] = with_card(s.laid[seat], card)
    s.maybe[seat] = together(s.maybe[seat], s.known[seat])
    s.known[seat] = 0
    uncertain = s.maybe[seat]
    while uncertain:
        s.since[seat, first(uncertain)] += 1
        uncertain &= uncertain - 1


@compiled
def take_open(facts: Record, s: Record, card: int) -> None:
    seat = s.turn
    s.open = without(s.open, card)
    s.hands[seat] = with_card(s.hands[seat], card)
    if facts.open_cards:
        s.shown[seat] = with_card(s.shown[seat], card)
    else:
        s.known[seat] = with_card(s.known[seat], card)


# Turns and rounds


@compiled
def finish(s: Record, winners: int) -> None:
    s.winners = winners
    s.turn = 0
    s.mover = OVER
    s.phase = ENDED
    s.played = 0
    s.discarded = 0
    s.refill = -1
    s.last_turns = 0


@compiled
def begin_turn(s: Record, seat: int) -> None:
    s.phase = TURN
    s.turn = seat
    s.mover = seat
    s.played = 0
    s.discarded = 0
    s.refill = -1


@compiled
def stones_ahead(s: Record) -> int:
    """Seat 0's number of stones minus seat 1's."""
    return count(s.stones[0]) - count(s.stones[1])


@compiled
def score(s: Record, points: int) -> None:
    """Give points to the seat with more stones."""
    ahead = stones_ahead(s)
    if ahead:
        s.scores[0 if ahead > 0 else 1] += points


@compiled
def end_round(s: Record) -> None:
    """Someone drew the last card: score and deal again, or start the last turns."""
    other = 1 - s.turn
    if s.round_ == ROUNDS:
        s.last_turns = 2
        begin_turn(s, other)
        return
    score(s, s.round_)
    s.round_ += 1
    s.deck = together(s.discard, together(s.hidden[0], s.hidden[1]))
    s.discard = 0
    s.hidden[:] = 0
    s.laid[:] = 0
    s.maybe[:] = 0
    s.since[:] = 0
    begin_turn(s, other)
    s.phase = DEALING
    s.mover = CHANCE
    s.left = DEAL


@compiled
def end_game(s: Record) -> None:
    """The third scoring, and the winner: by points, then by that scoring, then by bridges."""
    third = stones_ahead(s)
    score(s, abs(third))
    ahead = s.scores[0] - s.scores[1]
    if ahead == 0:
        ahead = third
    if ahead == 0:
        ahead = count(s.bridges[0]) - count(s.bridges[1])
    finish(s, 3 if ahead == 0 else 1 if ahead > 0 else 2)


@compiled
def wins_bare(facts: Record, s: Record) -> bool:
    """A turn ends: with `bare_loses`, end the game if the opponent has lost all bridges. Return True if it ended."""
    if facts.bare_loses == 0 or s.round_ == 1 or s.bare & bit(1 - s.turn) == 0:
        return False
    finish(s, bit(s.turn))
    return True


@compiled
def after_draw(facts: Record, s: Record) -> None:
    s.passed = 0
    if wins_bare(facts, s):
        return
    if s.deck | s.open:
        begin_turn(s, 1 - s.turn)
    else:
        end_round(s)


@compiled
def after_pass(facts: Record, s: Record) -> None:
    s.passed = 1
    if wins_bare(facts, s):
        return
    if s.last_turns:
        s.last_turns -= 1
        if s.last_turns == 0:
            end_game(s)
            return
    begin_turn(s, 1 - s.turn)


@compiled
def deal(facts: Record, s: Record, card: int) -> None:
    s.deck = without(s.deck, card)
    if s.phase == DRAWN:
        s.hands[s.turn] = with_card(s.hands[s.turn], card)
        after_draw(facts, s)
    elif s.phase == REPLACING:
        s.open = with_card(s.open, card)
        after_draw(facts, s)
    else:
        if s.left > 2 * DEAL:
            s.hands[0] = with_card(s.hands[0], card)
        elif s.left > DEAL:
            s.hands[1] = with_card(s.hands[1], card)
        else:
            s.open = with_card(s.open, card)
        s.left -= 1
        if s.left == 0:
            begin_play(facts, s)


@compiled
def begin_play(facts: Record, s: Record) -> None:
    """The cards are dealt: continue with the handicap or the first turn."""
    for seat in range(2):
        if s.round_ == 1 and facts.handicap[seat]:
            begin_turn(s, seat)
            s.phase = HANDICAP
            s.left = facts.handicap[seat]
            return
    begin_turn(s, s.turn)


@compiled
def begin(facts: Record, s: Record) -> None:
    s.mover = CHANCE
    s.phase = DEALING
    s.round_ = 1
    s.left = 3 * DEAL
    s.refill = -1
    s.deck = ALL_CARDS


@compiled
def apply(facts: Record, s: Record, action: int) -> None:
    if s.mover == CHANCE:
        deal(facts, s, action)
    elif action >= HIDDEN_BRIDGE:
        use_hidden(facts, s, action)
    elif action >= FREE:
        build(s, action - FREE)
        s.left -= 1
        if s.left == 0:
            begin_turn(s, 0)
    elif action == PASS:
        after_pass(facts, s)
    elif action == DRAW_DECK:
        s.phase = DRAWN
        s.mover = CHANCE
        s.refill = -1
    elif action >= DRAW:
        take_open(facts, s, action - DRAW)
        s.refill = -1
        if s.deck:
            s.phase = REPLACING
            s.mover = CHANCE
        else:
            after_draw(facts, s)
    elif action >= DISCARD:
        throw_away(facts, s, action - DISCARD, False)
    elif action == REFILL:
        line = s.refill
        s.refill = -1
        build(s, line)
    elif action >= CUT:
        play_cut(facts, s, (action - CUT) // 3, (action - CUT) % 3, 0)
    else:
        play_bridge(s, action // 2, action % 2, False)


@compiled
def use_hidden(facts: Record, s: Record, action: int) -> None:
    """Play or discard with the copy that is not face up."""
    if action >= HIDDEN_DISCARD:
        throw_away(facts, s, action - HIDDEN_DISCARD, True)
    elif action >= HIDDEN_CUT:
        play_cut(facts, s, action - HIDDEN_CUT, 1, choices(facts, s))
    else:
        play_bridge(s, (action - HIDDEN_BRIDGE) // 2, (action - HIDDEN_BRIDGE) % 2, True)


@compiled
def throw_away(facts: Record, s: Record, card: int, hidden: bool) -> None:
    """Discard a card without playing it."""
    s.refill = -1
    if facts.tilsit:
        put_away(s, card, hidden)
    else:
        s.discarded = 1
        lay_down(s, card, hidden)


@compiled
def play_bridge(s: Record, line: int, end: int, hidden: bool) -> None:
    s.played = 1
    s.refill = -1
    put_away(s, ENDS[line, end], hidden)
    build(s, line)


@compiled
def play_cut(facts: Record, s: Record, line: int, kind: int, hidden: int) -> None:
    """Cut a line with two cards; `hidden` has those of which the copy that is not face up goes, as bits."""
    s.played = 1
    one = ENDS[line, 1 if kind == 2 else 0]
    other = ENDS[line, 0 if kind == 0 else 1]
    put_away(s, one, has(hidden, one))
    put_away(s, other, has(hidden, other))
    s.refill = line if facts.guarded else -1
    take_away(s, bit(line))


# Legal actions


@compiled
def buildable(facts: Record, s: Record) -> int:
    """The lines where the player may build, regardless of cards, as bits."""
    if count(s.bridges[s.turn]) >= BRIDGES:
        return 0
    lines = ALL_LINES & ~(s.bridges[0] | s.bridges[1])
    if facts.guarded:
        held = s.stones[1 - s.turn]
        while held:
            lines &= ~LINES_OF[first(held)]
            held &= held - 1
    return lines


@compiled
def may_play(s: Record) -> bool:
    return s.phase == TURN and s.discarded == 0


@compiled
def may_refill(facts: Record, s: Record) -> bool:
    return s.phase == TURN and s.refill >= 0 and buildable(facts, s) & bit(s.refill) != 0


@compiled
def may_discard(facts: Record, s: Record) -> bool:
    return s.phase == TURN and s.deck | s.open != 0 and (facts.tilsit == 1 or s.played == 0)


@compiled
def may_draw(s: Record) -> bool:
    return s.phase == TURN and count(s.hands[s.turn]) < HAND_LIMIT


@compiled
def may_pass(facts: Record, s: Record) -> bool:
    if s.phase != TURN:
        return False
    if s.deck | s.open == 0:
        return True
    return s.passed == 0 and (facts.tilsit == 0 or count(s.hands[s.turn]) == HAND_LIMIT)


@compiled
def has_cards(hand: int, line: int, kind: int) -> bool:
    """True if the two cards of this kind of cut are in the hand."""
    if kind == 1:
        return has(hand, ENDS[line, 0]) and has(hand, ENDS[line, 1])
    return has_two(hand, ENDS[line, kind // 2])


@compiled
def choices(facts: Record, s: Record) -> int:
    """The cards of which the player holds one copy face up and one that is not, and may choose, as bits."""
    if facts.any_copy == 0:
        return 0
    shown = s.shown[s.turn]
    return s.hands[s.turn] >> N_ISLANDS & shown & ~(shown >> N_ISLANDS) & ONES


@compiled
def plain(action: int) -> int:
    """The same action without the choice of a copy."""
    if action >= HIDDEN_DISCARD:
        return DISCARD + action - HIDDEN_DISCARD
    if action >= HIDDEN_CUT:
        return CUT + 3 * (action - HIDDEN_CUT) + 1
    return BRIDGE + action - HIDDEN_BRIDGE if action >= HIDDEN_BRIDGE else action


@compiled
def cards_of(action: int) -> int:
    """The different cards that a bridge, a cut with a card of each end, or a discard takes, as bits."""
    if action >= DISCARD:
        return bit(action - DISCARD)
    if action >= CUT:
        line = (action - CUT) // 3
        return bit(ENDS[line, 0]) | bit(ENDS[line, 1])
    return bit(ENDS[action // 2, action % 2])


@compiled
def is_legal(facts: Record, s: Record, action: int) -> bool:
    if action < 0 or action >= ACTIONS:
        return False
    if s.mover == CHANCE:
        return action < N_ISLANDS and has(s.deck, action)
    if action >= HIDDEN_BRIDGE:
        action = plain(action)
        if cards_of(action) & choices(facts, s) == 0:
            return False
    hand = s.hands[s.turn]
    if action >= FREE:
        return s.phase == HANDICAP and buildable(facts, s) & bit(action - FREE) != 0
    if action == PASS:
        return may_pass(facts, s)
    if action == DRAW_DECK:
        return may_draw(s) and s.deck != 0
    if action >= DRAW:
        return may_draw(s) and has(s.open, action - DRAW)
    if action >= DISCARD:
        return may_discard(facts, s) and has(hand, action - DISCARD)
    if action == REFILL:
        return may_refill(facts, s)
    if action >= CUT:
        line = (action - CUT) // 3
        return may_play(s) and s.bridges[1 - s.turn] & bit(line) != 0 and has_cards(hand, line, (action - CUT) % 3)
    line = action // 2
    return may_play(s) and has(hand, ENDS[line, action % 2]) and buildable(facts, s) & bit(line) != 0


@compiled
def list_plays(facts: Record, s: Record, out: Numbers) -> int:
    n = 0
    hand = s.hands[s.turn]
    lines = buildable(facts, s)
    while lines:
        line = first(lines)
        lines &= lines - 1
        for k in range(2):
            if has(hand, ENDS[line, k]):
                out[n] = BRIDGE + 2 * line + k
                n += 1
    lines = s.bridges[1 - s.turn]
    while lines:
        line = first(lines)
        lines &= lines - 1
        for kind in range(3):
            if has_cards(hand, line, kind):
                out[n] = CUT + 3 * line + kind
                n += 1
    return n


@compiled
def list_hidden(facts: Record, s: Record, out: Numbers, n: int) -> int:
    """Append the actions with a copy that is not face up, where there is a choice; return the number of actions."""
    if choices(facts, s) == 0:
        return n
    for action in range(HIDDEN_BRIDGE, ACTIONS):
        if is_legal(facts, s, action):
            out[n] = action
            n += 1
    return n


@compiled
def list_cards(cards: int, base: int, out: Numbers, n: int) -> int:
    """Append one action per different card; return the number of actions."""
    cards &= ONES
    while cards:
        out[n] = base + first(cards)
        cards &= cards - 1
        n += 1
    return n


@compiled
def legal(facts: Record, s: Record, out: Numbers) -> int:
    n = 0
    if s.phase == HANDICAP:
        lines = buildable(facts, s)
        while lines:
            out[n] = FREE + first(lines)
            lines &= lines - 1
            n += 1
        return n
    if may_play(s):
        n = list_plays(facts, s, out)
    if may_refill(facts, s):
        out[n] = REFILL
        n += 1
    if may_discard(facts, s):
        n = list_cards(s.hands[s.turn], DISCARD, out, n)
    if may_draw(s):
        n = list_cards(s.open, DRAW, out, n)
        if s.deck:
            out[n] = DRAW_DECK
            n += 1
    if may_pass(facts, s):
        out[n] = PASS
        n += 1
    return list_hidden(facts, s, out, n)


@compiled
def pick(facts: Record, s: Record, rng: Rng) -> int:
    """Count each kind of action, choose one by its number, and find it, without listing them."""
    lines = buildable(facts, s)
    if s.phase == HANDICAP:
        return FREE + nth(lines, below(rng, count(lines)))
    hand = s.hands[s.turn]
    foes = s.bridges[1 - s.turn]
    plays = 0
    between = 0  # lines with a card in hand for both ends
    if may_play(s):
        reached = 0
        cards = hand & ONES
        while cards:
            card = first(cards)
            cards &= cards - 1
            between |= reached & LINES_OF[card]
            reached |= LINES_OF[card]
            plays += count(lines & LINES_OF[card])
            if has_two(hand, card):
                plays += count(foes & LINES_OF[card])
        plays += count(foes & between)
    refills = 1 if may_refill(facts, s) else 0
    discards = count(hand & ONES) if may_discard(facts, s) else 0
    draws = count(s.open & ONES) if may_draw(s) else 0
    decks = 1 if may_draw(s) and s.deck else 0
    passes = 1 if may_pass(facts, s) else 0
    usual = plays + refills + discards + draws + decks + passes
    n = below(rng, usual + count_hidden(facts, s))
    if n >= usual:
        return nth_hidden(facts, s, n - usual)
    if n < plays:
        return pick_play(hand, lines, foes, between, n)
    n -= plays
    if n < refills:
        return REFILL
    n -= refills
    if n < discards:
        return DISCARD + nth(hand & ONES, n)
    n -= discards
    if n < draws:
        return DRAW + nth(s.open & ONES, n)
    n -= draws
    return DRAW_DECK if n < decks else PASS


@compiled
def count_hidden(facts: Record, s: Record) -> int:
    """The number of actions with a copy that is not face up."""
    n = 0
    if choices(facts, s):
        for action in range(HIDDEN_BRIDGE, ACTIONS):
            n += 1 if is_legal(facts, s, action) else 0
    return n


@compiled
def nth_hidden(facts: Record, s: Record, n: int) -> int:
    action = HIDDEN_BRIDGE
    while n > 0 or not is_legal(facts, s, action):
        n -= 1 if is_legal(facts, s, action) else 0
        action += 1
    return action


@compiled
def pick_play(hand: int, lines: int, foes: int, between: int, n: int) -> int:
    """The n-th bridge or cut, in the order in which `pick` counts them."""
    cards = hand & ONES
    while cards:
        card = first(cards)
        cards &= cards - 1
        here = lines & LINES_OF[card]
        if n < count(here):
            line = nth(here, n)
            return BRIDGE + 2 * line + (0 if ENDS[line, 0] == card else 1)
        n -= count(here)
        if has_two(hand, card):
            here = foes & LINES_OF[card]
            if n < count(here):
                line = nth(here, n)
                return CUT + 3 * line + (0 if ENDS[line, 0] == card else 2)
            n -= count(here)
    return CUT + 3 * nth(foes & between, n) + 1


@compiled
def weights(facts: Record, s: Record, out: Numbers) -> int:
    for card in range(N_ISLANDS):
        out[card] = count(s.deck & (bit(card) | bit(card + N_ISLANDS)))
    return N_ISLANDS


@compiled
def draw(facts: Record, s: Record, rng: Rng) -> int:
    return random_card(s.deck, rng)


@compiled
def random_card(pile: int, rng: Rng) -> int:
    return nth(pile, below(rng, count(pile))) % N_ISLANDS


@compiled
def label(facts: Record, s: Record, action: int, seat: int) -> int:
    """A card that the opponent draws from the deck is not seen, nor one laid face down, unless it was face up
    before."""
    if s.mover == CHANCE:
        if s.phase == DRAWN:
            return action if s.turn == seat else N_ISLANDS
        if s.phase == DEALING and s.left > DEAL:
            owner = 0 if s.left > 2 * DEAL else 1
            return action if owner == seat else N_ISLANDS
        return action
    if facts.tilsit or s.turn == seat:
        return action
    if action >= HIDDEN_DISCARD or (DISCARD <= action < DRAW and not has(s.shown[s.turn], action - DISCARD)):
        return DISCARD
    return action


@compiled
def redeal(facts: Record, s: Record, seat: int, rng: Rng) -> None:
    """Deal the cards that the seat has not seen to the places where they may be."""
    held = np.zeros(2, np.int64)
    down = np.zeros(2, np.int64)
    pool = s.deck
    for foe in range(2):
        if foe == seat:
            continue
        held[foe] = count(s.hands[foe])
        down[foe] = count(s.hidden[foe])
        pool = together(pool, together(s.hands[foe], s.hidden[foe]))
        s.hands[foe] = together(s.known[foe], s.shown[foe])
        s.hidden[foe] = s.laid[foe]
        pool = apart(pool, together(s.hands[foe], s.hidden[foe]))
        pool = apart(pool, s.maybe[foe])
    for foe in range(2):
        if foe != seat:
            deal_maybe(s, foe, held[foe], down[foe], rng)
    for foe in range(2):
        while foe != seat and count(s.hands[foe]) < held[foe]:
            card = random_card(pool, rng)
            pool = without(pool, card)
            s.hands[foe] = with_card(s.hands[foe], card)
        while foe != seat and count(s.hidden[foe]) < down[foe]:
            card = random_card(pool, rng)
            pool = without(pool, card)
            s.hidden[foe] = with_card(s.hidden[foe], card)
    s.deck = pool


@compiled
def deal_maybe(s: Record, foe: int, held: int, down: int, rng: Rng) -> None:
    """Cards that are in the hand or among the discards laid down since: every place is equally likely.

    Those with the fewest such discards come first: their places are possible for all the others too.
    """
    laid = 0
    for since in range(1, down + 1):
        for k in range(2 * N_ISLANDS):
            if s.maybe[foe] & bit(k) and s.since[foe, k] == since:
                in_hand = held - count(s.hands[foe])
                if below(rng, in_hand + since - laid) < in_hand:
                    s.hands[foe] = with_card(s.hands[foe], k % N_ISLANDS)
                else:
                    s.hidden[foe] = with_card(s.hidden[foe], k % N_ISLANDS)
                    laid += 1


RULES = register(Rules(sys.modules[__name__], FACTS, STATE, ACTIONS, inlined=("judge",)))
