"""The bot that aims: what it thinks turning is worth, and what it aims at."""

from typing import Any

import numpy as np
import pytest

import archipel
from archipel import State
from archipel.bots import Budget
from archipel.games.krakatoa.board import COPIES, DICE, FACES, OTHER_TURNS, SCRATCH, TARGET_TURNS
from archipel.games.krakatoa.bot import aiming
from archipel.games.krakatoa.bot.aiming import AimingBot, Judgement, turn, turned_letters
from archipel.games.krakatoa.bot.exact import player
from archipel.games.krakatoa.dice import Aim, Model, Tray
from archipel.games.krakatoa.dice.aiming import Hand, candidates, plans
from archipel.games.krakatoa.dice.model import SUBSETS, subsets
from archipel.games.krakatoa.dice.shape import LETTER
from archipel.games.krakatoa.dice.tray import to_the_rim


def about_to_throw(dice: str, throw: int = 5, **options: Any) -> State:
    game = archipel.game("krakatoa", **options)
    boxes = 3 if game.options["game"] == "advanced" else 0
    position = {
        "game": "krakatoa",
        "phase": "throw",
        "round": 3,
        "throw": throw,
        "order": [0, 1],
        "dice": dice,
        "totals": [152, 120],
        "marks": [["", ""], ["", ""]],
        "boxes_left": boxes,
    }
    return game.restore(position)


BASIC = about_to_throw("YYY RRB BBB", game="basic")
TRAY = Tray.laid("YYY RRB BBB")


@pytest.mark.parametrize("goal", ["points", "chances"])
@pytest.mark.parametrize("state", [BASIC, about_to_throw("YYR RRB BYB", 4)], ids=["basic", "advanced"])
def test_turning_is_worth_what_the_exact_odds_say(state: State, goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the engine's own chances in the place of the tray's, the two must agree."""
    fresh = np.array(COPIES) - np.eye(3)[LETTER]
    monkeypatch.setattr(aiming, "turned_letters", lambda: fresh / (FACES - 1))
    tray = Tray.laid(state.snapshot()["dice"])
    judgement = Judgement(turn(state, goal))
    for action, exact in getattr(player, goal)(state).items():
        said = state.decode(action)
        table = [die for die in DICE if not die.startswith(said["set"])]
        chance = np.array([TARGET_TURNS if die == said["at"] else OTHER_TURNS for die in table]) / (1 - SCRATCH)
        worth = judgement.worth(tray, said["set"])
        expected = (1 - SCRATCH) * subsets(chance) @ worth.turned + SCRATCH * worth.scratch
        assert expected == pytest.approx(exact, rel=1e-4, abs=1e-4)


def test_a_die_that_turns_shows_another_face() -> None:
    letters = turned_letters()
    assert letters.sum(1) == pytest.approx(1, abs=1e-5)
    assert (letters[LETTER == 0, 0] < 3 / 12).all()


def test_a_krakatoa_is_spared() -> None:
    worth = Judgement(turn(BASIC, "points")).worth(TRAY, "lava")
    assert worth.turned[[1, 2, 4]].max() < worth.turned[0] < worth.turned[0b100000]
    best = plans("lava", TRAY, worth, np.random.default_rng(1), count=300)[0]
    chances = Model().chances(best.table, [Aim(*best.aim.tolist())])
    assert chances.turn[0, 3:].sum() > 5 * chances.turn[0, :3].sum()


def test_a_shot_can_be_thrown() -> None:
    state = about_to_throw("YYR RRB BYB", 2)
    tray = Tray.laid("YYR RRB BYB")
    bot = AimingBot(Budget(simulations=3), Hand(1.0), 60, "points")
    shot, again = (bot.aim(state.view(0), tray, np.random.default_rng(8)) for _ in range(2))
    assert shot == again
    after = state.after(shot.action)
    landing = Model().throw(after, shot.aim, np.random.default_rng(2), tray).landing
    assert after.is_legal(landing)


def test_it_also_plays_from_a_view_alone() -> None:
    bot = AimingBot(None, aims=40, goal="points")
    assert BASIC.is_legal(bot.choose(BASIC.view(0), np.random.default_rng(1)))
    krakatoas = BASIC.game.restore(BASIC.snapshot() | {"phase": "decide", "throw": 1, "dice": "YYY YYY YYY"})
    assert krakatoas.notation(bot.choose(krakatoas.view(0), np.random.default_rng(1))) == "keep"


def test_throws_in_the_head_are_counted() -> None:
    bot = AimingBot(Budget(simulations=7), aims=30, goal="points")
    finalists = bot.ranked(BASIC, TRAY, np.random.default_rng(1))
    aiming._refine(finalists, bot.hand, Budget(simulations=7), np.random.default_rng(1))
    assert [len(plan.tried) for plan in finalists] == [2, 1, 1, 1, 1, 1]
    assert finalists[0].outlook == pytest.approx((8 * finalists[0].value + sum(finalists[0].tried)) / 10)


def test_a_hand_shakes_within_the_tray() -> None:
    rng = np.random.default_rng(1)
    aims = candidates(np.array([[17.0, 0.0], [0.0, 0.0]]), 200, rng)
    shaken = Hand(2.0).shaken(aims, rng)
    assert (shaken[:, 2:] == aims[:, 2:]).all()
    assert np.std(shaken[:, :2] - aims[:, :2]) == pytest.approx(2, abs=0.4)
    assert min(to_the_rim(x, y) for x, y in shaken[:, :2]) >= 0
    assert [Aim(*row) for row in shaken.tolist()]
    assert (Hand().shaken(aims, rng) == aims).all()


def test_a_shaky_hand_expects_less() -> None:
    worth = Judgement(turn(BASIC, "points")).worth(TRAY, "lava")
    steady, shaky = (plans("lava", TRAY, worth, np.random.default_rng(3), Hand(error), 200)[0] for error in (0.0, 2.0))
    assert shaky.value < steady.value
    assert SUBSETS.shape == (64, 6)
