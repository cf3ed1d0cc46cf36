"""Kahuna's implementation of the contract: options, action names, snapshots, views."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from archipel.core import options, reading
from archipel.core.errors import quoted, sentence
from archipel.core.game import Game, Longest
from archipel.core.plain import Plain
from archipel.core.rules import CHANCE, OVER, Record
from archipel.core.state import State
from archipel.core.vocabulary import Table

from . import picture, soundness, story
from .board import (
    BRIDGES,
    CARDS_PER_ISLAND,
    DEAL,
    DEGREE,
    ENDS,
    HAND_LIMIT,
    ISLANDS,
    LINES,
    LINES_OF,
    N_ISLANDS,
    ROUNDS,
)
from .rules import (
    ACTIONS,
    ALL_CARDS,
    BRIDGE,
    CUT,
    DEALING,
    DISCARD,
    DRAW,
    DRAW_DECK,
    DRAWN,
    ENDED,
    FREE,
    HANDICAP,
    HIDDEN_BRIDGE,
    HIDDEN_DISCARD,
    PASS,
    PHASES,
    REFILL,
    REPLACING,
    RULES,
    TURN,
    cards_of,
    choices,
    plain,
)

_PLACES = [i + copy for i in range(N_ISLANDS) for copy in (0, N_ISLANDS)]
"""The bits of a pile in the order of their cards' names."""


def _names() -> list[tuple[dict[str, Any], str]]:
    ends = [line.split("-") for line in LINES]
    names: list[tuple[dict[str, Any], str]] = []
    for line, (a, b) in zip(LINES, ends, strict=True):
        names.append(({"do": "bridge", "card": a, "line": line}, f"{a}>{b}"))
        names.append(({"do": "bridge", "card": b, "line": line}, f"{b}>{a}"))
    for line, (a, b) in zip(LINES, ends, strict=True):
        for cards in ([a, a], [a, b], [b, b]):
            names.append(({"do": "cut", "cards": cards, "line": line}, f"x {line} ({' '.join(cards)})"))
    names.append(({"do": "refill"}, "refill"))
    names += [({"do": "discard", "card": card}, f"discard {card}") for card in ISLANDS]
    names += [({"do": "draw", "from": card}, f"draw {card}") for card in ISLANDS]
    names += [({"do": "draw", "from": "deck"}, "draw deck"), ({"do": "pass"}, "pass")]
    names += [({"do": "bridge", "line": line}, f"free {line}") for line in LINES]
    with_a_copy = (*names[BRIDGE:CUT], *names[CUT + 1 : REFILL : 3], *names[DISCARD:DRAW])
    return names + [(action | {"hidden": True}, f"{text} hidden") for action, text in with_a_copy]


def _shorts() -> list[tuple[str, int]]:
    """Abbreviations without the card or cards, and lines named backwards."""
    shorts = [("draw", DRAW_DECK)]
    for i, line in enumerate(LINES):
        back = "-".join(reversed(line.split("-")))
        shorts += [(name, BRIDGE + 2 * i + k) for name in (line, back) for k in (0, 1)]
        shorts += [(name, FREE + i) for name in (line, back)]
        shorts += [(f"x {name}", CUT + 3 * i + k) for name in (line, back) for k in (0, 1, 2)]
    return shorts


ACTION_NAMES = Table(_names(), _shorts())
DEALS = Table([({"do": "deal", "card": card}, f"deal {card}") for card in ISLANDS])


def _handicap(value: Any) -> list[int]:
    wanted = "two numbers from 0 to 3, at most one of them above 0"
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(wanted)
    if any(type(n) is not int or not 0 <= n <= 3 for n in value) or all(value):
        raise ValueError(wanted)
    return list(value)


