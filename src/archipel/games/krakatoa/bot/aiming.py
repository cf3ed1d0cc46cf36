"""A bot that aims Krakatoa's dice: it computes which dice are worth turning, and looks for an aim that turns those.

It needs the positions of the dice, and returns an aim with the action; so `aim` takes the tray. With a view alone it
assumes that the dice are laid out in rows. Its level consists of the steadiness of its hand, the number of aims it
considers and the number of throws it simulates.
"""

from itertools import cycle
from typing import NamedTuple

import numpy as np

from archipel.bots import View
from archipel.bots.budget import Budget, Meter
from archipel.bots.worlds import imagined
from archipel.core.state import State
from archipel.games.krakatoa.board import FALLS, LETTERS, SETS
from archipel.games.krakatoa.bot.exact.faces import BAG, BAGS, TABLES, marked
from archipel.games.krakatoa.bot.exact.player import Turn, for_points, to_win
from archipel.games.krakatoa.bot.exact.throws import landed
from archipel.games.krakatoa.dice.aim import NARROWEST, USUAL, Aim, have_room
from archipel.games.krakatoa.dice.aiming import AIMS, STEADY, Hand, Plan, Worth, plans
from archipel.games.krakatoa.dice.model import SUBSETS, fit
from archipel.games.krakatoa.dice.shape import LETTER, RING, Floats
from archipel.games.krakatoa.dice.tray import Tray, set_of
from archipel.games.krakatoa.rules import DECIDE, side_of, thrower

DEFAULT = Budget(simulations=48)
"""Simulated throws: about two seconds."""

_IN_BAG = (BAG[:, None] == np.arange(len(BAGS))).astype(float)
_KINDS = len(BAGS)
_SIDES = 64
"""How many directions are tried until one leaves room for the hand."""


class Shot(NamedTuple):
    """An action, with its aim if it is a throw."""

    action: int
    aim: Aim | None


def turn(state: State, goal: str) -> Turn:
    """The rest of the thrower's turn: valued as a win chance, or in points, which is faster."""
    return for_points(state) if goal == "points" else to_win(state)


class Judgement:
    """The values of landings in a position."""

    def __init__(self, now: Turn) -> None:
        after = now.after()
        shape = (_KINDS,) * len(SETS)
        touched = np.empty(TABLES)
        landed(now.sheet.worth, now.sheet.earned, after, now.marks, now.total, now.tally, now.endless, touched)
        self._touched = touched.reshape(shape)
        later = now.s.marks[side_of(now.facts, thrower(now.s)), 1]  # a scratch uses up its mark and earns none
        self._scratched = after[marked(later, 0), :, now.tally].reshape(shape)
        self._thrown = now.sheet.model.thrown

    def worth(self, tray: Tray, thrown: str) -> Worth:
        """The value of a throw of this set, by which of the other dice turn."""
        k = SETS.index(thrown)
        first, second = (_by_subset(tray, name) for name in SETS if name != thrown)
        touched, scratched = (np.tensordot(self._thrown, worths, (0, k)) for worths in (self._touched, self._scratched))
        turned = first @ touched @ second.T
        return Worth(turned.T.ravel(), float(first[0] @ scratched @ second[0]))


def _by_subset(tray: Tray, name: str) -> Floats:
    """For each subset of a set's dice that turn, the probabilities of the bags that it then shows."""
    faces = [lie.face for die, lie in tray.lies.items() if set_of(die) == name]
    still, turned = np.eye(len(LETTERS))[LETTER[faces]], turned_letters()[faces]
    a, b, c = np.moveaxis(np.where(SUBSETS[:8, :3, None], turned, still), 1, 0)
    bags: Floats = np.einsum("si,sj,sk->sijk", a, b, c).reshape(-1, FALLS) @ _IN_BAG
    return bags


def turned_letters() -> Floats:
    """By the face that a die shows, the probabilities of its letters after it has turned."""
    rings = np.concatenate([[0.0], fit().rings / [5, 5, 1]])
    letters: Floats = rings[RING] @ np.eye(len(LETTERS))[LETTER]
    return letters


class AimingBot:
    """Ranks aims with the model and refines the best with physics.

    A budget is a number of simulated throws; without one there are none. The goal is a better win chance (`chances`) or
    more `points`, which is faster to compute.
    """

    def __init__(
        self, budget: Budget | None = DEFAULT, hand: Hand = STEADY, aims: int = AIMS, goal: str = "chances"
    ) -> None:
        self.budget = budget
        self.hand = hand
        self.aims = aims
        self.goal = goal

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        (state,) = imagined(view, rng)
        if state.record.phase == DECIDE:
            return self._decide(state)
        tray = Tray.laid(view["dice"])
        best = self.ranked(state, tray, rng)[0]
        return Aim(*best.aim.tolist()).action(state, tray, best.thrown)

    def aim(self, view: View, tray: Tray, rng: np.random.Generator, budget: Budget | None = None) -> Shot:
        """The best decision, or the best throw as the bot's hand makes it."""
        (state,) = imagined(view, rng)
        if state.record.phase == DECIDE:
            return Shot(self._decide(state), None)
        finalists = self.ranked(state, tray, rng)
        if meant := budget or self.budget:
            _refine(finalists, self.hand, meant, rng)
        best = max(finalists, key=lambda plan: plan.outlook)
        aim = best.taken(self.hand, rng)
        return Shot(aim.action(state, tray, best.thrown), aim)

    def anyhow(self, view: View, tray: Tray, rng: np.random.Generator) -> Shot:
        """A throw straight at any die, from any side, as the bot's hand makes it."""
        (state,) = imagined(view, rng)
        action = state.decode(int(rng.choice(state.actions())))
        lie = tray.lies[action["at"]]
        sides = np.array([[lie.x, lie.y, side, USUAL, NARROWEST] for side in rng.uniform(0, 360, _SIDES)])
        meant = sides[have_room(sides).argmax()]
        aim = Aim(*self.hand.shaken(meant[None], rng)[0].tolist())
        return Shot(aim.action(state, tray, action["set"]), aim)

    def _decide(self, state: State) -> int:
        worths = turn(state, self.goal).worths(state.actions())
        return max(worths, key=worths.__getitem__)

    def ranked(self, state: State, tray: Tray, rng: np.random.Generator) -> list[Plan]:
        """The most promising aims with any set that may be thrown, the best first."""
        judgement = Judgement(turn(state, self.goal))
        sets = dict.fromkeys(state.decode(action)["set"] for action in state.actions())
        found = [
            plan
            for thrown in sets
            for plan in plans(thrown, tray, judgement.worth(tray, thrown), rng, self.hand, self.aims)
        ]
        return sorted(found, key=lambda plan: -plan.value)[: len(found) // len(sets)]


def _refine(finalists: list[Plan], hand: Hand, budget: Budget, rng: np.random.Generator) -> None:
    """Simulate each in turn until the budget is used up."""
    meter = Meter(budget)
    for plan in cycle(finalists):
        if meter.portion() <= 0:
            return
        plan.try_out(hand, rng)
        meter.spent += 1
