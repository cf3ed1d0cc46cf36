"""Briscola's implementation of the contract: action names, refusals, snapshots, views, pictures."""

from collections.abc import Mapping
from typing import Any

from archipel.core import drawing, reading
from archipel.core.errors import sentence
from archipel.core.game import Game
from archipel.core.plain import Plain
from archipel.core.rules import CHANCE, Record
from archipel.core.state import State
from archipel.core.vocabulary import Table

from .rules import CARDS, HAND, RULES, N, points, settle, taker

PLAYS = Table([({"do": "play", "card": card}, card) for card in CARDS])
DEALS = Table([({"do": "deal", "card": card}, f"deal {card}") for card in CARDS])


def names(cards: int) -> list[str]:
    return [card for k, card in enumerate(CARDS) if cards >> k & 1]


class Briscola(Game):
    """Take tricks for the points in them; of 120 points, more than 60 win."""

    name = "briscola"
    title = "Briscola"
    OPTIONS = ()
    rules = RULES
    action_count = N

    def set_up(self, facts: Record) -> int:
        return 2

    def vocabulary(self, state: State) -> Table:
        return DEALS if state.mover == CHANCE else PLAYS

    def why_not(self, s: Record, action: int) -> tuple[str, str]:
        if s.mover == CHANCE:
            return "stock", sentence("{card} is not in the stock.", card=CARDS[action])
        return "play", sentence("You do not hold {card}.", card=CARDS[action])

    def scores(self, s: Plain) -> list[int]:
        return [int(points(won)) for won in s.won]

    def public(self, s: Plain) -> dict[str, Any]:
        shown = {key: CARDS[card] if card >= 0 else None for key, card in (("led", s.led), ("trump", s.trump))}
        piles = {"stock": s.stock.bit_count(), "won": [names(won) for won in s.won]}
        return {"leader": s.leader, "owner": None if s.owner < 0 else s.owner} | shown | piles

    def private(self, s: Plain) -> dict[str, Any]:
        return {"hands": [names(hand) for hand in s.hands]}

    def seen(self, s: Plain, seat: int | None) -> dict[str, Any]:
        return {"hands": [names(hand) if owner == seat else hand.bit_count() for owner, hand in enumerate(s.hands)]}

    def unseen(self, state: State, action: int, seat: int | None) -> tuple[str, ...]:
        return ("card",) if state.mover == CHANCE and taker(state.record) not in (-1, seat) else ()

    def fill(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        for key, known in (("led", CARDS), ("trump", CARDS), ("owner", [0, 1]), ("leader", [0, 1])):
            value = reading.field(snapshot, key)
            s[key] = -1 if value is None else reading.one_of(value, known, key)
        gone = [int(card) for card in (s.led, s.trump if s.owner < 0 else -1) if card >= 0]
        for key, array in (("hands", s.hands), ("won", s.won)):
            for seat, pile in enumerate(reading.items(reading.field(snapshot, key), 2, key)):
                cards = [reading.one_of(card, CARDS, key) for card in reading.items(pile, None, key)]
                array[seat] = sum(1 << card for card in set(cards))
                gone += cards
        s.stock = (1 << N) - 1 - sum(1 << card for card in set(gone))
        if len(set(gone)) < len(gone) or (s.stock == 0) != (s.owner >= 0) or max(map(len, snapshot["hands"])) > HAND:
            raise ValueError("The snapshot has a card twice, or its hands and its stock do not go together.")
        settle(s)

    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        hands = reading.items(reading.field(view, "hands"), 2, "hands")
        gone = [card for pile in (*view["won"], *hands) if isinstance(pile, list) for card in pile] + [view["led"]]
        free = [card for card in CARDS if card not in (*gone, view["trump"])]
        found: list[Any] = []
        for seat, hand in enumerate(hands):
            known = [view["trump"]] if view["owner"] == seat and view["trump"] not in gone else []
            more = 0 if isinstance(hand, list) else reading.whole(hand, len(known), HAND, "hand") - len(known)
            found.append(hand if isinstance(hand, list) else sorted(known + free[:more], key=CARDS.index))
            free = free[more:]
        return {"hands": found}

    def text(self, shown: Mapping[str, Any]) -> str:
        lines = [f"Trump: {shown['trump'] or '-'} ({shown['stock']} in the stock)", f"Led: {shown['led'] or '-'}"]
        for seat, hand in enumerate(shown["hands"]):
            held = " ".join(hand if isinstance(hand, list) else "?" * hand)
            lines.append(f"{'>' * (shown['mover'] == seat)}Player {seat + 1}: {held} ({shown['scores'][seat]} points)")
        return "\n".join(lines)

    def svg(self, shown: Mapping[str, Any]) -> str:
        parts = [drawing.label(96, 208, shown["stock"])]
        parts += [drawing.card(50, 160, shown["trump"])] * (shown["owner"] is None)
        parts += [drawing.card(96, 160, None)] * (shown["stock"] > 0)
        parts += [drawing.card(215, 160, shown["led"])] * (shown["led"] is not None)
        for seat, hand in enumerate(shown["hands"]):
            y = 270 if seat == (shown.get("seat") or 0) else 50
            parts.append(drawing.token(60, y, seat, 18, shown["scores"][seat]))
            cards = hand if isinstance(hand, list) else [None] * hand
            parts += [drawing.card(155 + 60 * k, y, card) for k, card in enumerate(cards)]
        return drawing.document(330, 320, "Briscola", parts)
