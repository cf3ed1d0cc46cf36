"""Krakatoa's dice: simulated as rigid bodies, drawn from a fitted model, or rolled at home."""

from .aim import Aim, InvalidAim
from .model import Model
from .pad import Pad
from .physics import Physics
from .thrower import Throw, Thrower
from .trajectory import BadTrajectory, Trajectory
from .tray import Lie, Tray

__all__ = [
    "Aim",
    "BadTrajectory",
    "InvalidAim",
    "Lie",
    "Model",
    "Pad",
    "Physics",
    "Throw",
    "Thrower",
    "Trajectory",
    "Tray",
]
