"""The die: a regular dodecahedron, the directions of its faces and their colours.

Lengths are in centimetres. Face 11 - f is opposite face f. The colour arrangement of the real dice is not known to us;
this one keeps equal colours furthest apart: no two opposite faces are equal, and only four of the thirty edges are
between faces of one colour. Up to rotation, no other arrangement does as well.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from archipel.games.krakatoa.board import FACES, LETTERS

Floats = NDArray[np.float64]

INRADIUS = 0.95
"""From the centre to a face: the height of a die's centre."""
CIRCUMRADIUS = INRADIUS * np.sqrt(15 - 6 * np.sqrt(5))
"""From the centre to a corner."""
COLOURS = "BBBRRYBBYRYR"
"""The letter of each face."""
LETTER = np.array([LETTERS.index(letter) for letter in COLOURS], np.int8)
"""The same as an index into LETTERS."""

_GOLDEN = (1 + np.sqrt(5)) / 2


def _normals() -> Floats:
    g = _GOLDEN
    half = np.array([(0, 1, g), (0, -1, g), (1, g, 0), (-1, g, 0), (g, 0, 1), (-g, 0, 1)])
    return np.concatenate([half, -half[::-1]]) / np.hypot(1, g)


NORMALS = _normals()
"""The direction of each face, in the die's own frame."""

RING = np.digitize(-NORMALS @ NORMALS.T, (-0.9, 0.0, 0.9))
"""From face to face: 0 itself, 1 the five adjacent ones, 2 the five beyond them, 3 the opposite one."""


def _corners() -> Floats:
    """The points where three adjacent faces meet."""
    meet = [abc for abc in combinations(range(FACES), 3) if all(RING[a, b] == 1 for a, b in combinations(abc, 2))]
    middles = np.array([NORMALS[list(abc)].sum(0) for abc in meet])
    return middles / np.linalg.norm(middles, axis=1, keepdims=True) * CIRCUMRADIUS


CORNERS = _corners()


# Quaternions are (w, x, y, z), from the die's frame to the table's.


def rotated(quaternions: Floats, vectors: Floats) -> Floats:
    """The vectors, rotated; one quaternion for each, or one for all."""
    w, axis = quaternions[..., :1], quaternions[..., 1:]
    cross = 2 * np.cross(axis, vectors)
    turned: Floats = vectors + w * cross + np.cross(axis, cross)
    return turned


def times(a: Floats, b: Floats) -> Floats:
    """The product of quaternions: first b, then a."""
    w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(-1, keepdims=True)
    axis = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, axis], -1)


def upright(face: int) -> Floats:
    """The shortest rotation that brings a face to the top."""
    x, y, z = NORMALS[face]
    half = np.array([1 + z, y, -x, 0.0])
    return half / np.linalg.norm(half)


UPRIGHT = np.array([upright(face) for face in range(FACES)])


def lying(face: int, turn: float) -> Floats:
    """The rotation of a die with this face on top, rotated about the vertical by an angle in radians."""
    return times(np.array([np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)]), UPRIGHT[face])


def heights(quaternions: Floats) -> Floats:
    """For each die, how far each of its faces points up: 1 is straight up."""
    return rotated(quaternions[..., None, :], NORMALS)[..., 2]


def tops(quaternions: Floats) -> NDArray[np.intp]:
    """The face that each die shows: the one that points up most."""
    return heights(quaternions).argmax(-1)


def tilts(quaternions: Floats) -> Floats:
    """How far each die is from flat, in radians."""
    return np.arccos(np.minimum(1, heights(quaternions).max(-1)))


def turn_of(quaternion: Floats, face: int) -> float:
    """The rotation about the vertical of a die that shows this face, from 0 to a whole turn (radians)."""
    w, _, _, z = times(quaternion, UPRIGHT[face] * (1, -1, -1, -1))
    return float(2 * np.arctan2(z, w) % (2 * np.pi))
