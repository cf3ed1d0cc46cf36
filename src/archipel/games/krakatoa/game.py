"""Krakatoa's implementation of the contract: options, action names, snapshots, views."""

from collections.abc import Mapping
from typing import Any

from archipel.core import options, reading
from archipel.core.errors import quoted, sentence
from archipel.core.game import Game, Longest
from archipel.core.rules import CHANCE
from archipel.core.state import State
from archipel.core.vocabulary import Vocabulary

from . import notation, picture, sheet
from .board import BEST_THROW, BOXES, POINTS, ROUNDS, SETS, THROWS, TOUCHES, TURNS, WRITTEN
from .rules import (
    ACTIONS,
    AIM,
    DECIDE,
    DONE,
    FREE,
    LAND,
    MARKS,
    PHASES,
    RULES,
    TARGETS,
    THROW,
    THROWOFF,
    Position,
    Setup,
    eruption,
    finish,
    set_due,
    show,
    side_of,
    thrower,
    thrower_of,
    throws_on,
    wait,
)


class Krakatoa(Game):
    """Nine dodecahedra are thrown at each other; the highest total after six rounds wins."""

    name = "krakatoa"
    title = "Krakatoa"
    OPTIONS = (
        options.choice("players", (2, 3, 4), "how many play"),
        options.flag("teams", "four play as partners, seats 0 and 2 against 1 and 3"),
        options.choice("game", ("advanced", "basic"), "with marks and bonus boxes, or without"),
    )
    rules = RULES
    action_count = ACTIONS

    def set_up(self, facts: Setup) -> int:
        players: int = self.options["players"]
        if self.options["teams"] and players != 4:
            raise ValueError("krakatoa: option 'teams' needs 'players' to be 4.")
        facts.seats = players
        self.sides: int = 2 if self.options["teams"] else players
        """The number of totals: one per seat, or one per team."""
        facts.sides = self.sides
        facts.advanced = self.options["game"] == "advanced"
        facts.touches = TOUCHES
        facts.turns[:] = TURNS
        return players

    @property
    def perfect_information(self) -> bool:
        return True

    @property
    def longest(self) -> Longest:
        """A decision for each throw; ties of the throw-off may go on for ever."""
        return Longest(ROUNDS * THROWS * self.sides + (BOXES if self.options["game"] == "advanced" else 0))

    def vocabulary(self, state: State) -> Vocabulary:
        if state.mover != CHANCE:
            return notation.THROWS
        s = state.plain
        if s.phase == THROWOFF:
            return notation.THROWN_OFF
        return notation.ALL_NINE if s.aim < 0 else notation.AIMED

    # Refusals.

    def why_not(self, s: Position, action: int) -> tuple[str, str]:
        if s.mover == CHANCE:
            return self._why_not_still(s, action // 2)
        if action < THROW:
            return "first-throw", "Only the first throw of your turn may be kept or thrown again."
        if s.phase == DECIDE:
            return "first-throw", "All nine have landed: keep them or reroll them before you throw a set."
        due, meant = SETS[set_due(s)], SETS[(action - THROW) // TARGETS]
        return "throws", sentence("Throw {n} is with {due}, not with {meant}.", n=s.throw_no, due=due, meant=meant)

    def _why_not_still(self, s: Position, faces: int) -> tuple[str, str]:
        for k, shows in enumerate(notation.write(faces).split()):
            before = WRITTEN[s.dice[k]]
            if k != s.aim // TARGETS and sorted(shows) != sorted(before):
                break
        template = "A throw that touched nothing leaves the table as it was: {set} still shows {before}."
        return "scratch", sentence(template, set=SETS[k], before=before)

    # Snapshots.

    def scores(self, s: Position) -> list[int]:
        return [s.totals[seat % self.sides] for seat in range(self.seats)]

    def public(self, s: Position) -> dict[str, Any]:
        return {
            "phase": PHASES[s.phase],
            "round": s.round_no,
            "throw": s.throw_no,
            "order": list(s.order[: s.throwers]),
            "thrower": s.order[s.turn],
            "rerolled": bool(s.rerolled),
            "aim": _aim(s),
            "dice": _written(s) if s.dice[0] >= 0 else None,
            "throwoff": [WRITTEN[fall] if fall >= 0 else None for fall in s.throwoff[: self.sides]],
            "totals": list(s.totals[: self.sides]),
            "marks": [[MARKS[mark] for mark in pair] for pair in s.marks[: self.sides]],
            "boxes_left": s.boxes,
        }

    def private(self, s: Position) -> dict[str, Any]:
        return {}

    def seen(self, s: Position, seat: int | None) -> dict[str, Any]:
        return {}

    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    # Reading snapshots. What follows from the rest is computed, not read: `restore` compares it.

    def fill(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        self._fill_moment(s, snapshot)
        self._fill_order(s, snapshot)
        self._fill_thrower(s, snapshot)
        if s.phase == THROWOFF:
            self._fill_throwoff(s, snapshot)
            return
        self._fill_dice(s, snapshot)
        self._fill_boxes(s, snapshot)
        self._fill_totals(s, reading.field(snapshot, "totals"))
        if self.options["game"] == "advanced":
            self._fill_marks(s, reading.field(snapshot, "marks"))
            self._check_bonus(s)
        self._fill_mover(s)

    def _fill_moment(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        """The phase, the round and the throw."""
        phase = s.phase = reading.one_of(reading.field(snapshot, "phase"), PHASES, "phase")
        rounds = {THROWOFF: (0, 0), DONE: (ROUNDS, ROUNDS)}.get(phase, (1, ROUNDS))
        s.round_no = reading.whole(reading.field(snapshot, "round"), *rounds, "round")
        last = THROWS + (self._all_boxes if s.round_no == ROUNDS else 0)
        throws = {THROWOFF: (0, 0), DECIDE: (1, 1), AIM: (2, last), LAND: (1, last), DONE: (THROWS, last)}
        s.throw_no = reading.whole(reading.field(snapshot, "throw"), *throws[phase], "throw")

    @property
    def _all_boxes(self) -> int:
        return BOXES if self.options["game"] == "advanced" else 0

    def _fill_order(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        order = reading.items(reading.field(snapshot, "order"), None, "order")
        seats = [reading.whole(seat, 0, self.seats - 1, "order") for seat in order]
        if seats not in self._orders(s, seats):
            when = f"round {s.round_no}" if s.round_no else "the throw-off"
            raise ValueError(f"The order of {when} cannot be {seats}.")
        s.throwers = len(seats)
        s.order[:] = seats + [-1] * (4 - len(seats))

    def _orders(self, s: Position, seats: list[int]) -> list[list[int]]:
        """The possible orders; in the opening roll any two or more seats, ascending."""
        if s.phase == THROWOFF:
            return [[seat for seat in range(self.sides) if seat in seats]] if len(seats) > 1 else []
        line = [int(thrower_of(self.facts[0], s.round_no, side)) for side in range(self.sides)]
        return [line[k:] + line[:k] for k in range(self.sides)]

    def _fill_thrower(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        order = s.order[: s.throwers].tolist()
        usual = snapshot.get("mover", order[0]) if s.phase in (DECIDE, AIM) else order[0]
        s.turn = reading.one_of(snapshot.get("thrower", usual), order, "thrower") if s.phase != DONE else len(order) - 1

    def _fill_throwoff(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        waiting = s.order[s.turn : s.throwers].tolist()
        falls = reading.items(snapshot.get("throwoff", [None] * self.sides), self.sides, "throwoff")
        fresh = s.throwers == self.sides and all(falls[seat] is None for seat in waiting)
        for side, fall in enumerate(falls):
            if not (fresh and side in waiting):
                s.throwoff[side] = reading.one_of(fall, WRITTEN, "throwoff")
        if not fresh and len({int(POINTS[s.throwoff[seat]]) for seat in waiting}) > 1:
            raise ValueError("Only seats that are level throw again in the throw-off.")

    def _fill_dice(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        if s.phase == LAND and s.throw_no == 1:
            s.rerolled = reading.flag(snapshot.get("rerolled", False), "rerolled")
            return
        dice = reading.field(snapshot, "dice")
        faces = notation.read(dice, len(SETS))
        if faces is None:
            raise ValueError(f"The snapshot's dice must be written like 'YYB YRR RRR', not {quoted(dice)}.")
        show(s, faces)
        if s.phase == LAND:
            self._fill_aim(s, reading.mapping(reading.field(snapshot, "aim"), "aim"))

    def _fill_aim(self, s: Position, aim: dict[str, Any]) -> None:
        s.aim = reading.one_of((aim.get("set"), aim.get("at")), notation.AIMS, "aim")
        if set_due(s) not in (FREE, s.aim // TARGETS):
            raise ValueError(f"Throw {s.throw_no} is with {SETS[set_due(s)]}, not with {aim['set']}.")

    def _fill_boxes(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        most = self._all_boxes - self._bonus_throws(s)
        if s.round_no == ROUNDS and s.turn > 0:
            s.boxes = reading.whole(reading.field(snapshot, "boxes_left"), 0, most, "boxes_left")
        else:
            s.boxes = most

    def _bonus_throws(self, s: Position) -> int:
        """How many bonus throws the thrower has made in this turn."""
        return max(0, _thrown(s) - THROWS)

    def _fill_totals(self, s: Position, totals: Any) -> None:
        best = BEST_THROW * (4 if self.options["game"] == "advanced" else 1)
        for side, total in enumerate(reading.items(totals, self.sides, "totals")):
            s.totals[side] = reading.whole(total, 0, best * self._throws_of(s, side), "totals")
        fresh = s.order[int(s.turn) + (_thrown(s) > 0) : s.throwers].tolist()
        for seat in fresh:
            if s.totals[seat % self.sides] > s.totals[s.order[0] % self.sides]:
                raise ValueError(f"Seat {seat} leads on totals and should have begun round {s.round_no}.")

    def _throws_of(self, s: Position, side: int) -> int:
        """How many throws the side can have made so far."""
        place = [seat % self.sides for seat in s.order[: s.throwers].tolist()].index(side)
        complete = THROWS + self._all_boxes - int(s.boxes)
        now = _thrown(s) if place == s.turn else complete if place < s.turn else 0
        return THROWS * (int(s.round_no) - 1) + now

    def _fill_marks(self, s: Position, marks: Any) -> None:
        for side, pair in enumerate(reading.items(marks, self.sides, "marks")):
            soon, later = (reading.one_of(mark, MARKS, "marks") for mark in reading.items(pair, 2, "marks"))
            if later > soon or (later and not self._throws_of(s, side)):
                raise ValueError(
                    "A mark for the throw after next comes from an eruption, which marks the next one too."
                )
            s.marks[side] = soon, later
        later = s.marks[side_of(self.facts[0], thrower(s)), 1]
        if _thrown(s) and later != eruption(s) and (later or _thrown(s) == 1):
            raise ValueError(f"The dice show {_written(s)}: that does not earn the mark for the throw after next.")

    def _check_bonus(self, s: Position) -> None:
        """A bonus throw needs a mark and a box; and a player who has both must use them."""
        if s.throw_no > THROWS and s.phase != DONE and not throws_on(self.facts[0], s):
            raise ValueError("A bonus throw needs a mark and a box that is left.")
        finished = s.order[: int(s.turn) + (s.phase == DONE)].tolist() if s.round_no == ROUNDS and s.boxes else []
        for seat in finished:
            if s.marks[seat % self.sides, 0]:
                raise ValueError(f"Seat {seat} has a mark and must use a bonus box first.")

    def _fill_mover(self, s: Position) -> None:
        if s.phase == DONE:
            finish(self.facts[0], s)
        elif s.phase == LAND:
            wait(s)
        else:
            s.mover = thrower(s)

    def written(self, before: State, action: int, after: State) -> dict[str, Any] | None:
        return sheet.box(before, action, after, self.sides)

    def text(self, shown: Mapping[str, Any]) -> str:
        return picture.text(shown)

    def svg(self, shown: Mapping[str, Any]) -> str:
        return picture.svg(shown)


def _thrown(s: Position) -> int:
    """How many throws of this turn are on the score sheet."""
    return int(s.throw_no) - int(s.phase != DONE)


def _written(s: Position) -> str:
    return " ".join(WRITTEN[fall] for fall in s.dice)


def _aim(s: Position) -> dict[str, str] | None:
    if s.aim < 0:
        return None
    name, die = notation.AIMS[s.aim]
    return {"set": name, "at": die}
