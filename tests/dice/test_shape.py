"""The die: faces, corners, colours."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from archipel.games.krakatoa.board import COPIES, LETTERS
from archipel.games.krakatoa.dice import shape


def test_every_face_has_five_beside_it_five_beyond_and_one_opposite() -> None:
    for face in range(12):
        assert np.bincount(shape.RING[face]).tolist() == [1, 5, 5, 1]
        assert shape.RING[face, 11 - face] == 3


def test_twenty_corners_lie_on_three_faces_each() -> None:
    heights = shape.CORNERS @ shape.NORMALS.T
    assert len(shape.CORNERS) == 20
    assert heights.max() == pytest.approx(shape.INRADIUS)
    assert (np.isclose(heights, shape.INRADIUS).sum(1) == 3).all()


def test_colours_are_as_many_as_the_rules_say() -> None:
    assert Counter(shape.COLOURS) == dict(zip(LETTERS, COPIES, strict=True))


def test_no_other_arrangement_keeps_like_colours_further_apart() -> None:
    def alike(letters: list[str]) -> tuple[int, int]:
        pairs = [(shape.RING[a, b], letters[a] == letters[b]) for a, b in combinations(range(12), 2)]
        return sum(same and ring == 1 for ring, same in pairs), sum(same and ring == 3 for ring, same in pairs)

    rng = np.random.default_rng(1)
    shuffled = [alike(rng.permutation(list(shape.COLOURS)).tolist()) for _ in range(2000)]
    assert alike(list(shape.COLOURS)) == (4, 0) == min(shuffled)


@pytest.mark.parametrize("face", range(12))
def test_a_lying_die_shows_its_face(face: int) -> None:
    for turn in (0.0, 1.0, 4.0, 6.2):
        quaternion = shape.lying(face, turn)
        assert shape.tops(quaternion) == face
        assert shape.tilts(quaternion) == pytest.approx(0, abs=1e-6)
        assert shape.turn_of(quaternion, face) == pytest.approx(turn)


def test_a_tilted_die_still_shows_its_face() -> None:
    tip = np.array([np.cos(0.1), np.sin(0.1), 0, 0])
    quaternion = shape.times(tip, shape.lying(3, 1.0))
    assert shape.tops(quaternion) == 3
    assert shape.tilts(quaternion) == pytest.approx(0.2)
