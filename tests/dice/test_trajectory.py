"""Trajectories: bytes there and back, and bytes that are none."""

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.dice import BadTrajectory, Trajectory
from archipel.games.krakatoa.dice.shape import Floats
from archipel.games.krakatoa.dice.tray import GRID


def wandering(dice: tuple[str, ...], frames: int, seed: int) -> Trajectory:
    """Dice that fly about for a while."""
    rng = np.random.default_rng(seed)
    poses = np.cumsum(rng.normal(0, 0.3, (frames, len(dice), 7)), axis=0)
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    return Trajectory(dice, poses)


def same_turn(a: Floats, b: Floats) -> Floats:
    """How alike quaternions are; q and -q are the same turn."""
    return np.asarray(np.abs((a * b).sum(-1)))


@given(st.lists(st.sampled_from(DICE), min_size=1, unique=True), st.integers(1, 40), st.integers(0, 99))
def test_a_trajectory_comes_back_as_it_was_written(names: list[str], frames: int, seed: int) -> None:
    dice = tuple(die for die in DICE if die in names)
    shown = wandering(dice, frames, seed)
    read = Trajectory.decode(shown.encode())
    assert read.dice == dice
    assert len(read) == frames
    assert np.abs(read.poses[..., :3] - shown.poses[..., :3]).max() <= GRID / 2 + 1e-9
    assert same_turn(read.poses[..., 3:], shown.poses[..., 3:]) == pytest.approx(1, abs=1e-3)
    assert read.encode() == shown.encode()


def test_the_bytes_are_those_that_the_format_says() -> None:
    turned = [0.5, 0.5, -0.5, 0.5]
    poses = np.array([[[0.0, -0.005, 1.0, 1, 0, 0, 0]], [[1.0, 0.0, 1.0, *turned]]])
    data = Trajectory(("ash1",), poses).encode()
    assert data[:8] == b"KT" + bytes([1, 60]) + struct.pack("<HH", 1 << 3, 2)
    planes = zlib.decompress(data[8:])
    folded = [low + 256 * high for low, high in zip(planes[:14], planes[14:], strict=True)]
    half = round(4095 / 2)
    steps = [(0, 200), (-1, 1), (200, 0), (4095, half - 4095), (0, half), (0, -half), (0, half)]
    assert folded == [2 * n if n >= 0 else -2 * n - 1 for pair in steps for n in pair]


def test_a_quaternion_does_not_jump_to_its_opposite() -> None:
    poses = np.zeros((3, 1, 7))
    poses[:, 0, 3] = 1, -1, 1
    assert Trajectory.decode(Trajectory(("ash1",), poses).encode()).poses[:, 0, 3].tolist() == [1, 1, 1]


def test_it_lasts_as_long_as_it_has_frames() -> None:
    assert wandering(DICE, 61, 1).seconds == 1


GOOD = wandering(DICE[:3], 5, 3).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a trajectory"),
        (b"KT", "not a trajectory"),
        (b"XX" + GOOD[2:], "not a trajectory"),
        (GOOD[:2] + b"\2" + GOOD[3:], "version 2; we read version 1"),
        (GOOD[:3] + b"\0" + GOOD[4:], "head"),
        (GOOD[:4] + b"\0\0" + GOOD[6:], "head"),
        (GOOD[:4] + b"\0\2" + GOOD[6:], "head"),
        (GOOD[:6] + b"\0\0" + GOOD[8:], "head"),
        (GOOD[:6] + b"\4\0" + GOOD[8:], "cut short, or too long"),
        (GOOD[:6] + b"\6\0" + GOOD[8:], "cut short, or too long"),
        (GOOD[:-9], "cut short"),
        (GOOD[:8], "cut short"),
        (GOOD[:8] + b"rubbish", "damaged"),
    ],
)
def test_what_is_no_trajectory_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(BadTrajectory, match=why):
        Trajectory.decode(data)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(rest: bytes) -> None:
    with pytest.raises(BadTrajectory):
        Trajectory.decode(GOOD[:8] + rest)
