"""What is left to guess about Kahuna's hidden cards after a whole game, and worlds drawn by exactly those odds.

The state keeps a log of every card that came to a hand or left it. A seat knows all of the log but the cards that
others drew from the deck or laid face down. `relive` draws these: every history that fits is as likely as the deals
in it are, and whoever lays a card face down takes each of the different cards that it could lay as often as another.

A card is given a place in the other hand (a slot) when it comes, and a name only when something depends on it. Until
then all unnamed places of a round (in hands, face down, in the deck) hold the unnamed cards in any order. So only
three things are left to chance and refusal: a card that was played must have been there; cards that stayed in a hand
when a round ended must fit what came after; and equal cards in a hand make the choice of a discard less wide.
"""

import numpy as np

from archipel.core.bits import bit, count, nth
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled, kernel
from archipel.core.rules import Facts, Numbers, Raw, Record, record

from .board import HAND_LIMIT, N_ISLANDS

# What the log tells, each with a card: for a seat, add its number.
DEALT = 0  # from the deck into a hand
TOOK = 2  # from the open row into a hand
PLAYED = 4  # out of the hand, seen by all
LAID = 6  # out of the hand, face down
WENT = 8  # a card that lay open before its owner is gone
LAIN = 10  # dealt into the open row
ROUND = 11  # a new round begins; of no card
LOG = 252
"""More than a game can have: 82 entries a round."""

SLOTS = 160
LAYS = 40

# Where things stand in the notes of one attempt.
HELD = 0  # by card: in places that the seat sees, in hands at that
UNNAMED = HELD + N_ISLANDS  # by card: in unnamed places
REVEALED = UNNAMED + N_ISLANDS  # by card: dealt in this round where the seat sees it
LEFT = REVEALED + N_ISLANDS  # by card: out of the seat's sight
AWAITED = LEFT + N_ISLANDS  # by card: known to be still in the deck
LIKELY = AWAITED + N_ISLANDS  # by owner and card: may have been named in that hand, in some history
SHOWN = LIKELY + 2 * N_ISLANDS  # by owner and card: lies open before its owner
PLAYS = SHOWN + 2 * N_ISLANDS  # by owner and card: how often it is still played in this round
TAKES = PLAYS + 2 * N_ISLANDS  # by owner and card: how often it is still taken in this round
EARLIER = TAKES + 2 * N_ISLANDS  # by card: where in the log its twin was played, and by whom, doubled; 0 if it was not
HAND = EARLIER + N_ISLANDS  # by owner: the slots of its hidden cards
SIZE = HAND + 2 * HAND_LIMIT
NAMES = SIZE + 2  # by owner: how many of them may have names, at most
SURELY = NAMES + 2  # by owner: how many of them have names, at least
TO_PLAY = SURELY + 2  # by owner: how many cards it still plays in this round
TO_LAY = TO_PLAY + 2  # by owner: how many it still lays down
COUNTS = TO_LAY + 2
N_SLOTS, FIRST, N_LAYS, DECK, PLACES, N_AWAITED, TWINS, BEGAN = range(COUNTS, COUNTS + 8)
CARD = BEGAN + 1  # by slot: its card, -1 unnamed
CAME = CARD + SLOTS  # by slot: the entry of the log with which it came
LEAVES = CAME + SLOTS  # by slot: with which it was laid down
WHERE = LEAVES + SLOTS  # by slot: the owner's hand, FACE_DOWN or GONE
TAKEN = WHERE + SLOTS  # by slot: it came from the open row
LAY = TAKEN + SLOTS  # of each card laid down in this round: hand size, slot, cards that could not be laid, the hand
PER_LAY = 3 + HAND_LIMIT
NOTES = LAY + LAYS * PER_LAY

FACE_DOWN, GONE = 2, 3


@compiled
def note(s: Record, what: int, card: int) -> None:
    """Write an entry into the log."""
    s.log[s.past] = what * N_ISLANDS + card
    s.past += 1


@compiled
def relive(facts: Record, s: Record, seat: int, rng: Rng, m: Numbers) -> bool:
    """Try once to name what the seat (-1: a spectator) has not seen; False if the attempt is to be thrown away."""
    for i in range(CARD):
        m[i] = 0
    if not open_round(s, seat, rng, m, 0):
        return False
    for at in range(s.past):
        what = int(s.log[at]) // N_ISLANDS
        card = int(s.log[at]) % N_ISLANDS
        if what == ROUND:
            if not (close_round(m, rng) and open_round(s, seat, rng, m, at + 1)):
                return False
        elif what != LAIN and not follow(facts, seat, rng, m, at, what, card):
            return False
    return close_round(m, rng)


