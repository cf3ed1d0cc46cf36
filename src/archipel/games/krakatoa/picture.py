"""What a Krakatoa position looks like, in a terminal and as a drawing."""

from typing import TYPE_CHECKING

from archipel.core.state import State

if TYPE_CHECKING:
    from .game import Krakatoa


def text(game: "Krakatoa", state: State) -> str:
    return ""


def svg(game: "Krakatoa", state: State) -> str:
    return ""
