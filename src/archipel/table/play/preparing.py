"""Kernels that are built while the server already runs: people can play meanwhile, and bots wait.

This happens only in a checkout without a fitting library. The rules run as plain Python at first, which is fast enough
for people, but not for a search.
"""

import asyncio
import os
from collections.abc import Callable

from archipel.core import compiled, registry
from archipel.kernels import progress

from .. import logging, protocol

LOOK = 0.25
"""Seconds between two checks of the build's progress."""


class Preparing:
    """The build of one server."""

    def __init__(self) -> None:
        self._building = False

    def games(self) -> list[protocol.Preparing]:
        """The games whose bots are not ready yet, and the progress of each."""
        if not self._building:
            return []
        return [protocol.Preparing(name, *progress.read(name)) for name in registry.own()]

    async def run(self, ready: Callable[[], None]) -> None:
        """Build if necessary; then call `ready` once."""
        if compiled.MODE == compiled.SOON:
            self._building = True
            try:
                await self._build()
            finally:
                self._building = False
        ready()

    async def _build(self) -> None:
        logging.event("kernels-building")
        build = progress.start()
        try:
            while build.poll() is None:
                await asyncio.sleep(LOOK)
        finally:
            progress.stop(build)
        if not await asyncio.to_thread(compiled.arrive):
            logging.event("kernels-not-built", code=build.returncode)
            os.environ["ARCHIPEL_KERNELS"] = compiled.JIT  # the bots' processes compile for themselves
