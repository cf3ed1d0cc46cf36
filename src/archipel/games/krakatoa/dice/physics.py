"""Dice as rigid bodies: thrown, simulated until they are still, tapped flat if they are cocked.

MuJoCo simulates them; the units are centimetres, grams and seconds. The constants are plausible rather than measured on
real dice. The result of a throw is the same to the last bit in every process with the same version of MuJoCo, and with
no other: store trajectories and landings, and do not simulate the throws of an old game again.
"""

import copy
from dataclasses import dataclass
from functools import cache
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archipel.core.state import State

from .aim import Aim
from .shape import CORNERS, INRADIUS, Floats, tilts, tops, turn_of
from .thrower import Occasion, Throw, is_touched, landing, occasion
from .trajectory import RATE, Trajectory
from .tray import RADIUS, WALLS, Lie, Tray, apart

STEPS = 32
"""Simulation steps per frame of a replay."""
OMEGA = 1200
"""The stiffness of contacts, 1/s; times the step it must stay below 0.65, or dice jump higher than they fell."""
STILL = 0.6
"""Slower than this, in cm/s and rad/s, a die counts as still."""
STILL_FRAMES = 6
LONGEST = 6 * RATE
"""The maximum number of frames of a throw."""
TAP = (0.1, 0.03, 0.01)
"""The successive friction coefficients that make cocked dice slide flat."""
TAP_LONGEST = 2 * RATE
COCKED = 2 * pi / 180
"""A die that tilts more than this is not flat."""
RAISED = 0.1
"""A die that is this much too high is not flat."""
JITTER = 0.05
"""The random offset of a die in the hand, along each axis."""
SPIN = 6.0
"""The spin of dice at release: the standard deviation about each axis, in rad/s."""

FIRST_HEIGHT, FIRST_BACK, FIRST_SPACING = 4.0, 3.0, 2.6
FIRST_SPEED = (10.0, 40.0)
"""Throws at an empty table: the height of the hand, its distance from the middle, the distance between its dice, and
their speed."""


def _solref(zeta: float) -> str:
    return f"{1 / (OMEGA * zeta)!r} {zeta!r}"


def _document(dice: int) -> str:
    """The tray and a number of dice, as MuJoCo's XML."""
    solimp = "solimp='.9 .95 .01'"
    table = f"priority='1' condim='3' friction='.5 0 0' solref='{_solref(0.45)}' {solimp}"
    die = f"type='mesh' mesh='die' condim='3' friction='.25 0 0' solref='{_solref(0.20)}' {solimp}"
    corners = " ".join(repr(float(number)) for number in CORNERS.ravel())
    rim = "".join(
        f"<geom type='plane' size='1 1 1' pos='{x * RADIUS!r} {y * RADIUS!r} 0' zaxis='{-x!r} {-y!r} 0' {table}/>"
        for x, y in WALLS.tolist()
    )
    body = (
        "<body pos='0 0 9'><freejoint/><inertial pos='0 0 0' mass='6' diaginertia='2.652 2.652 2.652'/>"
        f"<geom {die}/></body>"
    )
    return f"""<mujoco>
    <option timestep='{1 / (RATE * STEPS)!r}' gravity='0 0 -981' integrator='implicitfast' cone='elliptic' impratio='10'
      solver='Newton' iterations='30' tolerance='1e-8' sleep_tolerance='.05'><flag sleep='enable'/></option>
    <asset><mesh name='die' vertex='{corners}'/></asset>
    <worldbody><geom type='plane' size='1 1 1' {table}/>{rim}{body * dice}</worldbody></mujoco>"""


@cache
def _world(dice: int) -> Any:
    import mujoco

    return mujoco.MjModel.from_xml_string(_document(dice))


def engine() -> str:
    """The name and version of the physics engine, to be stored with its results."""
    from importlib.metadata import version

    return f"mujoco-core {version('mujoco-core')}"


@dataclass
class Fall:
    """A throw being simulated, with every frame."""

    world: Any
    data: Any
    frames: list[Floats]

    @classmethod
    def begin(cls, poses: Floats, velocities: Floats) -> "Fall":
        """Release dice: a pose and six velocities each, linear and angular."""
        import mujoco

        world = _world(len(poses))
        data = mujoco.MjData(world)
        data.qpos[:] = poses.ravel()
        data.qvel[:] = velocities.ravel()
        return cls(world, data, [poses])

    @property
    def poses(self) -> Floats:
        """The current poses."""
        now: Floats = np.array(self.data.qpos).reshape(-1, 7)
        now[:, 3:] /= np.linalg.norm(now[:, 3:], axis=1, keepdims=True)
        return now

    @property
    def is_still(self) -> bool:
        speeds = np.linalg.norm(np.array(self.data.qvel).reshape(-1, 2, 3), axis=2)
        return bool((speeds < STILL).all())

    @property
    def cocked(self) -> NDArray[np.bool_]:
        """Which dice are not flat on the table."""
        now = self.poses
        leaning: NDArray[np.bool_] = (tilts(now[:, 3:]) > COCKED) | (now[:, 2] > INRADIUS + RAISED)
        return leaning

    def settle(self, longest: int) -> bool:
        """Simulate until every die has been still for a moment; False if that takes too long."""
        import mujoco

        still = 0
        for _ in range(longest):
            mujoco.mj_step(self.world, self.data, STEPS)
            self.frames.append(self.poses)
            still = still + 1 if self.is_still else 0
            if still == STILL_FRAMES:
                return True
        return False

    def tap(self) -> None:
        """Let cocked dice slide flat: reduce the friction of the table, then restore it."""
        import mujoco

        rough, smooth = self.world, copy.copy(self.world)
        smooth.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        for friction in TAP:
            if self.cocked.any():
                smooth.geom_friction[:, 0] = friction
                self.world = smooth
                self.settle(TAP_LONGEST)
                self.world = rough
                self.settle(TAP_LONGEST)


