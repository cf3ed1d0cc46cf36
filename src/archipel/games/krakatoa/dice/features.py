"""The inputs of the model: a table die relative to the thrown dice.

Each table die is described relative to the aim: its distance along the throw, its distance from the nearest of the
three lanes of the dice, and what is before it in its own lane. Everything is computed for many aims at once.
"""

from typing import Any

import numpy as np

from .aim import frames
from .shape import Floats

_ALONG = np.array([-3.0, -1.5, 0.0, 1.5, 3.0, 5.0, 8.0, 12.0])
_ALONG_WIDTH = np.array([1.5, 1.5, 1.5, 1.5, 1.7, 2.2, 3.0, 4.0])
_ASIDE = np.array([0.0, 1.1, 2.2, 3.6])
_ASIDE_WIDTH = np.array([0.8, 0.8, 1.0, 1.5])
_LANE = 1.2
"""Two dice that are closer than about this, seen along the throw, hide each other."""
_HAND = -3.5
"""What is further back than this is behind the hand."""
_REACH = 2.5
"""A die that is hit hits those within about this distance behind it."""

COUNT = 3 + 2 * len(_ALONG) * len(_ASIDE) + 3


def hardness(strengths: Any) -> Any:
    """The strength of throws, in steps of 40 cm/s from the usual one."""
    return (strengths - 120.0) / 40.0


def along_and_aside(aims: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Places relative to each aim: along the throw and to the left of it."""
    seen = in_frames(aims, places - aims[:, None, :2])
    return seen[..., 0], seen[..., 1]


def in_frames(aims: Floats, shifts: Floats) -> Floats:
    """Displacements on the table, several per aim, in that aim's frame: along the throw and to its left."""
    return shifts @ np.swapaxes(frames(aims), 1, 2)


def features(aims: Floats, places: Floats) -> Floats:
    """For each aim (x, y, direction, strength, spread) and each table die, COUNT numbers."""
    along, aside = along_and_aside(aims, places)
    hard = np.broadcast_to(hardness(aims[:, 3])[:, None], along.shape)
    lanes = np.stack([aside - k * aims[:, 4:5] for k in (-1, 0, 1)], -1)
    where = _bumps(along, _ALONG, _ALONG_WIDTH)[..., :, None]
    where = where * _bumps(np.abs(lanes).min(-1), _ASIDE, _ASIDE_WIDTH)[..., None, :]
    where = where.reshape(*along.shape, -1)
    before, close = _before(along, aside)
    single = np.stack([np.ones_like(along), hard, hard**2, before, close, before * hard], -1)
    return np.concatenate([single, where, where * hard[..., None]], -1)


def _bumps(x: Floats, middles: Floats, widths: Floats) -> Floats:
    bumps: Floats = np.exp(-0.5 * ((x[..., None] - middles) / widths) ** 2)
    return bumps


def _before(along: Floats, aside: Floats) -> tuple[Floats, Floats]:
    """How much of each die is hidden by others that the throw meets first, and how near these are."""
    gap = along[..., :, None] - along[..., None, :]
    hidden = np.exp(-0.5 * ((aside[..., :, None] - aside[..., None, :]) / _LANE) ** 2)
    hidden = hidden * (gap > 0.3) * (along[..., None, :] > _HAND)
    return hidden.sum(-1), (hidden * np.exp(-np.abs(gap) / _REACH)).sum(-1)
