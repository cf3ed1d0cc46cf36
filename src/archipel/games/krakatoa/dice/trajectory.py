"""A throw to look at: every die, sixty times a second, in a few thousand bytes.

The bytes, version 1, numbers little-endian:

    0   2 bytes   "KT"
    2   1 byte    version, 1
    3   1 byte    frames a second, 60
    4   2 bytes   which dice are seen, bit k for the k-th of steam1 ... lava3
    6   2 bytes   how many frames, at least 1
    8   the rest  a zlib stream

Unpacked, the stream has a series for each die that is seen, in that order, and for each of its seven numbers: x, y, z
in steps of 0.05 mm, then the quaternion w, x, y, z in steps of 1/4095. A series is one signed 16-bit number a frame:
the first frame as it is, then by how much each frame differs from the one before, modulo 2^16. Each number n is folded
to 2n if it is not negative and to -2n-1 if it is. First come the low bytes of all series, then their high bytes.
"""

import struct
import zlib
from dataclasses import dataclass

import numpy as np

from archipel.games.krakatoa.board import DICE

from .shape import Floats
from .tray import GRID

VERSION = 1
RATE = 60
"""Frames a second."""
_MAGIC = b"KT"
_HEADER = struct.Struct("<2sBBHH")
_NUMBERS = 7
_QUATERNION = 4095
_SCALE = np.array([1 / GRID] * 3 + [_QUATERNION] * 4)


class BadTrajectory(ValueError):
    """Bytes that are not a trajectory, or a damaged one."""


@dataclass(frozen=True)
class Trajectory:
    """The visible dice and their poses: frame by frame, die by die, centre and quaternion."""

    dice: tuple[str, ...]
    poses: Floats

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def seconds(self) -> float:
        """The duration."""
        return (len(self) - 1) / RATE

    def encode(self) -> bytes:
        """Encode as bytes."""
        numbers = np.rint(_smooth(self.poses) * _SCALE).astype(np.int16)
        series = numbers.reshape(len(self), -1).T
        steps = np.diff(series, axis=1, prepend=np.int16(0))
        folded = ((steps << 1) ^ (steps >> 15)).astype("<u2")
        mask = sum(1 << DICE.index(die) for die in self.dice)
        header = _HEADER.pack(_MAGIC, VERSION, RATE, mask, len(self))
        planes = [(folded & 255).astype(np.uint8), (folded >> 8).astype(np.uint8)]
        return header + zlib.compress(np.concatenate(planes).tobytes(), 9)

    @classmethod
    def decode(cls, data: bytes) -> "Trajectory":
        """Decode bytes; BadTrajectory if they are not valid."""
        if len(data) < _HEADER.size or data[:2] != _MAGIC:
            raise BadTrajectory("These bytes are not a trajectory.")
        _, version, rate, mask, frames = _HEADER.unpack_from(data)
        if version != VERSION:
            raise BadTrajectory(f"This trajectory is of version {version}; we read version {VERSION}.")
        dice = tuple(die for k, die in enumerate(DICE) if mask >> k & 1)
        if rate != RATE or not frames or not dice or mask >> len(DICE):
            raise BadTrajectory("The head of this trajectory is damaged.")
        return cls(dice, _unpacked(data[_HEADER.size :], len(dice), frames))


def _smooth(poses: Floats) -> Floats:
    """The same poses with the signs of the quaternions chosen so that none jumps to its opposite, which is the same
    rotation."""
    smooth = poses.copy()
    agree = (poses[1:, :, 3:] * poses[:-1, :, 3:]).sum(-1)
    smooth[1:, :, 3:] *= np.cumprod(np.where(agree < 0, -1.0, 1.0), axis=0)[..., None]
    return smooth


def _unpacked(stream: bytes, dice: int, frames: int) -> Floats:
    size = dice * _NUMBERS * frames
    try:
        unzipper = zlib.decompressobj()
        planes = np.frombuffer(unzipper.decompress(stream, 2 * size + 1), np.uint8)
    except zlib.error:
        raise BadTrajectory("This trajectory is damaged.") from None
    if len(planes) != 2 * size or not unzipper.eof:
        raise BadTrajectory("This trajectory is cut short, or too long.")
    folded = (planes[:size] + (planes[size:].astype(np.uint16) << 8)).reshape(-1, frames)
    steps = (folded >> 1).astype(np.int16) ^ -(folded & 1).astype(np.int16)
    series = np.cumsum(steps, axis=1, dtype=np.int16)
    return series.T.reshape(frames, dice, _NUMBERS) / _SCALE
