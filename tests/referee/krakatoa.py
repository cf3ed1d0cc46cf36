"""Krakatoa by the tests' own second reading of the rules: plain Python, written from the rulebook's sentences."""

import random
from fractions import Fraction

from . import CHANCE, OVER, Json, returns

SETS = ["steam", "ash", "lava"]
VOLCANOES = {"YYY": 10, "RRR": 5, "BBB": 3}
MARKS = ["", "x", "xx"]
TIMES = [1, 2, 4]
ROUNDS = 6
BOXES = 3
LETTERS = "YYYRRRRBBBBB"  # the twelve faces of a die


def points(letters: str) -> int:
    """What one set is worth."""
    return VOLCANOES.get(letters, letters.count("Y"))


def is_volcano(letters: str) -> bool:
    return letters in VOLCANOES


def same_letters(one: str, other: str) -> bool:
    return sorted(one) == sorted(other)


class Referee:
    """One game of Krakatoa."""

    def __init__(self, players: int = 2, teams: bool = False, game: str = "advanced") -> None:
        self.players = players
        self.teams = teams
        self.advanced = game == "advanced"
        self.sides = 2 if teams else players
        self.totals = [0] * self.sides
        self.marks = [[0, 0] for _ in range(self.sides)]
        self.boxes_left = BOXES if self.advanced else 0
        self.dice: list[str] | None = None
        self.winner: int | list[int] | None = None
        self.round = 0
        self.throw = 0
        self.phase = "throwoff"
        self.order = [0, 1] if teams else list(range(players))
        self.thrown_off: list[int] = []  # the points of those of the order who have thrown
        self.last_throw_off: dict[int, str] = {}
        self.position = 0  # whose five throws these are, as a place in the order
        self.has_rerolled = False
        self.in_hand = ""  # the set being thrown
        self.styles: list[str] = []  # how the tests' landings fall in this game

    def side(self, seat: int) -> int:
        return seat % 2 if self.teams else seat

    @property
    def seat(self) -> int:
        """Who throws."""
        return self.order[self.position]

    @property
    def mover(self) -> int:
        if self.phase == "over":
            return OVER
        return self.seat if self.phase in ("decide", "throw") else CHANCE

    # Which actions are legal

    def legal(self) -> list[Json] | None:
        match self.phase:
            case "decide":
                return [{"do": "keep"}, {"do": "reroll"}]
            case "throw":
                return [
                    {"do": "throw", "set": thrown, "at": f"{aimed}{number}"}
                    for thrown in self.sets_to_throw()
                    for aimed in SETS
                    if aimed != thrown
                    for number in (1, 2, 3)
                ]
            case "over":
                return []
            case _:
                return None

    def chances(self) -> list[tuple[Json, Fraction]] | None:
        return None if self.mover == CHANCE else []

    def sets_to_throw(self) -> list[str]:
        return {3: ["steam"], 4: ["ash"], 5: ["lava"]}.get(self.throw, SETS)

    def may_land(self, action: Json) -> bool:
        """Can the dice fall so? Untouched table sets keep their letters."""
        if self.phase == "land" and self.throw > 1 and not action["touched"]:
            assert self.dice is not None
            landed = action["faces"].split()
            table = [i for i in range(3) if SETS[i] != self.in_hand]
            return all(same_letters(landed[i], self.dice[i]) for i in table)
        return True

    # What actions do

    def play(self, action: Json) -> None:
        match action["do"]:
            case "land" if self.phase == "throwoff":
                self.land_throw_off(action["faces"])
            case "land":
                self.dice = action["faces"].split()
                if self.throw == 1 and not self.has_rerolled:
                    self.phase = "decide"
                else:
                    self.score(touched=action.get("touched", True))
            case "keep":
                self.score(touched=True)
            case "reroll":
                self.has_rerolled = True
                self.dice = None
                self.phase = "land"
            case "throw":
                self.in_hand = action["set"]
                self.phase = "land"

    def land_throw_off(self, letters: str) -> None:
        self.last_throw_off[self.order[len(self.thrown_off)]] = letters
        self.thrown_off.append(points(letters))
        if len(self.thrown_off) < len(self.order):
            return
        best = max(self.thrown_off)
        tied = [seat for seat, thrown in zip(self.order, self.thrown_off, strict=True) if thrown == best]
        self.thrown_off = []
        self.order = tied
        if len(tied) == 1:
            self.begin_game(tied[0])

    def begin_game(self, starter: int) -> None:
        if self.advanced:
            for seat, letters in self.last_throw_off.items():
                if is_volcano(letters):
                    self.marks[self.side(seat)][0] = 2
                elif points(letters) == 2:
                    self.marks[self.side(seat)][0] = 1
        self.begin_round(starter)

    def begin_round(self, starter: int) -> None:
        self.round += 1
        if self.teams:
            self.order = [starter, starter ^ 1]
        else:
            self.order = [(starter + step) % self.players for step in range(self.players)]
        self.position = 0
        self.begin_five()

    def begin_five(self) -> None:
        self.throw = 1
        self.dice = None
        self.has_rerolled = False
        self.phase = "land"

    def score(self, *, touched: bool) -> None:
        side = self.side(self.seat)
        times = TIMES[self.marks[side][0]]
        self.marks[side] = [self.marks[side][1], 0]
        if touched:
            assert self.dice is not None
            gained = times * sum(points(letters) for letters in self.dice)
            self.totals[side] += gained
            if self.advanced:
                self.earn(side, self.quake(side, gained) + self.rumble(), self.eruption())
        if self.throw > 5:
            self.boxes_left -= 1
        self.go_on()

    def earn(self, side: int, for_one: int, for_two: int) -> None:
        following, after = self.marks[side]
        self.marks[side] = [min(2, following + for_one + for_two), min(2, after + for_two)]

    def quake(self, side: int, gained: int) -> int:
        if gained == 0:
            return 0
        ending = self.totals[side] % 100
        if ending in (0, 20, 40, 60, 80):
            return 2
        return 1 if ending in (11, 22, 33, 44, 55, 66, 77, 88, 99) else 0

    def volcanoes(self) -> list[str]:
        assert self.dice is not None
        return [letters for letters in self.dice if is_volcano(letters)]

    def rumble(self) -> int:
        assert self.dice is not None
        if len(set("".join(self.dice))) != 2:
            return 0
        return 2 if len(self.volcanoes()) >= 2 else 1

    def eruption(self) -> int:
        if len(self.volcanoes()) < 3:
            return 0
        return {3: 1, 1: 2}.get(len(set(self.volcanoes())), 0)

    def go_on(self) -> None:
        marked = self.marks[self.side(self.seat)][0] > 0
        may_use_box = self.round == ROUNDS and self.boxes_left > 0 and marked
        if self.throw < 5 or may_use_box:
            self.throw += 1
            self.phase = "throw"
        elif self.position + 1 < len(self.order):
            self.position += 1
            self.begin_five()
        elif self.round < ROUNDS:
            self.begin_round(self.next_starter())
        else:
            self.finish()

    def next_starter(self) -> int:
        leader = self.order[0]
        for seat in self.order:
            if self.totals[self.side(seat)] > self.totals[self.side(leader)]:
                leader = seat
        return (leader + 2) % 4 if self.teams else leader

    def finish(self) -> None:
        self.phase = "over"
        best = [seat for seat in range(self.players) if self.totals[self.side(seat)] == max(self.totals)]
        self.winner = best[0] if len(best) == 1 else best

    # What can be seen

    def snapshot(self) -> Json:
        return {
            "mover": self.mover,
            "phase": self.phase,
            "round": self.round,
            "throw": self.throw,
            "order": list(self.order),
            "dice": None if self.dice is None else " ".join(self.dice),
            "totals": list(self.totals),
            "marks": [[MARKS[following], MARKS[after]] for following, after in self.marks],
            "boxes_left": self.boxes_left,
            "scores": [self.totals[self.side(seat)] for seat in range(self.players)],
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction]:
        return returns(self.winner, self.players)

    # Landings for tests: far more volcanoes, two-colour throws, scratches and level totals than real dice give

    def random_landing(self, rng: random.Random) -> Json:
        self.styles = self.styles or rng.choice([STYLES, STYLES, STYLES, MEAGRE])
        style = rng.choice(self.styles)
        if self.phase == "throwoff":
            return {"do": "land", "faces": random_set(rng, style)}
        sets = [random_set(rng, style) for _ in SETS]
        if style == "eruption":
            sets = rng.choice([rng.sample(sorted(VOLCANOES), 3), [rng.choice(sorted(VOLCANOES))] * 3])
        if self.throw == 1:
            return {"do": "land", "faces": " ".join(sets)}
        assert self.dice is not None
        touched = rng.random() < 0.8
        for i, name in enumerate(SETS):
            if name != self.in_hand and (not touched or rng.random() < 0.4):
                sets[i] = shuffled(rng, self.dice[i]) if rng.random() < 0.5 else self.dice[i]
        return {"do": "land", "faces": " ".join(sets), "touched": touched}


STYLES = ["fair", "fair", "even", "volcanoes", "YR", "YB", "RB", "eruption"]
MEAGRE = ["fiasco"] * 19 + ["ace"]


def random_set(rng: random.Random, style: str) -> str:
    if style == "eruption" or (style == "volcanoes" and rng.random() < 0.6):
        return rng.choice(sorted(VOLCANOES))
    if style in ("fiasco", "ace"):
        return rng.choice(["RRB", "RBR", "BRB", "BBR"] if style == "fiasco" else ["YRB", "BRY"])
    letters = {"fair": LETTERS, "volcanoes": LETTERS}.get(style, "YRB" if style == "even" else style)
    if len(letters) == 2 and rng.random() < 0.4:
        return rng.choice(letters) * 3
    return "".join(rng.choice(letters) for _ in range(3))


def shuffled(rng: random.Random, letters: str) -> str:
    return "".join(rng.sample(letters, 3))