@compiled
def follow(facts: Record, seat: int, rng: Rng, m: Numbers, at: int, what: int, card: int) -> bool:
    """One entry about a hand; False if it cannot be, or is to be thrown away."""
    owner = what & 1
    what -= owner
    if what == WENT or (what == TOOK and facts.open_cards):
        change = -1 if what == WENT else 1
        m[HELD + card] += change
        m[SHOWN + owner * N_ISLANDS + card] += change
        return True
    if owner == seat:
        m[HELD + card] += 1 if what in (DEALT, TOOK) else -1
        return True
    if what == DEALT:
        return come(m, owner, at, from_deck(m, rng), 0)
    if what == TOOK:
        m[LEFT + card] += 1
        m[TAKES + owner * N_ISLANDS + card] -= 1
        m[LIKELY + owner * N_ISLANDS + card] = 1
        m[NAMES + owner] += 1
        m[SURELY + owner] += 1
        return come(m, owner, at, card, 1)
    if what == PLAYED:
        return play_card(m, rng, owner, at, card)
    return lay(facts, m, rng, owner, at)


# Rounds


@compiled
def open_round(s: Record, seat: int, rng: Rng, m: Numbers, at: int) -> bool:
    """A round begins: its unnamed cards are those that the seat does not see in it, less those named in hands."""
    later = at > 0
    m[BEGAN] = at
    for card in range(N_ISLANDS):
        m[REVEALED + card] = 0
        m[AWAITED + card] = 0
        m[EARLIER + card] = 0
        m[PLAYS + card] = 0
        m[PLAYS + N_ISLANDS + card] = 0
        m[TAKES + card] = 0
        m[TAKES + N_ISLANDS + card] = 0
    for owner in range(2):
        m[TO_PLAY + owner] = 0
        m[TO_LAY + owner] = 0
    dealt = 0
    while at < s.past and int(s.log[at]) // N_ISLANDS != ROUND:
        what = int(s.log[at]) // N_ISLANDS
        if what == LAIN or what == DEALT + seat:
            m[REVEALED + int(s.log[at]) % N_ISLANDS] += 1
        elif what in (DEALT, DEALT + 1):
            dealt += 1
        elif what in (PLAYED, PLAYED + 1) and what != PLAYED + seat:
            m[PLAYS + (what - PLAYED) * N_ISLANDS + int(s.log[at]) % N_ISLANDS] += 1
            m[TO_PLAY + what - PLAYED] += 1
        elif what in (TOOK, TOOK + 1):
            m[TAKES + (what - TOOK) * N_ISLANDS + int(s.log[at]) % N_ISLANDS] += 1
        elif what in (LAID, LAID + 1):
            m[TO_LAY + what - LAID] += 1
        at += 1
    if at == s.past:
        dealt += count(s.deck)
    m[PLACES] = 0
    for card in range(N_ISLANDS):
        alive = named(m, 0, card) + named(m, 1, card)
        unseen = 2 - m[HELD + card] - m[REVEALED + card]
        m[UNNAMED + card] = unseen - alive
        if unseen < alive or (m[REVEALED + card] == 1 and alive == 1 and below(rng, 2) == 0):
            return False  # a twin in the deck would have been dealt twice as often
        for owner in range(2):
            m[LIKELY + owner * N_ISLANDS + card] = 1 if later and m[LEFT + card] > 0 and unseen > 0 else 0
        m[LEFT + card] = unseen
        m[PLACES] += m[UNNAMED + card]
    for owner in range(2):
        m[NAMES + owner] = m[SIZE + owner]
        m[SURELY + owner] = m[SIZE + owner]
    m[DECK] = dealt
    m[N_AWAITED] = 0
    m[TWINS] = 0
    m[N_LAYS] = 0
    m[FIRST] = m[N_SLOTS]
    return m[PLACES] == dealt  # type: ignore[no-any-return]


@compiled
def named(m: Numbers, owner: int, card: int) -> int:
    """How many of a card were named in a hand."""
    found = 0
    for i in range(m[SIZE + owner]):
        if m[CARD + m[HAND + owner * HAND_LIMIT + i]] == card:
            found += 1
    return found


