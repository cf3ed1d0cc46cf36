"""Kahuna by the tests' own second reading of the rules: plain Python, written from the rulebook's sentences."""

from collections.abc import Sequence
from fractions import Fraction

from . import CHANCE, OVER, Json, returns

ISLANDS = ["ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI", "JOJO", "KAHU", "LALE"]
LINES = [
    *("ALOA-BARI", "ALOA-DUDA", "ALOA-HUNA", "BARI-COCO", "BARI-DUDA", "BARI-ELAI", "BARI-FAAA"),
    *("COCO-FAAA", "COCO-GOLA", "COCO-KAHU", "DUDA-ELAI", "DUDA-HUNA", "ELAI-FAAA", "ELAI-HUNA"),
    *("ELAI-IFFI", "ELAI-JOJO", "FAAA-GOLA", "FAAA-JOJO", "GOLA-JOJO", "GOLA-KAHU", "HUNA-IFFI"),
    *("HUNA-LALE", "IFFI-JOJO", "IFFI-KAHU", "IFFI-LALE", "JOJO-KAHU", "KAHU-LALE"),
]
HAND_LIMIT = 5
BRIDGES = 25


def ends(line: str) -> list[str]:
    return line.split("-")


def lines_at(island: str) -> list[str]:
    return [line for line in LINES if island in ends(line)]


