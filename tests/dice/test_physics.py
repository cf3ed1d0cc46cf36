"""Dice as rigid bodies: at rest, flat, in the tray; judged as the rules say; the same in every process."""

import subprocess
import sys

import numpy as np
import pytest

import archipel
from archipel import IllegalAction, InvalidAction, State
from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.dice import Aim, InvalidAim, Physics, Trajectory, Tray
from archipel.games.krakatoa.dice.physics import Fall, Settled, engine, simulate
from archipel.games.krakatoa.dice.recipe import random_aim
from archipel.games.krakatoa.dice.shape import INRADIUS, lying, tilts, times, tops
from archipel.games.krakatoa.dice.thrower import Occasion, is_touched
from archipel.games.krakatoa.dice.tray import Lie, to_the_rim

from . import OPTIONS, landing, throws

LAID = Tray.laid("YRB RRB RBB")
STEAM, ASH, LAVA = DICE[:3], DICE[3:6], DICE[6:]


def aimed(aim: Aim, seed: int = 0, table: Tray = LAID) -> Settled:
    return simulate(Occasion(STEAM, table.without(STEAM), aim), np.random.default_rng(seed))


def check(settled: Settled) -> None:
    """At rest, flat on the table, in the tray all the time, and the replay ends where the dice lie."""
    assert settled.at_rest
    final = settled.frames[-1]
    assert np.degrees(tilts(final[:, 3:])).max() < 0.01
    assert final[:, 2] == pytest.approx(INRADIUS)
    assert tops(final[:, 3:]).tolist() == [lie.face for lie in settled.tray.lies.values()]
    assert min(to_the_rim(*pose[:2]) for frame in settled.frames for pose in frame) > INRADIUS - 0.1
    # By hand only what the tap could not lay flat; the step from the last frame of the fall is no jump else.
    if not settled.by_hand:
        assert np.abs(settled.frames[-2, :, :3] - final[:, :3]).max() < 0.1
        assert np.degrees(tilts(settled.frames[-2, :, 3:])).max() < 2


def test_hundreds_of_throws_end_flat_in_the_tray() -> None:
    rng = np.random.default_rng(6)
    thrown = []
    for _ in range(70):
        thrown.append(simulate(Occasion(DICE, Tray({}), None), rng))
        for hand in (ASH, LAVA):
            table = thrown[-1].tray.without(hand)
            aim = random_aim(table, rng)
            thrown.append(simulate(Occasion(hand, table, aim), rng))
    for settled in thrown:
        check(settled)
    assert any(settled.cocked for settled in thrown)
    assert any(not settled.touched for settled in thrown)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_landing_is_one_that_the_game_takes(options: dict[str, object]) -> None:
    state = archipel.game("krakatoa", **options).new()
    made = throws(Physics(), state, np.random.default_rng(2), 14)
    assert len(made) == 14
    for before, _, throw in made:
        assert before.is_legal(throw.landing)
        assert throw.tray
        assert throw.tray.written == before.decode(throw.landing)["faces"]


def test_a_bonus_throw_lands_too() -> None:
    state = landing("ash>lava1", round=6, throw=6, totals=[260, 120], marks=[["xx", ""], ["", ""]])
    throw = Physics().throw(state, Aim.at(LAID, "lava1", 90.0), np.random.default_rng(1), LAID)
    assert state.after(throw.landing).snapshot()["boxes_left"] == 2


def test_the_throw_off_is_with_three_dice() -> None:
    state = archipel.game("krakatoa").new()
    throw = Physics().throw(state, None, np.random.default_rng(1))
    assert throw.tray
    assert throw.trajectory
    assert tuple(throw.tray.lies) == Trajectory.decode(throw.trajectory).dice == STEAM
    assert state.notation(throw.landing) == throw.tray.written


def test_the_replay_begins_where_the_dice_lay_and_ends_where_they_lie() -> None:
    state = landing("steam>ash1")
    aim = Aim.at(LAID, "ash1", 10.0)
    throw = Physics().throw(state, aim, np.random.default_rng(4), LAID)
    assert throw.tray
    assert throw.trajectory
    shown = Trajectory.decode(throw.trajectory).poses
    assert shown[0, 3:, :2] == pytest.approx(LAID.poses[3:, :2])
    assert shown[0, 1, :3] == pytest.approx(aim.hand[1], abs=0.06)
    assert shown[-1, :, :2] == pytest.approx(throw.tray.poses[:, :2])