@compiled
def close_round(m: Numbers, rng: Rng) -> bool:
    """Name what is in hands or face down; then the choices of discards tell how likely all that was."""
    for slot in range(m[FIRST], m[N_SLOTS]):
        if m[CARD + slot] < 0:
            name_any(m, rng, slot)
    for k in range(m[N_LAYS]):
        if not chosen_fairly(m, rng, LAY + k * PER_LAY):
            return False
    return True


@compiled
def nth_card(m: Numbers, pile: int, n: int) -> int:
    card = 0
    while n >= m[pile + card]:
        n -= m[pile + card]
        card += 1
    return card


@compiled
def chosen_fairly(m: Numbers, rng: Rng, lay: int) -> bool:
    """One of n slots was taken; it should have been one of the different cards, each as likely."""
    n = m[lay]
    if n == 0:
        return True
    barred = m[lay + 2]
    laid = m[CARD + m[lay + 1]]
    if barred & bit(laid):
        return False
    seen = 0
    twins = 0
    for i in range(n):
        card = m[CARD + m[lay + 3 + i]]
        twins += 1 if card == laid else 0
        seen |= bit(card)
    different = count(seen & ~barred)
    # n / (different * twins), and the most that this can be
    most, of = n, 1
    if barred == 0:
        most, of = (1, 1) if n < 3 else (3, 2) if n == 3 else (4, 3) if n == 4 else (5, 3)
    return below(rng, different * twins * most) < n * of  # type: ignore[no-any-return]


# Cards


@compiled
def come(m: Numbers, owner: int, at: int, card: int, taken: int) -> bool:
    """A card comes to a hand."""
    slot = m[N_SLOTS]
    if m[SIZE + owner] == HAND_LIMIT or slot == SLOTS:
        return False
    m[CARD + slot] = card
    m[CAME + slot] = at
    m[WHERE + slot] = owner
    m[TAKEN + slot] = taken
    m[HAND + owner * HAND_LIMIT + m[SIZE + owner]] = slot
    m[SIZE + owner] += 1
    m[N_SLOTS] += 1
    return True


@compiled
def go(m: Numbers, owner: int, i: int, where: int) -> int:
    """The i-th card of a hand leaves it; its slot."""
    hand = HAND + owner * HAND_LIMIT
    slot = m[hand + i]
    m[SIZE + owner] -= 1
    m[hand + i] = m[hand + m[SIZE + owner]]
    m[WHERE + slot] = where
    return slot  # type: ignore[no-any-return]


@compiled
def from_deck(m: Numbers, rng: Rng) -> int:
    """A card of the deck, or -1 for one without a name."""
    place = below(rng, m[DECK])
    m[DECK] -= 1
    if place >= m[N_AWAITED]:
        return -1
    card = nth_card(m, AWAITED, place)
    m[AWAITED + card] -= 1
    m[N_AWAITED] -= 1
    return card


@compiled
def lay(facts: Record, m: Numbers, rng: Rng, owner: int, at: int) -> bool:
    """Any slot of the hand is laid down; whether that was fair is seen when all have names."""
    n = m[SIZE + owner]
    if n == 0 or m[N_LAYS] == LAYS:
        return False
    entry = LAY + m[N_LAYS] * PER_LAY
    barred = 0
    if not facts.either_copy:
        for card in range(N_ISLANDS):
            if m[SHOWN + owner * N_ISLANDS + card]:
                barred |= bit(card)
    m[TO_LAY + owner] -= 1
    if m[TO_LAY + owner] >= 2 * m[TO_PLAY + owner]:
        return lay_named(m, rng, owner, at, entry, barred)
    m[entry] = n
    m[entry + 2] = barred
    for i in range(n):
        m[entry + 3 + i] = m[HAND + owner * HAND_LIMIT + i]
    kept = 0
    for i in range(n):
        kept += 1 if must_stay(m, owner, i) else 0
    if kept == n:
        return False
    i = -1
    free = below(rng, n - kept)
    while free >= 0:
        i += 1
        free -= 0 if must_stay(m, owner, i) else 1
    slot = go(m, owner, i, FACE_DOWN)
    m[SURELY + owner] = max(0, m[SURELY + owner] - 1)
    m[entry + 1] = slot
    m[LEAVES + slot] = at
    m[N_LAYS] += 1
    return True


