"""Random games in lockstep: the engine beside the tests' own referees, every state compared.

ARCHIPEL_LOCKSTEP_GAMES says how many games each choice of options gets; a failure names
the game, its options and its seed, and `play_in_lockstep` with these plays it again.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import archipel
from tests.referee import CHANCE, OVER, Json, Referee, kahuna, krakatoa, kula_kula, stonehenge

GAMES = int(os.environ.get("ARCHIPEL_LOCKSTEP_GAMES", "6"))

REFEREES: dict[str, Callable[..., Referee]] = {
    "kahuna": kahuna.Referee,
    "krakatoa": krakatoa.Referee,
    "kula_kula": kula_kula.Referee,
    "stonehenge": stonehenge.Referee,
}


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


# How the seats play: weights for the verbs, one map for each seat, so that rare states are reached

Habits = dict[str, float]

UNIFORM: Habits = {}
FIGHTER: Habits = {"bridge": 6, "cut": 9, "refill": 20, "discard": 0.2, "draw": 3, "pass": 0.3}
CUTTER: Habits = {"cut": 30, "bridge": 1.5, "refill": 9, "discard": 0.5, "draw": 6, "pass": 0.2}
BUILDER: Habits = {"bridge": 50, "draw": 1, "cut": 1, "discard": 0, "pass": 0}
IDLER: Habits = {"discard": 4, "draw": 3, "pass": 3, "bridge": 0, "cut": 0}
MINIMALIST: Habits = {"discard": 3, "draw": 3, "pass": 2, "bridge": 0.3, "cut": 0.3}
HOARDER: Habits = {"draw": 9, "pass": 1, "discard": 0.2, "bridge": 0.7, "cut": 2}
PUSHER: Habits = {"oracle": 5, "sail": 1, "draw": 1.5, "go": 1, "trade": 9, "stop": 0.5}
SAILOR: Habits = {"sail": 6, "oracle": 1, "go": 2, "draw": 1, "trade": 4, "stop": 1}
GAMBLER: Habits = {"oracle": 9, "sail": 0, "draw": 9, "go": 1, "trade": 1, "stop": 1}
CLAIMER: Habits = {"claim": 9, "place": 1, "done": 1}
DAWDLER: Habits = {"claim": 0.1, "place": 1, "done": 1}

HABITS: dict[str, list[list[Habits]]] = {
    "kahuna": [
        *([UNIFORM], [FIGHTER], [CUTTER], [HOARDER], [FIGHTER, MINIMALIST], [MINIMALIST, BUILDER]),
        *([BUILDER, IDLER], [MINIMALIST], [CUTTER, HOARDER], [UNIFORM, FIGHTER]),
    ],
    "krakatoa": [[UNIFORM]],
    "kula_kula": [[UNIFORM], [PUSHER], [SAILOR], [GAMBLER], [SAILOR, PUSHER]],
    "stonehenge": [[UNIFORM], [CLAIMER], [DAWDLER]],
}


def choose(rng: random.Random, habits: Habits, actions: Sequence[Json]) -> Json:
    weights = {verb: habits.get(verb, 1.0) for verb in {action["do"] for action in actions}}
    verbs = sorted(verb for verb in weights if weights[verb] > 0)
    if not habits or not verbs:
        return rng.choice(actions)
    verb = rng.choices(verbs, [weights[verb] for verb in verbs])[0]
    return rng.choice([action for action in actions if action["do"] == verb])


# The games that are played, and their options: by name, and some of them by chance

VARIANTS: list[tuple[str, Json]] = [
    *(
        ("kahuna", {"edition": edition, "guarded": guarded, "open_cards": open_cards})
        for edition in ("iello", "tilsit")
        for guarded in (False, True)
        for open_cards in (False, True)
    ),
    *(("krakatoa", {"players": players, "game": game}) for players in (2, 3, 4) for game in ("advanced", "basic")),
    *(("krakatoa", {"players": 4, "teams": True, "game": game}) for game in ("advanced", "basic")),
    *(("kula_kula", {"players": n, "return_home": home}) for n in (3, 4, 5) for home in (False, True)),
    *(("stonehenge", options) for options in ({}, {"hidden": True}, {"claims": "manual"})),
]

HANDICAPS = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [0, 2], [0, 3]]


def with_chosen_options(name: str, options: Json, rng: random.Random) -> Json:
    if name == "kahuna":
        rulings = {"sudden_end": rng.choice(["act", "state"]), "open_copy": rng.choice(["shown", "choose"])}
        return options | rulings | {"handicap": rng.choice(HANDICAPS)}
    if name == "kula_kula":
        board = rng.choice([None, None, small_board(rng, options["players"]), changed_board(rng)])
        rulings = {"toll": rng.choice(["before", "after"]), "dolphin": rng.choice(["before", "after"])}
        return options | rulings | {"board": board, "turn_limit": rng.choice([1, 2, 3, 8, 20, 50, 100])}
    return options


def changed_board(rng: random.Random) -> Json:
    """The printed ring with some of the facts around it changed."""
    changes: Json = {
        "oracle": random_deck(rng),
        "puka_supply": rng.choice([6, 7, 9, 15, 70]),
        "price": rng.randint(1, 4),
        "puka_limit_per_space": rng.randint(1, 4),
        "goal_kauri": {"3": rng.randint(1, 6), "4": rng.randint(1, 5), "5": rng.randint(1, 4)},
    }
    return {key: changes[key] for key in changes if rng.random() < 0.6}


def random_deck(rng: random.Random) -> Json:
    deck = {"boat": rng.randint(0, 4), "fish": rng.randint(0, 4), "idol": rng.randint(0, 3)}
    return deck if any(deck.values()) else {"boat": 1, "fish": 0, "idol": 0}


def small_board(rng: random.Random, players: int) -> Json:
    """A short ring, its numbers in any order, some of them on islands, on which boats meet all the time."""
    names = [f"Isle {letter}" for letter in "ABCDEFG"[: rng.randint(players, 7)]]
    spaces: list[Json] = [{"island": name, "kauri": rng.randint(0, 3)} for name in names]
    spaces += [{"number": number} for number in rng.sample(range(1, 30), rng.randint(1, 8))]
    for island, number in zip(spaces, rng.sample(range(30, 60), rng.choice([0, 0, 1, 3])), strict=False):
        island["number"] = number
    rng.shuffle(spaces)
    odd = sum(1 for space in spaces if space.get("number", 0) % 2 == 1)
    return changed_board(rng) | {
        "ring": [{"space": i} | space for i, space in enumerate(spaces)],
        "starts": {str(players): rng.choices(names, k=players) if rng.random() < 0.3 else rng.sample(names, players)},
        "puka_supply": odd + rng.choice([0, 1, 2, 5, 40]),
    }


# One game


@dataclass
class Lockstep:
    """The engine's state and the referee's, side by side."""

    name: str
    options: Json
    seed: str
    rng: random.Random = field(init=False)
    referee: Referee = field(init=False)
    state: Any = field(init=False)
    number: int = 0
    action: Json | None = None

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.referee = REFEREES[self.name](**self.options)
        self.state = archipel.game(self.name, **self.options).new()

    def expect(self, key: str, engine: Any, referee: Any) -> None:
        if engine != referee:
            pytest.fail(
                f"{self.name} {self.options!r}\nseed {self.seed!r}, after action {self.number}: {self.action!r}\n"
                f"{key}:\n  engine  {engine!r}\n  referee {referee!r}",
                pytrace=False,
            )

    def generator(self) -> np.random.Generator:
        return np.random.default_rng(self.rng.getrandbits(32))

    # Comparing

    def compare(self) -> None:
        snapshot = self.state.snapshot()
        for key, value in self.referee.snapshot().items():
            self.expect(key, snapshot.get(key, "(missing)"), value)
        self.expect("snapshot as JSON", json.loads(json.dumps(snapshot)), snapshot)
        self.expect("state.mover", self.state.mover, self.referee.mover)
        self.expect("state.scores", self.state.scores, snapshot["scores"])
        self.expect("state.winner", self.state.winner, snapshot["winner"])
        self.expect(
            "returns", [Fraction(r).limit_denominator(1000) for r in self.state.returns()], self.referee.returns()
        )
        self.compare_actions()
        if self.referee.mover == CHANCE:
            self.compare_chances()

    def compare_actions(self) -> None:
        legal = self.referee.legal()
        if legal is None:
            self.expect("actions()", self.refusal_to_list(self.state.actions), "too many")
            return
        actions = self.state.actions()
        self.expect("order of actions()", actions, sorted(set(actions)))
        ours = {canonical(action) for action in legal}
        theirs = {canonical(self.state.decode(action)) for action in actions}
        self.expect("legal (only one of them)", sorted(theirs - ours), sorted(ours - theirs))

    def compare_chances(self) -> None:
        chances = self.referee.chances()
        if chances is None:
            self.expect("chances()", self.refusal_to_list(self.state.chances), "too many")
            return
        theirs = {canonical(self.state.decode(outcome)): chance for outcome, chance in self.state.chances()}
        ours = {canonical(action): chance for action, chance in chances}
        self.expect("outcomes of chance", sorted(theirs), sorted(ours))
        for outcome, chance in ours.items():
            self.expect(f"chance of {outcome}", Fraction(theirs[outcome]).limit_denominator(10_000), chance)

    def refusal_to_list(self, listing: Callable[[], Any]) -> Any:
        try:
            return listing()
        except NotImplementedError:
            return "too many"

    # Playing

    def next_action(self, habits: list[Habits]) -> Json:
        if isinstance(self.referee, krakatoa.Referee) and self.referee.mover == CHANCE:
            if self.rng.random() < 0.2:
                landing: Json = self.state.decode(self.state.sample(self.generator()))
                self.expect(f"possible: {landing}", True, self.referee.may_land(landing))
                return landing
            return self.referee.random_landing(self.rng)
        legal = self.referee.legal()
        assert legal
        if self.referee.mover == CHANCE:
            return self.rng.choice(legal)
        return choose(self.rng, habits[self.referee.mover % len(habits)], legal)

    def play(self, action: Json) -> None:
        self.number += 1
        self.action = action
        number = self.state.encode(action)
        self.expect("decode(encode(action))", self.state.decode(number), action)
        self.state = self.state.after(number)
        self.referee.play(action)

    def play_to_the_end(self, habits: list[Habits]) -> None:
        self.compare()
        while self.referee.mover != OVER:
            if self.rng.random() < 0.15:
                self.refuse_strays()
            if self.rng.random() < 0.08:
                self.imagine()
            self.play(self.next_action(habits))
            self.compare()
        self.refuse_strays()

    # What is not legal is refused, and changes nothing

    def refuse_strays(self) -> None:
        before = self.state.snapshot()
        for action in (*self.strays(), *self.junk()):
            self.expect(f"refusal of {action!r}", self.refused(action), True)
            self.expect(f"state after the refusal of {action!r}", self.state.snapshot(), before)

    def strays(self) -> list[Json]:
        strays = [STRAYS[self.name](self.rng) for _ in range(6)]
        return [action for action in strays if not self.is_legal(action)]

    def is_legal(self, action: Any) -> bool:
        if self.referee.mover == CHANCE and isinstance(self.referee, krakatoa.Referee):
            return is_landing(self.referee, action)
        return canonical(action) in {canonical(legal) for legal in self.referee.legal() or []}

    def junk(self) -> list[Any]:
        """Things that are no actions at all."""
        junk: list[Any] = [None, [], "pass", 7, {}, {"do": None}, {"do": ["pass"]}, {"do": "dance"}, {"verb": "pass"}]
        if self.referee.mover != OVER:
            action = self.next_action([UNIFORM])
            junk += [{**action, "extra": 1}, [action], canonical(action)]
            for key in action:
                junk.append({k: v for k, v in action.items() if k != key})
                wrong: list[Any] = ["ATLANTIS", -1, None, 1.5, [action[key]], {}]
                junk += [{**action, key: value} for value in wrong]
        return [thing for thing in self.rng.sample(junk, 6) if not self.is_legal(thing)]

    def refused(self, action: Any) -> bool:
        try:
            self.state.after(self.state.encode(action))
        except archipel.IllegalAction as error:
            return error.reason != "" and error.rule.startswith(f"{self.name}.")
        except archipel.InvalidAction as error:
            return str(error) != ""
        return False

    # What a seat may know

    def imagine(self) -> None:
        """A world imagined from a view gives that view again, and keeps to what the seat has seen."""
        seat = self.rng.randrange(self.state.game.seats)
        view = self.state.view(seat)
        imagined = self.state.imagine(seat, self.generator())
        self.expect(f"view of seat {seat} in an imagined world", imagined.view(seat), view)
        if isinstance(self.referee, kula_kula.Referee):
            self.expect(f"Pukas counted by seat {seat}", view["pukas"], self.referee.pukas)
        if isinstance(self.referee, kahuna.Referee):
            self.expect(
                f"known to seat {seat}", view["known"][1 - seat], self.referee.seen(seat)["opponent_surely_holds"]
            )
            self.check_imagined_kahuna(seat, self.referee.seen(seat), imagined.snapshot())
        if isinstance(self.referee, stonehenge.Referee) and self.referee.hidden:
            self.check_imagined_stonehenge(seat, self.referee.seen(seat), imagined.snapshot())

    def check_imagined_kahuna(self, seat: int, seen: Json, imagined: Json) -> None:
        opponent = 1 - seat
        public = ("round", "mover", "bridges", "stones", "shown", "open", "discard", "scores", "passed", "last_turns")
        for key in public:
            self.expect(f"{key}, imagined by seat {seat}", imagined[key], self.referee.snapshot()[key])
        hand = Counter[str](imagined["hands"][opponent])
        dropped = Counter[str](imagined["hidden_discard"][opponent])
        holds = Counter[str](seen["opponent_surely_holds"])
        either = Counter[str](seen["opponent_holds_or_dropped"])
        told = {
            "hand": imagined["hands"][seat],
            "own_hidden_discard": imagined["hidden_discard"][seat],
            "deck_count": len(imagined["deck"]),
            "opponent_count": hand.total(),
            "opponent_hidden_count": dropped.total(),
        }
        for key, value in told.items():
            self.expect(f"{key}, imagined by seat {seat}", value, seen[key])
        self.expect(
            f"cards that the opponent surely holds but not in seat {seat}'s imagination", holds - hand, Counter()
        )
        missing = holds + either - hand - dropped
        self.expect(f"cards that the opponent took but neither holds nor dropped, says seat {seat}", missing, Counter())
        gone = Counter[str](seen["opponent_surely_dropped"]) - dropped
        self.expect(f"cards that the opponent surely dropped but not in seat {seat}'s imagination", gone, Counter())
        for drops, cards in seen["drops_since"].items():
            away = (Counter(cards) - (hand - holds)).total()
            self.expect(f"{away} of {cards} dropped with {drops} discards, imagined by {seat}", away <= drops, True)
        world = hand + dropped + Counter(seen["hand"] + seen["own_hidden_discard"] + imagined["deck"])
        world += Counter(imagined["open"] + imagined["discard"])
        self.expect(f"cards of the world that seat {seat} imagines", world, Counter(kahuna.ISLANDS * 2))

    def check_imagined_stonehenge(self, seat: int, seen: Json, imagined: Json) -> None:
        opponent = 1 - seat
        cells = imagined["cells"]
        self.expect(f"hand, imagined by seat {seat}", imagined["hands"][seat], seen["hand"])
        self.expect(f"opponent_hand, imagined by seat {seat}", len(imagined["hands"][opponent]), seen["opponent_hand"])
        known = {cell: druid for cell, druid in cells.items() if cell not in seen["face_down"]}
        self.expect(f"druids that seat {seat} knows", known, seen["known"])
        self.expect("owners of face-down druids", {cells[cell][0] for cell in seen["face_down"]} - {opponent}, set())
        unknown = imagined["hands"][opponent] + [cells[cell][1] for cell in seen["face_down"]]
        self.expect(f"druids that seat {seat} does not know", sorted(unknown), seen["opponent_unknown"])


# Actions that have the right words, mostly at the wrong time


def stray_kahuna(rng: random.Random) -> Json:
    card, other, line = rng.choice(kahuna.ISLANDS), rng.choice(kahuna.ISLANDS), rng.choice(kahuna.LINES)
    end, other_end = rng.choice(kahuna.ends(line)), rng.choice(kahuna.ends(line))
    strays: list[Json] = [
        {"do": "deal", "card": card},
        {"do": "bridge", "line": line},
        {"do": "bridge", "card": end, "line": line},
        {"do": "bridge", "card": card, "line": line},
        {"do": "cut", "cards": sorted([end, other_end]), "line": line},
        {"do": "cut", "cards": kahuna.ends(line)[::-1], "line": line},
        {"do": "cut", "cards": sorted([card, other]), "line": line},
        {"do": "cut", "cards": [end], "line": line},
        {"do": "refill"},
        {"do": "discard", "card": card},
        {"do": "discard", "card": card, "hidden": True},
        {"do": "bridge", "card": end, "line": line, "hidden": True},
        {"do": "cut", "cards": kahuna.ends(line), "line": line, "hidden": True},
        {"do": "cut", "cards": [end, end], "line": line, "hidden": True},
        {"do": "bridge", "card": end, "line": line, "hidden": False},
        {"do": "draw", "from": "deck"},
        {"do": "draw", "from": card},
        {"do": "pass"},
    ]
    return rng.choice(strays)


def stray_kula_kula(rng: random.Random) -> Json:
    kind, number = rng.choice(["boat", "fish", "idol", "shark"]), rng.randint(-1, 13)
    verbs = ["sail", "oracle", "draw", "go", "trade", "stop"]
    return rng.choice([{"do": rng.choice(verbs)}, {"do": "dolphin", "number": number}, {"do": "card", "card": kind}])


def stray_stonehenge(rng: random.Random) -> Json:
    druid, cell, line = rng.randint(0, 7), rng.choice(stonehenge.CELLS + "S"), rng.choice([*stonehenge.LINES, "BA"])
    return rng.choice([{"do": "place", "druid": druid, "cell": cell}, {"do": "claim", "line": line}, {"do": "done"}])


def stray_krakatoa(rng: random.Random) -> Json:
    faces = " ".join(krakatoa.random_set(rng, rng.choice(krakatoa.STYLES)) for _ in range(3))
    thrown, aimed = rng.choice([*krakatoa.SETS, "mud"]), rng.choice(krakatoa.SETS)
    strays: list[Json] = [
        {"do": "keep"},
        {"do": "reroll"},
        {"do": "throw", "set": thrown, "at": f"{aimed}{rng.randint(0, 4)}"},
        {"do": "land", "faces": faces},
        {"do": "land", "faces": faces[:3]},
        {"do": "land", "faces": faces[:7]},
        {"do": "land", "faces": "G" + faces[1:], "touched": True},
        {"do": "land", "faces": faces, "touched": True},
        {"do": "land", "faces": faces, "touched": False},
        {"do": "land", "faces": faces, "touched": rng.choice([0, 1, None, "true"])},
    ]
    return rng.choice(strays)


def is_landing(referee: krakatoa.Referee, action: Any) -> bool:
    """Is it written as the landing that is due, and can the dice fall so?"""
    if not isinstance(action, dict) or action.get("do") != "land" or not isinstance(action.get("faces"), str):
        return False
    aimed = referee.phase == "land" and referee.throw > 1
    sets = 1 if referee.phase == "throwoff" else 3
    written = action["faces"].split(" ")
    well_written = len(written) == sets and all(len(letters) == 3 and set(letters) <= set("YRB") for letters in written)
    if not well_written or set(action) != ({"do", "faces", "touched"} if aimed else {"do", "faces"}):
        return False
    return (not aimed or isinstance(action["touched"], bool)) and referee.may_land(action)


STRAYS: dict[str, Callable[[random.Random], Json]] = {
    "kahuna": stray_kahuna,
    "krakatoa": stray_krakatoa,
    "kula_kula": stray_kula_kula,
    "stonehenge": stray_stonehenge,
}


def play_in_lockstep(name: str, variant: Json, game: int) -> Lockstep:
    seed = f"{name} {canonical(variant)} {game}"
    options = with_chosen_options(name, variant, random.Random(f"options of {seed}"))
    habits = random.Random(f"habits of {seed}").choice(HABITS[name])
    lockstep = Lockstep(name, options, seed)
    lockstep.play_to_the_end(habits)
    return lockstep


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=lambda value: str(value).strip("{}"))
def test_the_engine_and_the_referee_agree(name: str, variant: Json) -> None:
    for game in range(GAMES):
        play_in_lockstep(name, variant, game)
