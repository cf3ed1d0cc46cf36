"""Kernels that are built while the server already runs: people can play meanwhile, and bots wait.

This happens only in a checkout without fitting libraries. The rules run as plain Python at first, which is fast enough
for people, but not for a search. Each game's bots play as soon as that game's library is built.
"""

import asyncio
from collections.abc import Callable

from archipel.core import compiled, registry
from archipel.kernels import progress

from .. import logging, protocol

LOOK = 0.25
"""Seconds between two checks of the build's progress."""


class Preparing:
    """The build of one server: the games that still wait for their library."""

    def __init__(self) -> None:
        waits = compiled.MODE == compiled.SOON
        self.waiting = {game: None for game in registry.own() if waits and game not in compiled.LIBRARIES}
        self._seen: dict[str, progress.Progress] = {}

    def games(self) -> list[protocol.Preparing]:
        """The games whose bots are not ready yet, and the progress of each."""
        return [protocol.Preparing(game, *progress.read(game)) for game in self.waiting]

    async def run(self, ready: Callable[[str], None]) -> None:
        """Build if necessary; call `ready` for each game that waited, as soon as its bots can play."""
        if not self.waiting:
            return
        logging.event("kernels-building", games=list(self.waiting))
        build = progress.start()
        try:
            while build.poll() is None:
                await asyncio.sleep(LOOK)
                await self._look(ready)
        finally:
            progress.stop(build)
        for game in list(self.waiting):
            if not await asyncio.to_thread(compiled.arrive, game):
                logging.event("kernels-not-built", game=game, code=build.returncode)  # its bots compile for themselves
            self._release(game, ready)

    async def _look(self, ready: Callable[[str], None]) -> None:
        """Load the libraries finished since the last look. (A progress file may be left from an earlier build.)"""
        for game in list(self.waiting):
            now = progress.read(game)
            if now != self._seen.get(game):
                self._seen[game] = now
                if now.is_done and await asyncio.to_thread(compiled.arrive, game):
                    self._release(game, ready)

    def _release(self, game: str, ready: Callable[[str], None]) -> None:
        del self.waiting[game]
        ready(game)