@compiled
def lay_named(m: Numbers, rng: Rng, owner: int, at: int, entry: int, barred: int) -> bool:
    """The same where more is laid than played: name the whole hand, and lay one of its different cards."""
    seen = 0
    for i in range(m[SIZE + owner]):
        slot = m[HAND + owner * HAND_LIMIT + i]
        if m[CARD + slot] < 0:
            name_any(m, rng, slot)
        seen |= bit(m[CARD + slot])
    for card in range(N_ISLANDS):
        if m[LEFT + card] > 0:
            m[LIKELY + owner * N_ISLANDS + card] = 1
    seen &= ~barred
    if seen == 0:
        return False
    card = nth(seen, below(rng, count(seen)))
    i = 0
    while m[CARD + m[HAND + owner * HAND_LIMIT + i]] != card:
        i += 1
    slot = go(m, owner, i, FACE_DOWN)
    m[NAMES + owner] = m[SIZE + owner]
    m[SURELY + owner] = m[SIZE + owner]
    m[entry] = 0
    m[entry + 1] = slot
    m[LEAVES + slot] = at
    m[N_LAYS] += 1
    return True


@compiled
def name_any(m: Numbers, rng: Rng, slot: int) -> None:
    """Give a slot one of the unnamed cards."""
    card = nth_card(m, UNNAMED, below(rng, m[PLACES]))
    m[UNNAMED + card] -= 1
    m[PLACES] -= 1
    m[CARD + slot] = card


@compiled
def must_stay(m: Numbers, owner: int, i: int) -> bool:
    """A card that was taken in this round and is the only one that its owner can play later: it was not laid down."""
    slot = m[HAND + owner * HAND_LIMIT + i]
    card = m[CARD + slot]
    if card < 0 or m[TAKEN + slot] == 0 or m[CAME + slot] < m[BEGAN]:
        return False
    mine = owner * N_ISLANDS + card
    return m[LEFT + card] == 1 and m[PLAYS + mine] > 0 and m[TAKES + mine] == 0  # type: ignore[no-any-return]


