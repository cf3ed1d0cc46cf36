"""Kula Kula's implementation of the contract: options, action names, snapshots, views."""

from collections.abc import Mapping
from typing import Any

from archipel.core import options, reading
from archipel.core.errors import sentence
from archipel.core.game import Game, Longest
from archipel.core.options import Option
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.core.vocabulary import Table

from . import board, picture, story
from .board import BOARD, KINDS, PLAYERS
from .rules import (
    ACTIONS,
    CHOOSING,
    DRAW,
    ENDED,
    GO,
    IDOL,
    ORACLE,
    PHASES,
    PUSHING,
    RULES,
    SAIL,
    SPINNING,
    TRADE,
    TRADING,
    TURNING,
    Position,
    Setup,
    has_won,
    may_trade,
    richest,
)

VERBS = ("sail", "oracle", "draw", "go", "trade", "stop")
ACTION_NAMES = Table([({"do": verb}, verb) for verb in VERBS])
CARDS = Table([({"do": "card", "card": kind}, f"card {kind}") for kind in KINDS])
MAX_TURN_LIMIT = 400_000_000


def _board_option() -> Option:
    wanted = f"null or an object with any of {', '.join(BOARD)}"

    def check(value: Any) -> Any:
        if value is not None and not isinstance(value, dict):
            raise ValueError(wanted)
        return value

    return Option("board", None, "a board of your own, or parts of one", wanted, check)