_SCRIPT = """
import hashlib, numpy
from archipel.games.krakatoa.dice import Aim, Physics, Tray
from tests.dice import landing
digest = hashlib.sha256()
for seed in range(3):
    throw = Physics().throw(landing("steam>ash1"), Aim(-4.0, 0.1, 70.0, 150.0), numpy.random.default_rng(seed))
    digest.update(throw.trajectory + str((throw.landing, throw.tray.json())).encode())
print(digest.hexdigest())
"""


def test_the_same_throw_gives_the_same_bytes_in_two_processes() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", _SCRIPT], check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 65


def test_the_generator_decides_the_throw() -> None:
    aim = Aim.at(LAID, "ash1", 10.0)
    one, again, other = (aimed(aim, seed) for seed in (1, 1, 2))
    assert (one.frames == again.frames).all()
    assert one.tray != other.tray


# What touched.


def test_a_throw_into_the_void_is_a_scratch_and_moves_nothing() -> None:
    settled = aimed(Aim(12.0, 12.0, 45.0, 40.0))
    assert not settled.touched
    assert settled.tray.without(STEAM) == LAID.without(STEAM)


def test_a_hard_throw_at_a_die_touches() -> None:
    verdicts = [aimed(Aim.at(LAID, "ash2", 0.0, 200.0), seed) for seed in range(5)]
    assert sum(settled.touched for settled in verdicts) >= 4
    assert any(settled.turned[1] for settled in verdicts)


@pytest.mark.parametrize(
    ("turned", "moved", "touched"),
    [
        ([False] * 6, [0.0] * 5 + [1.26], False),
        ([False] * 6, [0.0] * 5 + [1.28], True),
        ([False, True], [0, 0.1], True),
    ],
)
def test_half_an_inch_or_a_turn_is_a_touch(turned: list[bool], moved: list[float], touched: bool) -> None:
    assert is_touched(np.array(turned), moved) is touched


def test_a_cocked_die_is_tapped_flat_and_keeps_its_face() -> None:
    tip = np.array([np.cos(0.2), np.sin(0.2), 0, 0])
    poses = Tray({"ash1": Lie(0, 0, 2, 0.0), "ash2": Lie(4, 0, 5, 0.0), "ash3": Lie(8, 0, 5, 0.0)}).poses
    leaning = poses.copy()
    leaning[0, 3:] = times(tip, lying(2, 0.0))
    leaning[0, 2] += 0.3
    fall = Fall.begin(leaning, np.zeros((3, 6)))
    assert fall.cocked.tolist() == [True, False, False]
    fall.tap()
    assert not fall.cocked.any()
    assert tops(fall.poses[:, 3:]).tolist() == [2, 5, 5]


# Refusals.


def refused(state: State, aim: Aim | None, tray: Tray | None, why: str) -> None:
    before, lies = state.snapshot(), tray and tray.json()
    rng = np.random.default_rng(1)
    drawn = rng.bit_generator.state
    with pytest.raises((InvalidAim, InvalidAction, IllegalAction), match=why):
        Physics().throw(state, aim, rng, tray)
    assert state.snapshot() == before
    assert (tray and tray.json()) == lies
    assert rng.bit_generator.state == drawn


def test_a_throw_that_cannot_be_is_refused_and_nothing_moves() -> None:
    state, aim = landing("steam>ash1"), Aim.at(LAID, "ash1", 10.0)
    refused(state, None, LAID, "This throw needs an aim")
    refused(state, Aim.at(LAID, "ash2", 10.0), LAID, "You aim at ash1, but ash2 is nearer")
    refused(
        state, aim, Tray.laid("YRB RRB RBR"), "The dice in the tray show YRB RRB RBR, but the game says YRB RRB RBB"
    )
    refused(state, aim, LAID.without(STEAM), "The dice in the tray show RRB RBB, but")
    refused(landing(), aim, None, "nothing on the table to aim at")
    refused(archipel.game("krakatoa").new(), aim, None, "nothing on the table to aim at")
    refused(archipel.game("kahuna").new(), None, None, "No dice are to be thrown now")
    refused(state.after(state.parse("YRB RRB RBB touched")), aim, LAID, "No dice are to be thrown now")


def test_the_engine_has_a_version() -> None:
    assert engine() == "mujoco-core 4.0.1"