@compiled
def play_card(m: Numbers, rng: Rng, owner: int, at: int, card: int) -> bool:
    """A card is played: one that was named, or one of the unnamed, as likely as it was among them."""
    left = m[LEFT + card]
    likely = m[LIKELY + owner * N_ISLANDS + card]
    n = m[SIZE + owner]
    # the most unnamed cards that the hand can have, and the fewest unnamed places with them
    top = n - m[SURELY + owner]
    fewest = top + m[DECK] - m[TWINS] + max(0, m[SIZE + 1 - owner] - m[NAMES + 1 - owner])
    m[LEFT + card] -= 1
    m[PLAYS + owner * N_ISLANDS + card] -= 1
    m[TO_PLAY + owner] -= 1
    pair = left > 1 and m[REVEALED + card] == 0
    again = pair and m[PLAYS + card] + m[PLAYS + N_ISLANDS + card] > 0
    if pair and not again:
        m[TWINS] += 1
        m[LIKELY + card] = 1
        m[LIKELY + N_ISLANDS + card] = 1
    if likely:
        m[SURELY + owner] = max(0, m[SURELY + owner] - 1)
    doubled = 2 if again and likely else 1  # two unnamed copies count twice, a named one once
    for i in range(n):
        if m[CARD + m[HAND + owner * HAND_LIMIT + i]] == card:
            go(m, owner, i, GONE)
            return below(rng, doubled) == 0
    unnamed = named(m, owner, -1)
    copies = m[UNNAMED + card]
    if unnamed == 0 or copies == 0:
        return False
    places = m[PLACES]
    if again and copies > 1:
        # Both are played in this round: the second time it will be seen where the other was.
        most, of = (top, fewest) if not likely and fewest > top else (1, 1)
        if below(rng, places * most) >= unnamed * of:
            return False
        slot = go(m, owner, unnamed_in_hand(m, owner, below(rng, unnamed)), GONE)
        m[CARD + slot] = card
        m[UNNAMED + card] -= 1
        m[PLACES] -= 1
        m[EARLIER + card] = 2 * at + owner
        return True
    hits = hit(copies, unnamed, places)
    tries = places if copies == 1 else places * (places - 1)
    most, of = doubled, 1
    if not likely and fewest > top:
        most = hit(min(left, 2), top, fewest)
        of = fewest if left == 1 else fewest * (fewest - 1)
    if below(rng, tries * most) >= hits * of:
        return False
    slot = name_played(m, rng, owner, card, unnamed, copies)
    earlier = m[EARLIER + card]
    # Two that were in one hand could have been played in either order: that is one history, not two.
    return not (earlier and earlier & 1 == owner and m[CAME + slot] < earlier // 2 and below(rng, 2) == 0)


@compiled
def hit(copies: int, some: int, places: int) -> int:
    """In how many ways one or two equal cards lie so that some of the places hold at least one."""
    return some if copies == 1 else some * (some - 1) + 2 * some * (places - some)


@compiled
def name_played(m: Numbers, rng: Rng, owner: int, card: int, unnamed: int, copies: int) -> int:
    """One of the hand's unnamed cards was this one; its twin is there too, or at any other unnamed place. Its slot."""
    places = m[PLACES]
    slot = go(m, owner, unnamed_in_hand(m, owner, below(rng, unnamed)), GONE)
    m[CARD + slot] = card
    m[UNNAMED + card] = 0
    m[PLACES] -= copies
    if copies == 1:
        return slot
    both = unnamed * (unnamed - 1)
    if below(rng, both + 2 * unnamed * (places - unnamed)) < both:
        twin = unnamed_in_hand(m, owner, below(rng, unnamed - 1))
        m[CARD + m[HAND + owner * HAND_LIMIT + twin]] = card
        return slot
    place = below(rng, places - unnamed)
    if place < m[DECK] - m[N_AWAITED]:
        m[AWAITED + card] += 1
        m[N_AWAITED] += 1
        return slot
    place -= m[DECK] - m[N_AWAITED]
    for other in range(m[FIRST], m[N_SLOTS]):
        if m[CARD + other] < 0 and m[WHERE + other] != owner:
            if place == 0:
                m[CARD + other] = card
                break
            place -= 1
    return slot


@compiled
def unnamed_in_hand(m: Numbers, owner: int, n: int) -> int:
    """Where in a hand its n-th unnamed card is."""
    i = 0
    while True:
        if m[CARD + m[HAND + owner * HAND_LIMIT + i]] < 0:
            if n == 0:
                return i
            n -= 1
        i += 1


@compiled
def write_down(s: Record, seat: int, m: Numbers) -> None:
    """Put what was drawn in the place of what the seat has not seen."""
    deck = 0
    for card in range(N_ISLANDS):
        deck = put(deck, card, m[UNNAMED + card] + m[AWAITED + card])
    s.deck = deck
    for owner in range(2):
        if owner != seat:
            s.hands[owner] = s.shown[owner]
            s.hidden[owner] = s.laid[owner]
    for slot in range(m[N_SLOTS]):
        card = m[CARD + slot]
        came = int(s.log[m[CAME + slot]]) // N_ISLANDS
        s.log[m[CAME + slot]] = came * N_ISLANDS + card
        owner = came & 1
        if m[WHERE + slot] == owner:
            s.hands[owner] = put(s.hands[owner], card, 1)
        elif m[WHERE + slot] == FACE_DOWN:
            s.log[m[LEAVES + slot]] = (LAID + owner) * N_ISLANDS + card
    for k in range(m[N_LAYS]):
        slot = m[LAY + k * PER_LAY + 1]
        owner = (int(s.log[m[CAME + slot]]) // N_ISLANDS) & 1
        s.hidden[owner] = put(s.hidden[owner], m[CARD + slot], 1)


@compiled
def put(pile: int, card: int, copies: int) -> int:
    """The pile with so many more of a card."""
    for _ in range(copies):
        pile |= bit(card + N_ISLANDS) if pile & bit(card) else bit(card)
    return pile


@compiled
def redeal(facts: Record, s: Record, seat: int, rng: Rng) -> None:
    """Draw anew what the seat has not seen, from all that fits what it has."""
    m = np.zeros(NOTES, np.int64)
    while not relive(facts, s, seat, rng, m):
        pass
    write_down(s, seat, m)


@kernel("kahuna")
def complete(facts: Facts, raw: Raw, seat: int, attempts: int) -> bool:
    """Write something that fits where a view has gaps; False if so many attempts have found nothing."""
    rng = np.array([np.uint64(0)])
    s = record(facts[0], raw)
    m = np.zeros(NOTES, np.int64)
    for _ in range(attempts):
        if relive(facts[0], s, seat, rng, m):
            write_down(s, seat, m)
            return True
    return False
