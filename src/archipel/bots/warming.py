"""The kernels of a game's rules, its search and its own bots: one list for warming up and for every build."""

from collections.abc import Iterator
from typing import NamedTuple

from archipel.core import batch, encoding, registry
from archipel.core.compiled import FACTS, KERNELS, LORE, Kernel, Roles, ready
from archipel.core.game import Game

from . import tree
from .knowledge import NOTHING, known_of


class Instance(NamedTuple):
    """A kernel for one game, and for one knowledge of it if the kernel takes any."""

    kernel: Kernel
    roles: Roles
    symbol: str
    """The name of its compiled function: game and kernel, and `plain` without the game's knowledge."""


def instances(game: Game) -> list[Instance]:
    """Every kernel that Python calls for a game, with its record types."""
    assert batch  # imported for the registration of their kernels, like the game's own expert
    assert tree
    encoding.prepare(game)
    registry.manifest(game.name).part("expert")
    known = known_of(game)
    lores = list(dict.fromkeys((NOTHING.lore.dtype, known.lore.dtype)))
    found = []
    for kernel in sorted(KERNELS.values(), key=lambda kernel: (kernel.game is not None, kernel.name)):
        if kernel.game in (None, game.name):
            shared = kernel.game is None and LORE in kernel.signature.roles
            for lore in lores if shared else lores[-1:]:
                symbol = f"archipel_{game.name}_{kernel.name}{'' if lore is lores[-1] else '_plain'}"
                found.append(Instance(kernel, {FACTS: game.facts.dtype, LORE: lore}, symbol))
    return found


def warm(game: Game) -> Iterator[tuple[int, int]]:
    """Compile or load every kernel of a game; yields how many are ready, and of how many."""
    wanted = instances(game)
    for count, instance in enumerate(wanted, 1):
        ready(instance.kernel, instance.roles)
        yield count, len(wanted)