@dataclass(frozen=True)
class Settled:
    """The end of a throw, with the measurements about it."""

    tray: Tray
    touched: bool
    turned: NDArray[np.bool_]
    moved: Floats
    """For each table die: whether it turned, and how far it moved, both before the tap."""
    frames: Floats
    at_rest: bool
    cocked: int
    """Before the tap."""
    by_hand: int
    """Cocked even after the tap, and laid flat by hand."""


def simulate(before: Occasion, rng: np.random.Generator) -> Settled:
    """Simulate a throw until all dice are flat."""
    dice = before.dice
    fall = Fall.begin(*_start(before, rng))
    at_rest = fall.settle(LONGEST)
    faces, cocked = tops(fall.poses[:, 3:]), fall.cocked
    turned, moved = _judge(before, faces, fall.poses)
    if cocked.any() or not at_rest:
        fall.tap()
    # The tap must not turn a die: whether the throw touched is decided, and a scratch leaves all faces as they were.
    lies, by_hand = _laid(fall, faces)
    tray = Tray(dict(zip(dice, lies, strict=True)))
    frames = np.array([*fall.frames, tray.poses])
    return Settled(tray, is_touched(turned, moved), turned, moved, frames, at_rest, int(cocked.sum()), by_hand)


def _judge(before: Occasion, faces: NDArray[np.intp], poses: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """For each table die: whether it turned, and how far it moved."""
    places = {die: k for k, die in enumerate(before.dice)}
    lies = [(places[die], lie) for die, lie in before.table.lies.items()]
    turned = np.array([faces[k] != lie.face for k, lie in lies], bool)
    return turned, np.array([lie.distance(*poses[k, :2]) for k, lie in lies], float)


def _laid(fall: Fall, faces: NDArray[np.intp]) -> tuple[list[Lie], int]:
    """The final positions of the dice, and how many had to be laid flat by hand."""
    poses = fall.poses
    wrong = fall.cocked | (tops(poses[:, 3:]) != faces)
    places = apart(poses[:, :2], wrong) if wrong.any() else poses[:, :2]
    lies = [
        Lie.near(x, y, face, turn_of(pose[3:], face)) for (x, y), face, pose in zip(places, faces, poses, strict=True)
    ]
    return lies, int(wrong.sum())


def _start(before: Occasion, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The poses and velocities of all dice at release; all random numbers of a throw are drawn here."""
    poses, velocities = np.zeros((len(before.dice), 7)), np.zeros((len(before.dice), 6))
    in_hand = np.array([die in before.hand for die in before.dice])
    places, velocity = _empty(len(before.hand), rng) if before.aim is None else (before.aim.hand, before.aim.velocity)
    count = len(before.hand)
    turns = rng.standard_normal((count, 4))
    poses[in_hand, :3] = places + rng.uniform(-JITTER, JITTER, (count, 3))
    poses[in_hand, 3:] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    velocities[in_hand, :3] = velocity
    velocities[in_hand, 3:] = SPIN * rng.standard_normal((count, 3))
    poses[~in_hand] = before.table.poses
    return poses, velocities


def _empty(count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The release point and velocity over an empty table: from a random side, towards the middle."""
    angle, speed = rng.uniform(0, 2 * pi), rng.uniform(*FIRST_SPEED)
    way, side = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
    rows = np.array([(k // 3, k % 3 - 1) for k in range(count)])
    order = rng.permutation(count)
    places = (FIRST_BACK + FIRST_SPACING * rows[order, :1]) * -way + FIRST_SPACING * rows[order, 1:] * side
    return places + np.array([0, 0, FIRST_HEIGHT]), speed * way


class Physics:
    """Throws dice by simulating rigid bodies."""

    def throw(self, state: State, aim: Aim | None, rng: np.random.Generator, tray: Tray | None = None) -> Throw:
        before = occasion(state, aim, tray)
        settled = simulate(before, rng)
        trajectory = Trajectory(before.dice, settled.frames)
        return Throw(landing(state, settled.tray, settled.touched), settled.tray, trajectory.encode())
