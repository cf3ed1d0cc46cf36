"""Kula Kula by the tests' own second reading of the rules: plain Python, written from the rulebook's sentences."""

from fractions import Fraction
from typing import Any

from . import CHANCE, OVER, Json, returns

STATIONS = [
    *(("Kiriwina", 2), ("Kitava", 1), ("Iwa", 1), ("Gawa", 1), ("Woodlark", 3), ("Misima", 2)),
    *(("Koyagaugau", 1), ("Tube Tube", 2), ("Normanby", 2), ("Dobu", 1), ("Amphlett", 1), ("Vakuta", 2)),
]
KINDS = ["boat", "fish", "idol"]
SPACES = {"boat": 1, "fish": 2}


def printed_ring() -> list[Json]:
    """Twelve islands, with a numbered sea space after each."""
    ring: list[Json] = []
    for i, (island, kauri) in enumerate(STATIONS):
        ring.append({"space": 2 * i, "island": island, "kauri": kauri})
        ring.append({"space": 2 * i + 1, "number": i + 1})
    return ring


def printed_board() -> Json:
    return {
        "ring": printed_ring(),
        "goal_kauri": {"3": 6, "4": 5, "5": 4},
        "starts": {
            "3": ["Kiriwina", "Woodlark", "Normanby"],
            "4": ["Kitava", "Woodlark", "Tube Tube", "Amphlett"],
            "5": ["Kitava", "Woodlark", "Koyagaugau", "Normanby", "Vakuta"],
        },
        "oracle": {"boat": 18, "fish": 12, "idol": 12},
        "puka_supply": 70,
        "price": 3,
        "puka_limit_per_space": 3,
    }


