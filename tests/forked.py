"""Worker processes that are forked from one that has loaded everything, where a user's start from nothing.

A process that imports Numba and loads the kernels needs three seconds of a core, and the tests start hundreds. That a
process also works when it starts from nothing is shown by the tests that start a server or an arena in a shell.
"""

from multiprocessing import get_all_start_methods, get_context

import archipel
from archipel import workers
from archipel.core.rules import CHANCE


def fork_workers() -> None:
    """Fork all workers that this process starts from now on, where the system can."""
    if "forkserver" not in get_all_start_methods():
        return
    forked = get_context("forkserver")
    forked.set_forkserver_preload([f"{__package__}.forked_from"])
    workers._spawn = forked  # type: ignore[assignment]


def loaded() -> None:
    """Load what a bot, a referee and whoever computes outcomes need."""
    import numpy as np

    from archipel.core import registry
    from archipel.table.log.tasks import Task, carry_out
    from archipel.table.play.thinking import Question, think

    for name in archipel.GAMES:
        state, rng = archipel.game(name).new(), np.random.default_rng(1)
        while state.mover == CHANCE:
            state = state.after(state.sample(rng))
        think(Question("beachcomber", state.view(state.mover), 1))
        if chance := registry.slow_chance(name):
            carry_out(Task(name, chance.first_order()))
