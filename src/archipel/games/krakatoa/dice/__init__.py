"""How Krakatoa's dice fall: as rigid bodies, by a model fitted to them, or on your own table at home."""

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