class KulaKula(Game):
    """Boats sail the ring of islands; the first with enough Kauri finds the treasure."""

    name = "kula_kula"
    title = "Kula Kula"
    OPTIONS = (
        options.choice("players", PLAYERS, "how many play"),
        options.flag("return_home", "to win, one must also stand at one's start island"),
        _board_option(),
        options.whole("turn_limit", 500, 1, MAX_TURN_LIMIT, "the game ends after this number of turns per seat"),
        options.choice("toll", ("before", "after"), "pay the toll before or after taking Pukas and trading"),
        options.choice("dolphin", ("before", "after"), "turn the dolphin before the first card or after the move"),
        options.flag("memory_aid", "show people the Pukas of all seats, which everybody can count", changes_play=False),
    )
    rules = RULES
    action_count = ACTIONS

    def set_up(self, facts: Setup) -> int:
        players: int = self.options["players"]
        self.board = board.read(self.options["board"], players)
        self.turns = players * self.options["turn_limit"]
        self.all_kauri = sum(self.board.kauri.values())
        self.dolphin = Table([({"do": "dolphin", "number": n}, f"dolphin {n}") for n in self.board.numbers])
        facts.players = players
        facts.return_home = self.options["return_home"]
        facts.toll_after = self.options["toll"] == "after"
        facts.dolphin_after = self.options["dolphin"] == "after"
        facts.turns = self.turns
        facts.goal = self.board.goal
        facts.supply = self.board.supply
        facts.price = self.board.price
        facts.limit = self.board.limit
        facts.cards[:] = self.board.oracle
        self._set_up_ring(facts)
        return players

    def _set_up_ring(self, facts: Setup) -> None:
        facts.spaces = len(self.board.ring)
        for space, place in enumerate(self.board.ring):
            if isinstance(place, str):
                facts.island[space] = 1
                facts.shells[space] = self.board.kauri[place]
        for number, space in self.board.numbered.items():
            facts.sea[facts.numbered] = space
            facts.numbered += 1
            (facts.beach if facts.island[space] else facts.shells)[space] = number % 2
        facts.starts[: facts.players] = [self.board.ring.index(name) for name in self.board.starts]

    @property
    def perfect_information(self) -> bool:
        """Who gained and paid Pukas was seen by everybody."""
        return True

    @property
    def longest(self) -> Longest:
        """In every turn the oracle, all cards but the idols, and no more trades; and a trade for every Kauri."""
        boats_and_fish = sum(self.board.oracle[:2])
        return Longest(self.turns * (boats_and_fish + 2) + self.all_kauri, self.turns * (boats_and_fish + 2))

    def vocabulary(self, state: State) -> Table:
        if state.mover != CHANCE:
            return ACTION_NAMES
        return self.dolphin if state.plain.phase == SPINNING else CARDS

    def why_not(self, s: Position, action: int) -> tuple[str, str]:
        if s.phase == TURNING:
            template = "There is no {card} left in the deck: another card is turned up."
            return "deck", sentence(template, card=KINDS[action])
        if s.phase == CHOOSING:
            return _why_not_choosing(action)
        if s.phase == PUSHING:
            return _why_not_pushing(action)
        return "trade", "You stand at an island where you can trade: trade, or stop to end your turn."

    def scores(self, s: Position) -> list[int]:
        return self._by_seat(s.kauris)

    def _by_seat(self, numbers: Any) -> list[int]:
        return list(numbers[: self.seats])

    def public(self, s: Position) -> dict[str, Any]:
        shells = dict(zip(self.board.ring, s.shells, strict=False))
        drawn = [KINDS[s.fish[i >> 3] >> (i & 7) & 1] for i in range(s.drawn)]
        return {
            "phase": PHASES[s.phase],
            "boats": self._by_seat(s.boats),
            "kauris": self._by_seat(s.kauris),
            "sea": {str(number): story.pukas(self.board, s, space) for number, space in self.board.numbered.items()},
            "islands": {place: n for place, n in shells.items() if isinstance(place, str)},
            "deck": dict(zip(KINDS, s.deck, strict=True)),
            "discard": dict(zip(KINDS, s.discard, strict=True)),
            "drawn": [*drawn, KINDS[IDOL]] if s.idol else drawn,
            "supply": s.supply,
            "turn": s.turn,
            "counted": bool(s.counted),
        }

    def private(self, s: Position) -> dict[str, Any]:
        return {"pukas": self._by_seat(s.pukas)}

    def seen(self, s: Position, seat: int | None) -> dict[str, Any]:
        pukas = self._by_seat(s.pukas)
        return {"pukas": pukas if s.counted else [n if owner == seat else None for owner, n in enumerate(pukas)]}

    def unaided(self, view: dict[str, Any]) -> dict[str, Any]:
        if self.options["memory_aid"]:
            return view
        return view | {"pukas": [n if seat == view["seat"] else None for seat, n in enumerate(view["pukas"])]}

    def fill(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        self._fill_turn(s, snapshot)
        self._fill_shells(s, snapshot)
        self._fill_cards(s, snapshot)
        self._fill_end(s)

    def _fill_turn(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        phase = reading.one_of(reading.field(snapshot, "phase"), PHASES, "phase")
        latest = self.turns if phase == ENDED else self.turns - 1
        turn = reading.whole(reading.field(snapshot, "turn"), 0, latest, "turn")
        s.phase = phase
        s.turn = turn
        s.seat = turn % self.seats
        s.mover = {SPINNING: CHANCE, TURNING: CHANCE, ENDED: OVER}.get(phase, turn % self.seats)
        s.counted = reading.flag(snapshot.get("counted", False), "counted")

    def _fill_shells(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        sea, islands = _object(snapshot, "sea"), _object(snapshot, "islands")
        kauri = {
            self.board.ring.index(island): reading.whole(reading.field(islands, island), 0, most, island)
            for island, most in self.board.kauri.items()
        }
        lying = {
            space: reading.whole(reading.field(sea, str(number)), 0, self.board.limit, f"space {number}")
            for number, space in self.board.numbered.items()
        }
        supply = reading.whole(reading.field(snapshot, "supply"), 0, self.board.supply, "supply")
        pukas = self._seats_numbers(snapshot, "pukas", self.board.supply)
        kauris = self._seats_numbers(snapshot, "kauris", self.all_kauri)
        _check_total("Kauri", self.all_kauri, sum(kauri.values()) + sum(kauris))
        _check_total("Pukas", self.board.supply, supply + sum(lying.values()) + sum(pukas))
        s.boats[: self.seats] = self._seats_numbers(snapshot, "boats", len(self.board.ring) - 1)
        for space in range(len(self.board.ring)):
            s.shells[space] = kauri[space] if space in kauri else lying[space]
            s.beach[space] = lying.get(space, 0) if space in kauri else 0
        s.supply = supply
        s.pukas[: self.seats] = pukas
        s.kauris[: self.seats] = kauris

    def _seats_numbers(self, snapshot: Mapping[str, Any], key: str, most: int) -> list[int]:
        numbers = reading.items(reading.field(snapshot, key), self.seats, key)
        return [reading.whole(n, 0, most, f"{key} of seat {seat}") for seat, n in enumerate(numbers)]

    def _fill_cards(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        cards = reading.items(reading.field(snapshot, "drawn"), None, "drawn")
        drawn = [reading.one_of(card, KINDS, "drawn") for card in cards]
        deck, discard = (self._cards(snapshot, key) for key in ("deck", "discard"))
        for kind, total in enumerate(self.board.oracle):
            _check_total(f"{KINDS[kind]} cards", total, deck[kind] + discard[kind] + drawn.count(kind))
        if drawn and drawn[-1] == IDOL and self.options["dolphin"] == "after" and s.phase == SPINNING:
            s.idol = 1
            drawn.pop()
        _check_drawn(PHASES[s.phase], drawn, deck, s.turn == self.turns, self._drawn_before_dolphin(s))
        if self._drawn_before_dolphin(s) and not drawn and not s.idol:
            raise ValueError("The dolphin turns after the cards, but no card is drawn.")
        s.deck[:] = deck
        s.discard[:] = discard
        s.drawn = len(drawn)
        s.way = sum(kind + 1 for kind in drawn)
        for i, kind in enumerate(drawn):
            s.fish[i >> 3] |= kind << (i & 7)

    def _drawn_before_dolphin(self, s: Position) -> bool:
        """True if the dolphin is turned only after the cards, and that is now."""
        return self.options["dolphin"] == "after" and int(s.phase) == SPINNING

    def _cards(self, snapshot: Mapping[str, Any], key: str) -> list[int]:
        counts = _object(snapshot, key)
        return [
            reading.whole(reading.field(counts, kind), 0, cards, f"{key}'s {kind}")
            for kind, cards in zip(KINDS, self.board.oracle, strict=True)
        ]

    def _fill_end(self, s: Position) -> None:
        facts, seat, phase = self.facts[0], int(s.seat), int(s.phase)
        won = [other for other in range(self.seats) if has_won(facts, s, other)]
        by_goal = phase == ENDED and s.turn < self.turns
        if won != ([seat] if by_goal else []):
            raise ValueError(_who_must_have_won(won, seat))
        if phase == TRADING and not may_trade(facts, s):
            raise ValueError(f"The phase is 'trade', but seat {seat} cannot trade where it is.")
        if by_goal and not isinstance(self.board.ring[s.boats[seat]], str):
            raise ValueError(f"Seat {seat} can only have won at an island.")
        if phase == ENDED:
            s.winners = 1 << seat if by_goal else richest(facts, s)

    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        pukas = list(reading.items(reading.field(view, "pukas"), self.seats, "pukas"))
        if view.get("counted"):
            return {"pukas": pukas}
        hidden = [seat for seat in range(self.seats) if seat != view["seat"]]
        if any(pukas[seat] is not None for seat in hidden):
            raise ValueError("A view does not tell the other seats' Pukas: they must be null.")
        total = self._hidden_total(view, pukas)
        for seat, n in self._split(view, pukas, hidden, total).items():
            pukas[seat] = n
        return {"pukas": pukas}

    def _hidden_total(self, view: Mapping[str, Any], pukas: list[Any]) -> int:
        """How many Pukas are neither in the supply, nor at sea, nor the seat's own."""
        seen = [reading.field(view, "supply"), *_object(view, "sea").values()]
        if view["seat"] is not None:
            seen.append(pukas[view["seat"]])
        total = self.board.supply - sum(reading.whole(n, 0, self.board.supply, "Pukas") for n in seen)
        if total < 0:
            raise ValueError(f"There are {self.board.supply} Pukas in all, but the view shows {-total} more.")
        return total

    def _split(self, view: Mapping[str, Any], pukas: list[Any], hidden: list[int], total: int) -> dict[int, int]:
        """A possible split of the total: all to one seat, which can then trade; or as a tie was broken."""
        turn = reading.whole(reading.field(view, "turn"), 0, self.turns, "turn")
        split = dict.fromkeys(hidden, 0)
        first = hidden[0]
        if reading.field(view, "phase") == "trade" and turn % self.seats in hidden:
            first = turn % self.seats
        tied = self._tied(view, turn)
        if not tied:
            return split | {first: total}
        return self._split_tie(split, total, pukas, tied, self._winners(view))

    def _winners(self, view: Mapping[str, Any]) -> list[int]:
        winner = reading.field(view, "winner")
        seats = winner if isinstance(winner, list) else [winner]
        return [reading.whole(seat, 0, self.seats - 1, "winner") for seat in seats]

    def _tied(self, view: Mapping[str, Any], turn: int) -> list[int]:
        """The seats between which Pukas decided the game; none if they did not."""
        kauris = reading.items(reading.field(view, "kauris"), self.seats, "kauris")
        for n in kauris:
            reading.whole(n, 0, self.all_kauri, "kauris")
        tied = [seat for seat, n in enumerate(kauris) if n == max(kauris)]
        return tied if turn == self.turns and len(tied) > 1 else []

    def _split_tie(
        self, split: dict[int, int], total: int, pukas: list[Any], tied: list[int], winners: list[int]
    ) -> dict[int, int]:
        """The split in which the winners of a tie have as few as possible."""
        losers = [seat for seat in tied if seat not in winners]
        for most in range(self.board.supply + 1):
            if any(pukas[seat] not in (None, most) for seat in winners):
                continue
            if any(pukas[seat] is not None and pukas[seat] >= most for seat in losers):
                continue
            rest = total - most * sum(seat in split for seat in winners)
            tried = split | {seat: most for seat in winners if seat in split}
            for seat in split:
                if seat not in winners:
                    tried[seat] = min(rest, most - 1) if seat in losers else rest
                    rest -= tried[seat]
            if rest == 0 and min(tried.values()) >= 0:
                return tried
        raise ValueError(f"The Pukas cannot have made {winners} the winners.")

    def written(self, before: State, action: int, after: State) -> dict[str, Any] | None:
        return story.brought(self.board, self.turns, before, action, after)

    def text(self, shown: Mapping[str, Any]) -> str:
        return picture.text(self, shown)

    def svg(self, shown: Mapping[str, Any]) -> str:
        return picture.svg(self, shown)


def _why_not_choosing(action: int) -> tuple[str, str]:
    if action in (DRAW, GO):
        return "oracle", "You have not consulted the oracle in this turn: sail one space, or consult it."
    if action == TRADE:
        return "trade", "You trade when you land on an island: sail one space, or consult the oracle."
    return "turn", "Your turn has only begun: sail one space, or consult the oracle."


def _why_not_pushing(action: int) -> tuple[str, str]:
    if action == DRAW:
        return "deck", "All the oracle’s cards lie before you: sail their total."
    if action in (SAIL, ORACLE):
        return "push", "You have consulted the oracle: draw another card, or sail."
    return "push", "You have drawn a card: draw another or sail before anything else."


def _object(snapshot: Mapping[str, Any], key: str) -> dict[str, Any]:
    return reading.mapping(reading.field(snapshot, key), key)


def _check_total(what: str, total: int, found: int) -> None:
    if found != total:
        raise ValueError(f"There are {total} {what} in all, but the snapshot has {found}.")


def _check_drawn(phase: str, drawn: list[int], deck: list[int], last_turn_over: bool, dolphin_last: bool) -> None:
    if IDOL in drawn:
        raise ValueError("An idol ends the turn: it is never among the cards drawn.")
    if drawn and not dolphin_last and (phase in ("choose", "dolphin") or last_turn_over):
        raise ValueError(f"The cards drawn are put away when a turn ends: 'drawn' must be empty in phase {phase!r}.")
    if not drawn and phase == "push":
        raise ValueError("The phase is 'push', but no card is drawn.")
    if not any(deck) and phase == "card":
        raise ValueError("The phase is 'card', but the deck is empty: it must have been made anew.")


def _who_must_have_won(won: list[int], seat: int) -> str:
    if won:
        return f"Seat {won[0]} has Kauri enough to win at once, so it must be over, in that seat's turn."
    return f"The game is over before its last turn, but seat {seat} has not won."
