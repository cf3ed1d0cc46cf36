"""The types of Krakatoa's dice in messages and logs: aims, positions, falls."""

from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

Object = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
Die = Annotated[str, Meta(description="As in `steam1`, `ash2`, `lava3`.")]
Way = Annotated[str, Meta(description="The bytes of a trajectory, as `docs/dice.md` tells, in base64.")]


class Aim(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a set is thrown: a point on the table in cm from its middle, degrees (0 to the right, 90 away), cm/s, cm."""

    x: float
    y: float
    direction: float
    strength: float = 120.0
    spread: float = 2.5


class Lie(Struct, gc=False):
    """The position of a die: its centre in cm; the face on top; its rotation, in radians and as `q`."""

    x: float
    y: float
    face: int
    turn: float
    q: tuple[float, float, float, float]
    """w, x, y, z: from the die's own axes to the table's."""


class Dice(Struct, omit_defaults=True, gc=False):
    """Krakatoa's dice at a table where they are simulated, or rolled at home."""

    lies: dict[Die, Lie] = {}
    """The dice in the tray; none where they are rolled at home."""
    hand: list[Die] = []
    """The dice that have been thrown and have not landed yet."""
    thrower: int | None = None
    """Whose throw it is, while there are dice in the hand."""
    land: bool = False
    """The dice are rolled at home, and this viewer must enter by `act` how they have landed."""
    last: int = 0
    """The version of the entry with the last throw; 0: none."""


class Fall(Struct, omit_defaults=True, gc=False):
    """A landing: the dice in the hand, whether it was a scratch, and how many cocked dice were tapped flat."""

    hand: list[Die]
    scratch: bool = False
    cocked: int = 0
    trajectory: Way | None = None
    """Sent when it has just happened; later on request."""


class KeptFall(Struct, omit_defaults=True, gc=False, frozen=True):
    """A fall in the log: the positions of all dice, the engine, SHA-256 of the trajectory, and the number of cocked
    dice."""

    lies: Object
    engine: str
    sha256: str
    cocked: int = 0


class Thrown(Struct, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A throw in a record: its aim, the positions of all dice after it, the engine, and SHA-256 of the trajectory."""

    lies: dict[str, list[Any]]
    engine: str
    sha256: str
    cocked: int = 0
    aim: Aim | None = None