class Kahuna(Game):
    """Two sorcerers build bridges between twelve islands and hold those where they have most."""

    name = "kahuna"
    title = "Kahuna"
    OPTIONS = (
        options.choice("edition", ("iello", "tilsit"), "whose rules for discarding and passing"),
        options.flag("guarded", "no building at an island that the opponent holds; a cut may be refilled at once"),
        options.flag("open_cards", "cards taken from the open row stay face up"),
        options.Option(
            "handicap",
            [0, 0],
            "bridges that a seat builds before the first turn",
            "two numbers from 0 to 3, at most one of them above 0",
            _handicap,
            ([0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [2, 0], [3, 0]),
        ),
        options.choice("sudden_end", ("act", "state"), "win by removing the last bridge, or also if none is left"),
        options.choice("open_copy", ("shown", "choose"), "with open_cards, which of two copies goes"),
        options.flag("memory_aid", "show people the cards that a seat is known to hold", True, changes_play=False),
    )
    marks = picture.MARKS
    rules = RULES
    action_count = ACTIONS

    def set_up(self, facts: Record) -> int:
        facts.tilsit = self.options["edition"] == "tilsit"
        facts.guarded = self.options["guarded"]
        facts.open_cards = self.options["open_cards"]
        facts.any_copy = self.options["open_cards"] and self.options["open_copy"] == "choose"
        facts.bare_loses = self.options["sudden_end"] == "state"
        facts.handicap[:] = self.options["handicap"]
        return 2

    @property
    def longest(self) -> Longest:
        """Every card is drawn in every round, after a pass each time, and used up one by one; then two last passes.

        Two hands are dealt before the first round's draws, and a later round begins with a card or more in a hand.
        """
        cards, dealt = CARDS_PER_ISLAND * N_ISLANDS, 2 * DEAL
        draws = cards - dealt + (ROUNDS - 1) * (cards - 1)
        return Longest(sum(self.options["handicap"]) + 3 * draws + dealt + 2, dealt + draws)

    def vocabulary(self, state: State) -> Table:
        return DEALS if state.mover == CHANCE else ACTION_NAMES

    # Refusals

    def why_not(self, s: Record, action: int) -> tuple[str, str]:
        if s.mover == CHANCE:
            return "deck", sentence("No {card} card is left in the deck.", card=ISLANDS[action])
        if s.phase == HANDICAP:
            return self._why_not_free(s, action)
        if action >= HIDDEN_BRIDGE:
            return self._why_not_hidden(s, plain(action))
        if action >= FREE:
            return "handicap", "A bridge without a card is a handicap, built before the first turn only."
        if action == PASS:
            return self._why_not_pass(s)
        if action >= DRAW:
            return self._why_not_draw(s, action)
        if action >= DISCARD:
            return self._why_not_discard(s, ISLANDS[action - DISCARD])
        if action == REFILL:
            return self._why_not_refill(s)
        if s.discarded:
            return "discard", "You have discarded face down in this turn: you may only discard more, draw or pass."
        if action >= CUT:
            return self._why_not_cut(s, action - CUT)
        return self._why_not_bridge(s, action // 2, int(ENDS[action // 2, action % 2]))

    def _why_not_hidden(self, s: Record, action: int) -> tuple[str, str]:
        if not self.facts[0].any_copy:
            return (
                "open-copy",
                "Which of two copies goes is chosen only with the options for open cards and their copies.",
            )
        if not cards_of(action) & choices(self.facts[0], s):
            return "open-copy", "You choose a copy only of a card that you hold twice, once face up and once not."
        return self.why_not(s, action)

    def _why_not_free(self, s: Record, action: int) -> tuple[str, str]:
        if not FREE <= action < HIDDEN_BRIDGE:
            return "handicap", sentence("First build your handicap: {n} more without a card.", n=s.left)
        return "build", sentence("{line} already has a bridge.", line=LINES[action - FREE])

    def _why_not_pass(self, s: Record) -> tuple[str, str]:
        if s.passed:
            return "pass", "Your opponent has just passed: you may not pass now."
        return "pass", "You may pass only while you hold five cards: draw one to end your turn."

    def _why_not_draw(self, s: Record, action: int) -> tuple[str, str]:
        if not s.deck | s.open:
            return "last-turns", "Nothing is left to draw: pass to end your turn."
        if s.hands[s.turn].item().bit_count() >= HAND_LIMIT:
            return "hand-limit", "You already hold five cards: play or discard one before you draw."
        if action == DRAW_DECK:
            return "draw", "The deck is empty: draw one of the open cards."
        return "draw", sentence("No {card} lies in the open row.", card=ISLANDS[action - DRAW])

    def _why_not_discard(self, s: Record, card: str) -> tuple[str, str]:
        if not s.deck | s.open:
            return "discard", "Nothing is left to draw: nobody discards any more."
        if not s.hands[s.turn] >> ISLANDS.index(card) & 1:
            return "hand", sentence("You hold no {card} card.", card=card)
        return "discard", "You have played a card in this turn: you may not discard as well."

    def _why_not_refill(self, s: Record) -> tuple[str, str]:
        if not self.options["guarded"]:
            return "guarded", "A cut is refilled only in the guarded game."
        if s.refill < 0:
            return "guarded", "You may refill a line only right after you have cut it."
        if _count(s.bridges[s.turn]) >= BRIDGES:
            return "supplies", sentence("All your {n} bridges are on the board.", n=BRIDGES)
        template = "Your opponent holds an island at an end of {line}: you may not refill it."
        return "guarded", sentence(template, line=LINES[s.refill])

    def _why_not_cut(self, s: Record, cut: int) -> tuple[str, str]:
        line, kind = divmod(cut, 3)
        if not s.bridges[1 - s.turn] >> line & 1:
            return "cut", sentence("Your opponent has no bridge on {line}.", line=LINES[line])
        a, b = LINES[line].split("-")
        if kind == 1:
            return "hand", sentence("You do not hold both {one} and {other}.", one=a, other=b)
        return "hand", sentence("You do not hold two {card} cards.", card=b if kind else a)

    def _why_not_bridge(self, s: Record, line: int, card: int) -> tuple[str, str]:
        if not s.hands[s.turn] >> card & 1:
            return "hand", sentence("You hold no {card} card.", card=ISLANDS[card])
        if (s.bridges[0] | s.bridges[1]) >> line & 1:
            return "build", sentence("{line} already has a bridge.", line=LINES[line])
        if _count(s.bridges[s.turn]) >= BRIDGES:
            return "supplies", sentence("All your {n} bridges are on the board.", n=BRIDGES)
        template = "Your opponent holds an island at an end of {line}: you may not build there."
        return "guarded", sentence(template, line=LINES[line])

    # Snapshots and views

    def scores(self, s: Plain) -> list[int]:
        return list(s.scores)

    def public(self, s: Plain) -> dict[str, Any]:
        return {
            "round": s.round_,
            "bridges": [list(_line_names(lines)) for lines in s.bridges],
            "stones": [list(_island_names(stones)) for stones in s.stones],
            "bare": [bool(s.bare >> seat & 1) for seat in (0, 1)],
            "shown": [_cards(pile) for pile in s.shown],
            "open": _cards(s.open),
            "discard": _cards(s.discard),
            "passed": bool(s.passed),
            "last_turns": s.last_turns or None,
            "phase": PHASES[s.phase],
            "turn": s.turn if s.mover == CHANCE else None,
            "left": s.left,
            "played": bool(s.played),
            "discarded": bool(s.discarded),
            "refill": LINES[s.refill] if s.refill >= 0 else None,
            "maybe": [_cards(pile) for pile in s.maybe],
            "since": [[counts[place] for place in _PLACES if counts[place]] for counts in s.since],
            "laid": [_cards(pile) for pile in s.laid],
        }

    def private(self, s: Plain) -> dict[str, Any]:
        return {
            "hands": [_cards(pile) for pile in s.hands],
            "hidden_discard": [_cards(pile) for pile in s.hidden],
            "deck": _cards(s.deck),
            "known": [_cards(pile) for pile in s.known],
        }

    def seen(self, s: Plain, seat: int | None) -> dict[str, Any]:
        known = s.shown if self.options["open_cards"] else s.known
        return {
            "hands": [_own(pile, owner == seat) for owner, pile in enumerate(s.hands)],
            "hidden_discard": [_own(pile, owner == seat) for owner, pile in enumerate(s.hidden)],
            "deck": s.deck.bit_count(),
            "known": [_cards(pile) for pile in known],
        }

    def unaided(self, view: dict[str, Any]) -> dict[str, Any]:
        if self.options["memory_aid"]:
            return view
        return view | {"known": view["shown"], "maybe": [[], []], "since": [[], []]}

    def fill(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        s.round_ = reading.whole(reading.field(snapshot, "round"), 1, ROUNDS, "round")
        self._fill_board(s, snapshot)
        self._fill_cards(s, snapshot)
        self._fill_memory(s, snapshot)
        s.scores[:] = [
            reading.whole(n, 0, 20, "scores") for n in reading.items(snapshot.get("scores", [0, 0]), 2, "scores")
        ]
        s.passed = reading.flag(reading.field(snapshot, "passed"), "passed")
        self._fill_turn(s, snapshot)
        soundness.check(self.facts[0], s)

    def _fill_board(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        bridges = [
            _mask(lines, LINES, "bridges") for lines in reading.items(reading.field(snapshot, "bridges"), 2, "bridges")
        ]
        for seat, lines in enumerate(bridges):
            if lines.bit_count() > BRIDGES:
                raise ValueError(f"Seat {seat} has more than {BRIDGES} bridges.")
        if bridges[0] & bridges[1]:
            raise ValueError("Two bridges cannot stand on one line.")
        s.bridges = bridges
        s.stones = [_held(lines) for lines in bridges]
        # A position that does not say: a seat without a bridge in a later round has most probably lost its own.
        usual = [not lines and int(s.round_) > 1 for lines in bridges]
        bare = [reading.flag(lost, "bare") for lost in reading.items(snapshot.get("bare", usual), 2, "bare")]
        if any(lost and lines for lost, lines in zip(bare, bridges, strict=True)):
            raise ValueError("A seat with bridges has not lost all of them.")
        s.bare = sum(lost << seat for seat, lost in enumerate(bare))

    def _fill_cards(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        hands, shown, hidden = (
            _piles(reading.field(snapshot, key), key) for key in ("hands", "shown", "hidden_discard")
        )
        rest = [_pile(reading.field(snapshot, key), key) for key in ("open", "deck", "discard")]
        everything = [card for pile in (*hands, *hidden, *rest) for card in _card_names(pile)]
        if sorted(everything) != _cards(ALL_CARDS):
            raise ValueError("The cards of hands, deck, open row and discards must be two of each island.")
        if max(pile.bit_count() for pile in hands) > HAND_LIMIT:
            raise ValueError(f"Nobody may hold more than {HAND_LIMIT} cards.")
        if any(shown) and not self.options["open_cards"]:
            raise ValueError("Cards are shown only with the option 'open_cards'.")
        s.hands, s.shown, s.hidden = hands, shown, hidden
        s.open, s.deck, s.discard = rest

    def _fill_memory(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        known, maybe, laid = (_piles(snapshot.get(key, [[], []]), key) for key in ("known", "maybe", "laid"))
        s.known, s.maybe, s.laid = known, maybe, laid
        usual = [[pile.bit_count()] * either.bit_count() for pile, either in zip(s.hidden.tolist(), maybe, strict=True)]
        since = reading.items(snapshot.get("since", usual), 2, "since")
        for seat, (hand, shown, hidden) in enumerate(
            zip(s.hands.tolist(), s.shown.tolist(), s.hidden.tolist(), strict=True)
        ):
            sure, down = _cards(known[seat]) + _cards(shown), _cards(laid[seat])
            if not (_within(sure, _cards(hand)) and _within(down, _cards(hidden))):
                raise ValueError(f"Seat {seat} does not have the cards that it is known to have.")
            if not _within(sure + down + _cards(maybe[seat]), _cards(hand) + _cards(hidden)):
                raise ValueError(f"Seat {seat} has neither held nor discarded the cards of 'maybe'.")
            self._fill_since(s, seat, maybe[seat], hidden.bit_count(), since[seat])

    def _fill_since(self, s: Record, seat: int, maybe: int, laid: int, since: Any) -> None:
        places = [place for place in _PLACES if maybe >> place & 1]
        for place, count in zip(places, reading.items(since, len(places), "since"), strict=True):
            s.since[seat, place] = reading.whole(count, 1, laid, "since")

    def _fill_turn(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        mover = reading.whole(reading.field(snapshot, "mover"), OVER, 1, "mover")
        usual = "turn" if mover >= 0 else "over" if mover == OVER else "deal"
        s.phase = reading.one_of(snapshot.get("phase", usual), PHASES, "phase")
        turn = snapshot.get("turn")
        s.turn = reading.whole(max(mover, 0) if turn is None else turn, 0, 1, "turn")
        s.mover = OVER if s.phase == ENDED else s.turn if s.phase in (TURN, HANDICAP) else CHANCE
        s.left = reading.whole(snapshot.get("left", 0), 0, 3 * DEAL, "left")
        if (s.left > 0) != (s.phase in (DEALING, HANDICAP)):
            raise ValueError("The snapshot's left must count what is still to be dealt or built.")
        if s.phase in (DEALING, DRAWN, REPLACING) and not s.deck:
            raise ValueError("A card is to be dealt, but the deck is empty.")
        s.last_turns = reading.one_of(snapshot.get("last_turns"), (None, 1, 2), "last_turns")
        if s.last_turns and (s.round_ < ROUNDS or s.deck | s.open):
            raise ValueError("The last turns come when the third round's cards are drawn.")
        s.played = reading.flag(snapshot.get("played", False), "played")
        s.discarded = reading.flag(snapshot.get("discarded", False), "discarded")
        s.refill = -1 if snapshot.get("refill") is None else reading.one_of(snapshot["refill"], LINES, "refill")
        if s.refill >= 0 and not self.options["guarded"]:
            raise ValueError("A line is refilled only with the option 'guarded'.")
        self._fill_winner(s, snapshot.get("winner"))

    def _fill_winner(self, s: Record, winner: Any) -> None:
        if s.phase != ENDED:
            return
        if winner not in (0, 1, [0, 1]):
            raise ValueError(f"A game that is over has a winner, not {quoted(winner)}.")
        s.winners = 3 if winner == [0, 1] else 1 << winner

    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        hands, hidden = (list(reading.items(reading.field(view, key), 2, key)) for key in ("hands", "hidden_discard"))
        opponents = [seat for seat in (0, 1) if seat != view["seat"]]
        pool = _cards(ALL_CARDS)
        for key in ("open", "discard"):
            _take(pool, reading.field(view, key))
        for own in (pile[seat] for seat in (0, 1) if seat not in opponents for pile in (hands, hidden)):
            _take(pool, own)
        known, laid, maybe = (_taken(pool, view, key, opponents) for key in ("known", "laid", "maybe"))
        for opponent in opponents:
            size = reading.whole(hands[opponent], len(known[opponent]), HAND_LIMIT, "hands")
            lying = reading.whole(hidden[opponent], len(laid[opponent]), N_ISLANDS * 2, "hidden_discard")
            # Cards with the fewest possible discards go to the hand first.
            either, room = _by_since(view, opponent, maybe[opponent]), size - len(known[opponent])
            hands[opponent] = known[opponent] + either[:room]
            hidden[opponent] = laid[opponent] + either[room:]
            hands[opponent] += _deal(pool, size - len(hands[opponent]))
            hidden[opponent] += _deal(pool, lying - len(hidden[opponent]))
        return {
            "hands": [sorted(hand) for hand in hands],
            "hidden_discard": [sorted(pile) for pile in hidden],
            "deck": sorted(pool),
            "known": [[], []] if self.options["open_cards"] else view["known"],
        }

    def unseen(self, state: State, action: int, seat: int | None) -> tuple[str, ...]:
        if state.mover == CHANCE:
            return () if _taker(state.plain) in (None, seat) else ("card",)
        if seat == state.mover or self.options["edition"] != "iello":
            return ()
        unseen = ("card", "hidden") if self.facts[0].any_copy else ("card",)
        if action >= HIDDEN_DISCARD:
            return unseen
        if not DISCARD <= action < DRAW or state.plain.shown[state.mover] >> action - DISCARD & 1:
            return ()
        return unseen

    def is_open(self, state: State, action: int) -> bool:
        if self.options["open_cards"]:  # then a discard says which copy of an island's card it was
            return action == PASS
        return action == PASS or (DISCARD <= action < DRAW and bool(self.unseen(state, action, None)))

    def written(self, before: State, action: int, after: State) -> dict[str, Any] | None:
        return story.brought(before, action, after)

    def text(self, shown: Mapping[str, Any]) -> str:
        return picture.text(shown)

    def svg(self, shown: Mapping[str, Any]) -> str:
        return picture.svg(shown)


def _taker(s: Plain) -> int | None:
    """The hand that gets the next card; None for the open row."""
    if s.phase == DRAWN:
        return int(s.turn)
    if s.phase == DEALING and s.left > DEAL:
        return 0 if s.left > 2 * DEAL else 1
    return None


def _count(mask: Any) -> int:
    return int(mask).bit_count()


@lru_cache(1 << 14)
def _line_names(lines: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(LINES) if lines >> i & 1)


@lru_cache(1 << N_ISLANDS)
def _island_names(islands: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(ISLANDS) if islands >> i & 1)


def _cards(pile: Any) -> list[str]:
    """The names of a pile's cards, sorted."""
    return list(_card_names(int(pile)))


@lru_cache(1 << 14)
def _card_names(pile: int) -> tuple[str, ...]:
    return tuple(ISLANDS[place % N_ISLANDS] for place in _PLACES if pile >> place & 1)


def _own(pile: Any, mine: bool) -> list[str] | int:
    return _cards(pile) if mine else _count(pile)


def _mask(names: Any, known: tuple[str, ...], what: str) -> int:
    found = [reading.one_of(name, known, what) for name in reading.items(names, None, what)]
    if len(set(found)) < len(found):
        raise ValueError(f"The snapshot's {what} names something twice.")
    return sum(1 << i for i in found)


@lru_cache(1 << 14)
def _held(lines: int) -> int:
    """The islands where these bridges are more than half of all lines."""
    return sum(1 << i for i in range(N_ISLANDS) if 2 * (lines & int(LINES_OF[i])).bit_count() > DEGREE[i])


def _piles(piles: Any, what: str) -> list[int]:
    return [_pile(names, what) for names in reading.items(piles, 2, what)]


def _pile(names: Any, what: str) -> int:
    pile = 0
    for name in reading.items(names, None, what):
        card = reading.one_of(name, ISLANDS, what)
        if pile >> card + N_ISLANDS & 1:
            raise ValueError(f"There are only two {name} cards.")
        pile |= 1 << card + (N_ISLANDS if pile >> card & 1 else 0)
    return pile


def _within(some: list[str], pile: list[str]) -> bool:
    return all(some.count(card) <= pile.count(card) for card in some)


def _take(pool: list[str], cards: Any) -> None:
    for card in reading.items(cards, None, "cards"):
        if card not in pool:
            raise ValueError(f"There are fewer {quoted(card)} cards than the view shows.")
        pool.remove(card)


def _taken(pool: list[str], view: Mapping[str, Any], key: str, opponents: list[int]) -> dict[int, list[str]]:
    """Take the cards that the view shows of each opponent out of the pool."""
    piles = reading.items(reading.field(view, key), 2, key)
    for opponent in opponents:
        _take(pool, piles[opponent])
    return {opponent: list(piles[opponent]) for opponent in opponents}


def _by_since(view: Mapping[str, Any], opponent: int, cards: list[str]) -> list[str]:
    """Cards of `maybe`, most recently taken first."""
    counts = reading.items(reading.items(reading.field(view, "since"), 2, "since")[opponent], len(cards), "since")
    laid = [reading.whole(count, 1, N_ISLANDS * 2, "since") for count in counts]
    return [card for _, card in sorted(zip(laid, cards, strict=True))]


def _deal(pool: list[str], n: int) -> list[str]:
    """Take the first n cards out of the pool."""
    if not 0 <= n <= len(pool):
        raise ValueError("The view's hands, discards and deck do not add up.")
    dealt, pool[:] = pool[:n], pool[n:]
    return dealt