class Referee:
    """One game of Kahuna."""

    def __init__(
        self,
        edition: str = "iello",
        guarded: bool = False,
        open_cards: bool = False,
        handicap: Sequence[int] = (0, 0),
        sudden_end: str = "act",
        open_copy: str = "shown",
    ) -> None:
        self.edition = edition
        self.guarded = guarded
        self.open_cards = open_cards
        self.state_ends = sudden_end == "state"
        self.may_choose = open_cards and open_copy == "choose"
        self.ever_built = [False, False]
        self.round = 1
        self.bridges: list[set[str]] = [set(), set()]
        self.stones: list[set[str]] = [set(), set()]
        self.hands: list[list[str]] = [[], []]
        self.shown: list[list[str]] = [[], []]
        self.open: list[str] = []
        self.deck = ISLANDS * 2
        self.discard: list[str] = []
        self.hidden_discard: list[list[str]] = [[], []]
        self.points = [0, 0]
        self.passed = False
        self.last_turns: int | None = None
        self.winner: int | list[int] | None = None
        self.handicap = list(handicap)  # bridges still to place before the first turn
        self.due: list[int | str] = [0, 0, 0, 1, 1, 1, "open", "open", "open"]  # who gets the next dealt cards
        self.drawing = False  # the due card belongs to a draw, which ends the turn
        self.took_from_row: list[list[str]] = [[], []]  # the opponent knows that these are in the hand
        self.perhaps_dropped: list[list[str]] = [[], []]  # ... or are among the face-down discards since
        self.drops_since: list[list[int]] = [[], []]  # how many those are, for each of the cards above
        self.seen_dropped: list[list[str]] = [[], []]  # shown cards that the opponent saw go face down
        self.begin_turn(0)

    def begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.has_played = False
        self.has_discarded = False
        self.cut_line: str | None = None

    @property
    def mover(self) -> int:
        if self.winner is not None:
            return OVER
        if self.due:
            return CHANCE
        for seat in (0, 1):
            if self.handicap[seat]:
                return seat
        return self.turn

    # Which actions are legal

    def legal(self) -> list[Json]:
        if self.mover == OVER:
            return []
        if self.mover == CHANCE:
            return [action for action, _ in self.chances()]
        if any(self.handicap):
            return [{"do": "bridge", "line": line} for line in self.free_lines()]
        actions = self.ways_to_end()
        if self.may_play():
            actions += self.bridge_actions() + self.cut_actions()
        if self.may_refill():
            actions.append({"do": "refill"})
        if self.may_discard():
            actions += [{"do": "discard", "card": card} for card in self.different_cards()]
        if self.may_choose:
            actions += [action | {"hidden": True} for action in actions if self.has_a_choice(action)]
        return actions

    def has_a_choice(self, action: Json) -> bool:
        """Is it done with a card of which one copy is shown and the other is not?"""
        if action["do"] not in ("bridge", "cut", "discard"):
            return False
        cards = action["cards"] if action["do"] == "cut" else [action["card"]]
        return len(set(cards)) == len(cards) and any(self.both_copies(card) for card in cards)

    def both_copies(self, card: str) -> bool:
        return self.hands[self.turn].count(card) == 2 and self.shown[self.turn].count(card) == 1

    def chances(self) -> list[tuple[Json, Fraction]]:
        if self.mover != CHANCE:
            return []
        return [
            ({"do": "deal", "card": card}, Fraction(self.deck.count(card), len(self.deck)))
            for card in sorted(set(self.deck))
        ]

    def different_cards(self) -> list[str]:
        return sorted(set(self.hands[self.turn]))

    def free_lines(self) -> list[str]:
        return [line for line in LINES if line not in self.bridges[0] and line not in self.bridges[1]]

    def opponent_stone_at(self, line: str) -> bool:
        return any(island in self.stones[1 - self.turn] for island in ends(line))

    def bridge_in_supply(self) -> bool:
        return len(self.bridges[self.turn]) < BRIDGES

    def nothing_to_draw(self) -> bool:
        return not self.deck and not self.open

    def may_play(self) -> bool:
        return not (self.edition == "iello" and self.has_discarded)

    def bridge_actions(self) -> list[Json]:
        if not self.bridge_in_supply():
            return []
        return [
            {"do": "bridge", "card": card, "line": line}
            for card in self.different_cards()
            for line in self.free_lines()
            if card in ends(line) and not (self.guarded and self.opponent_stone_at(line))
        ]

    def cut_actions(self) -> list[Json]:
        actions: list[Json] = []
        hand = self.hands[self.turn]
        for line in sorted(self.bridges[1 - self.turn]):
            a, b = sorted(ends(line))
            for pair in ([a, a], [a, b], [b, b]):
                if all(hand.count(card) >= pair.count(card) for card in pair):
                    actions.append({"do": "cut", "cards": pair, "line": line})
        return actions

    def may_refill(self) -> bool:
        if not self.guarded or self.cut_line is None:
            return False
        return self.bridge_in_supply() and not self.opponent_stone_at(self.cut_line)

    def may_discard(self) -> bool:
        if self.nothing_to_draw():
            return False
        return self.edition == "tilsit" or not self.has_played

    def ways_to_end(self) -> list[Json]:
        if self.nothing_to_draw():
            return [{"do": "pass"}]
        actions: list[Json] = []
        full_hand = len(self.hands[self.turn]) == HAND_LIMIT
        if not full_hand:
            actions += [{"do": "draw", "from": card} for card in sorted(set(self.open))]
            if self.deck:
                actions.append({"do": "draw", "from": "deck"})
        if not self.passed and (self.edition == "iello" or full_hand):
            actions.append({"do": "pass"})
        return actions

    # What actions do

    def play(self, action: Json) -> None:
        mover = self.mover
        cut_before, self.cut_line = self.cut_line, None
        hidden = "hidden" in action
        match action["do"]:
            case "deal":
                self.deal(action["card"])
            case "bridge" if "card" not in action:
                self.handicap[mover] -= 1
                self.build(mover, action["line"])
            case "bridge":
                self.has_played = True
                self.lose_card(mover, action["card"], self.discard, hidden)
                self.build(mover, action["line"])
            case "cut":
                self.has_played = True
                for card in action["cards"]:
                    self.lose_card(mover, card, self.discard, hidden and self.both_copies(card))
                self.cut(mover, action["line"])
            case "refill":
                assert cut_before is not None
                self.build(mover, cut_before)
            case "discard":
                self.put_away(mover, action["card"], hidden)
            case "draw":
                self.draw(mover, action["from"])
            case "pass":
                self.end_turn(by_pass=True)

    def deal(self, card: str) -> None:
        self.deck.remove(card)
        to = self.due.pop(0)
        if isinstance(to, int):
            self.hands[to].append(card)
        else:
            self.open.append(card)
        if self.drawing:
            self.drawing = False
            self.end_draw()

    def lose_card(self, seat: int, card: str, pile: list[str], hidden: bool) -> None:
        """A card leaves the hand; of two copies the shown one goes first, unless the hidden one is asked for."""
        self.hands[seat].remove(card)
        pile.append(card)
        was_shown = card in self.shown[seat] and not hidden
        if was_shown:
            self.shown[seat].remove(card)
        if pile is self.hidden_discard[seat]:
            self.perhaps_dropped[seat] += self.took_from_row[seat]
            self.drops_since[seat] += [0] * len(self.took_from_row[seat])
            self.drops_since[seat] = [drops + 1 for drops in self.drops_since[seat]]
            self.took_from_row[seat] = []
            if was_shown:
                self.seen_dropped[seat].append(card)
        elif card in self.took_from_row[seat]:
            self.took_from_row[seat].remove(card)
        elif card in self.perhaps_dropped[seat]:
            del self.drops_since[seat][self.perhaps_dropped[seat].index(card)]
            self.perhaps_dropped[seat].remove(card)

    def put_away(self, seat: int, card: str, hidden: bool) -> None:
        self.has_discarded = True
        self.lose_card(seat, card, self.hidden_discard[seat] if self.edition == "iello" else self.discard, hidden)

    def draw(self, seat: int, source: str) -> None:
        if source == "deck":
            self.due = [seat]
        else:
            self.open.remove(source)
            self.hands[seat].append(source)
            self.took_from_row[seat].append(source)
            if self.open_cards:
                self.shown[seat].append(source)
            if self.deck:
                self.due = ["open"]
        if self.due:
            self.drawing = True
        else:
            self.end_draw()

    # Bridges and stones

    def majority(self, seat: int, island: str) -> bool:
        mine = [line for line in lines_at(island) if line in self.bridges[seat]]
        return 2 * len(mine) > len(lines_at(island))

    def build(self, seat: int, line: str) -> None:
        self.bridges[seat].add(line)
        self.ever_built[seat] = True
        won = [island for island in ends(line) if island not in self.stones[seat] and self.majority(seat, island)]
        self.stones[seat].update(won)
        opponent_bridges = self.bridges[1 - seat]
        stripped = {line for island in won for line in lines_at(island) if line in opponent_bridges}
        self.take_off(seat, stripped)

    def cut(self, seat: int, line: str) -> None:
        self.take_off(seat, {line})
        self.cut_line = line

    def take_off(self, seat: int, lines: set[str]) -> None:
        """The opponent of this seat loses these bridges, and the stones that had their majority from them."""
        opponent = 1 - seat
        self.bridges[opponent] -= lines
        self.stones[opponent] = {island for island in self.stones[opponent] if self.majority(opponent, island)}
        if lines and not self.bridges[opponent] and self.round >= 2:
            self.finish(seat)

    # The end of turns, of rounds, of the game

    def end_turn(self, *, by_pass: bool) -> None:
        self.passed = by_pass
        if self.opponent_is_bare():
            self.finish(self.turn)
            return
        if self.last_turns == 1:
            self.third_scoring()
            return
        if self.last_turns == 2:
            self.last_turns = 1
        self.begin_turn(1 - self.turn)

    def opponent_is_bare(self) -> bool:
        """By the disputed reading: has the opponent, who once had a bridge, none when this turn ends?"""
        opponent = 1 - self.turn
        return self.state_ends and self.round >= 2 and self.ever_built[opponent] and not self.bridges[opponent]

    def end_draw(self) -> None:
        self.passed = False
        if self.opponent_is_bare():
            self.finish(self.turn)
            return
        if self.nothing_to_draw():
            self.end_round()
        self.begin_turn(1 - self.turn)

    def end_round(self) -> None:
        if self.round == 3:
            self.last_turns = 2
            return
        leader = self.leader()
        if leader is not None:
            self.points[leader] += self.round
        self.round += 1
        self.deck = self.discard + self.hidden_discard[0] + self.hidden_discard[1]
        self.discard = []
        self.hidden_discard = [[], []]
        self.perhaps_dropped = [[], []]
        self.drops_since = [[], []]
        self.seen_dropped = [[], []]
        self.due = ["open", "open", "open"]

    def leader(self) -> int | None:
        white, black = len(self.stones[0]), len(self.stones[1])
        if white == black:
            return None
        return 0 if white > black else 1

    def third_scoring(self) -> None:
        leader = self.leader()
        if leader is not None:
            self.points[leader] += len(self.stones[leader]) - len(self.stones[1 - leader])
        if self.points[0] != self.points[1]:
            self.finish(0 if self.points[0] > self.points[1] else 1)
        elif leader is not None:
            self.finish(leader)
        elif len(self.bridges[0]) != len(self.bridges[1]):
            self.finish(0 if len(self.bridges[0]) > len(self.bridges[1]) else 1)
        else:
            self.finish([0, 1])

    def finish(self, winner: int | list[int]) -> None:
        self.winner = winner
        self.last_turns = None

    # What can be seen

    def snapshot(self) -> Json:
        return {
            "round": self.round,
            "mover": self.mover,
            "bridges": [sorted(bridges) for bridges in self.bridges],
            "stones": [sorted(stones) for stones in self.stones],
            "hands": [sorted(hand) for hand in self.hands],
            "shown": [sorted(shown) for shown in self.shown],
            "open": sorted(self.open),
            "deck": sorted(self.deck),
            "discard": sorted(self.discard),
            "hidden_discard": [sorted(pile) for pile in self.hidden_discard],
            "scores": list(self.points),
            "passed": self.passed,
            "last_turns": self.last_turns,
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction]:
        return returns(self.winner, 2)

    def seen(self, seat: int) -> Json:
        """What a seat may know: its own cards, and of the opponent's only what it saw him take."""
        opponent = 1 - seat
        return {
            "hand": sorted(self.hands[seat]),
            "own_hidden_discard": sorted(self.hidden_discard[seat]),
            "deck_count": len(self.deck),
            "opponent_count": len(self.hands[opponent]),
            "opponent_hidden_count": len(self.hidden_discard[opponent]),
            "opponent_surely_holds": sorted(self.shown[opponent] if self.open_cards else self.took_from_row[opponent]),
            "opponent_holds_or_dropped": [] if self.open_cards else sorted(self.perhaps_dropped[opponent]),
            "drops_since": {} if self.open_cards else self.chances_to_drop(opponent),
            "opponent_surely_dropped": sorted(self.seen_dropped[opponent]),
        }

    def chances_to_drop(self, seat: int) -> dict[int, list[str]]:
        """For a number of face-down discards: the cards that only so many of them, the last, can have been."""
        drops = self.drops_since[seat]
        cards = list(zip(self.perhaps_dropped[seat], drops, strict=True))
        return {most: sorted(card for card, since in cards if since <= most) for most in sorted(set(drops))}