class Referee:
    """One game of Kula Kula."""

    def __init__(
        self,
        players: int = 3,
        return_home: bool = False,
        board: dict[str, Any] | None = None,
        turn_limit: int = 500,
        toll: str = "before",
        dolphin: str = "before",
        memory_aid: bool = False,
    ) -> None:
        assert memory_aid in (False, True)  # what a page shows is no matter for a referee
        facts = printed_board() | (board or {})
        self.players = players
        self.return_home = return_home
        self.toll_first = toll == "before"
        self.dolphin_first = dolphin == "before"
        self.dolphin_is_due = False
        self.turn_limit = turn_limit
        self.ring: list[Json] = sorted(facts["ring"], key=lambda space: int(space["space"]))
        self.goal: int = facts["goal_kauri"][str(players)]
        self.home = [self.space_of(island) for island in facts["starts"][str(players)]]
        self.price: int = facts["price"]
        self.limit: int = facts["puka_limit_per_space"]
        self.supply: int = facts["puka_supply"]
        self.islands: dict[str, int] = {space["island"]: space["kauri"] for space in self.ring if "island" in space}
        self.sea: dict[int, int] = {space["number"]: 0 for space in self.ring if "number" in space}
        for number in self.sea:
            if number % 2 == 1:
                self.sea[number] = 1
                self.supply -= 1
        self.deck: dict[str, int] = dict(facts["oracle"])
        self.discard = dict.fromkeys(KINDS, 0)
        self.drawn: list[str] = []
        self.boats = list(self.home)
        self.pukas = [0] * players
        self.kauris = [0] * players
        self.turns_ended = 0
        self.phase = "choose"
        self.winner: int | list[int] | None = None

    def space_of(self, island: str) -> int:
        return next(i for i, space in enumerate(self.ring) if space.get("island") == island)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.turns_ended % self.players

    @property
    def mover(self) -> int:
        if self.phase == "over":
            return OVER
        return CHANCE if self.phase in ("dolphin", "card") else self.seat

    # Which actions are legal

    def legal(self) -> list[Json]:
        match self.phase:
            case "choose":
                return [{"do": "sail"}, {"do": "oracle"}]
            case "push":
                return [{"do": "go"}] + ([{"do": "draw"}] if self.a_card_is_left() else [])
            case "trade":
                return [{"do": "trade"}, {"do": "stop"}]
            case _:
                return [action for action, _ in self.chances()]

    def chances(self) -> list[tuple[Json, Fraction]]:
        if self.phase == "dolphin":
            return [({"do": "dolphin", "number": number}, Fraction(1, len(self.sea))) for number in self.sea]
        if self.phase == "card":
            cards = sum(self.deck.values())
            return [
                ({"do": "card", "card": kind}, Fraction(self.deck[kind], cards)) for kind in KINDS if self.deck[kind]
            ]
        return []

    def a_card_is_left(self) -> bool:
        return sum(self.deck.values()) + sum(self.discard.values()) > 0

    # What actions do

    def play(self, action: Json) -> None:
        match action["do"]:
            case "sail":
                self.land(1)
            case "oracle":
                if self.dolphin_first:
                    self.phase = "dolphin"
                else:
                    self.dolphin_is_due = True
                    self.expect_card()
            case "dolphin":
                self.dolphin(action["number"])
                if self.dolphin_first:
                    self.expect_card()
                else:
                    self.end_turn()
            case "card":
                self.turn_card(action["card"])
            case "draw":
                self.expect_card()
            case "go":
                self.land(sum(SPACES[kind] for kind in self.drawn))
            case "trade":
                self.trade()
            case "stop":
                self.leave_landing()

    def dolphin(self, number: int) -> None:
        if self.sea[number] == self.limit:
            self.supply += self.sea[number]
            self.sea[number] = 0
        elif self.supply > 0:
            self.supply -= 1
            self.sea[number] += 1

    def expect_card(self) -> None:
        self.phase = "card"
        if sum(self.deck.values()) == 0:
            self.deck = self.discard
            self.discard = dict.fromkeys(KINDS, 0)

    def turn_card(self, kind: str) -> None:
        self.deck[kind] -= 1
        self.drawn.append(kind)
        if kind == "idol":
            self.leave_move()
        else:
            self.phase = "push"

    def land(self, spaces: int) -> None:
        seat = self.seat
        there = (self.boats[seat] + spaces) % len(self.ring)
        self.boats[seat] = there
        if self.toll_first:
            self.pay_toll()
        if "number" in self.ring[there]:
            number = self.ring[there]["number"]
            self.pukas[seat] += self.sea[number]
            self.sea[number] = 0
        self.go_on()

    def pay_toll(self) -> None:
        seat = self.seat
        for step in range(1, self.players):
            other = (seat + step) % self.players
            if self.boats[other] == self.boats[seat] and self.pukas[seat] > 0:
                self.pukas[seat] -= 1
                self.pukas[other] += 1

    def leave_landing(self) -> None:
        """Taking and trading are done: a toll that comes last is paid now."""
        if not self.toll_first:
            self.pay_toll()
        self.leave_move()

    def leave_move(self) -> None:
        """Move or idol are done: a dolphin that comes last turns now."""
        if self.dolphin_is_due:
            self.dolphin_is_due = False
            self.phase = "dolphin"
        else:
            self.end_turn()

    def trade(self) -> None:
        seat = self.seat
        self.pukas[seat] -= self.price
        self.supply += self.price
        self.islands[self.island_here()] -= 1
        self.kauris[seat] += 1
        self.go_on()

    def island_here(self) -> str:
        return str(self.ring[self.boats[self.seat]].get("island", ""))

    def can_trade(self) -> bool:
        return self.islands.get(self.island_here(), 0) > 0 and self.pukas[self.seat] >= self.price

    def go_on(self) -> None:
        """After toll and taking, and after each trade."""
        if self.has_won():
            self.finish(self.seat)
        elif self.can_trade():
            self.phase = "trade"
        else:
            self.leave_landing()

    def has_won(self) -> bool:
        seat = self.seat
        at_home = self.boats[seat] == self.home[seat]
        return self.kauris[seat] >= self.goal and (at_home or not self.return_home)

    def end_turn(self) -> None:
        for kind in self.drawn:
            self.discard[kind] += 1
        self.drawn = []
        self.turns_ended += 1
        self.phase = "choose"
        if self.turns_ended == self.turn_limit * self.players:
            self.finish(self.best())

    def best(self) -> int | list[int]:
        riches = [(self.kauris[seat], self.pukas[seat]) for seat in range(self.players)]
        best = [seat for seat in range(self.players) if riches[seat] == max(riches)]
        return best[0] if len(best) == 1 else best

    def finish(self, winner: int | list[int]) -> None:
        self.phase = "over"
        self.winner = winner

    # What can be seen

    def snapshot(self) -> Json:
        return {
            "mover": self.mover,
            "phase": self.phase,
            "boats": list(self.boats),
            "pukas": list(self.pukas),
            "kauris": list(self.kauris),
            "sea": {str(number): pukas for number, pukas in self.sea.items()},
            "islands": dict(self.islands),
            "deck": dict(self.deck),
            "discard": dict(self.discard),
            "drawn": list(self.drawn),
            "supply": self.supply,
            "turn": self.turns_ended,
            "scores": list(self.kauris),
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction]:
        return returns(self.winner, self.players)
