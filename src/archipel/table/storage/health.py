"""Health checks: whether the database can be written and read, checked at most once a second."""

import asyncio

from . import StorageError, Store

FRESH = 1.0
"""Seconds for which a result is cached, however many ask."""
PATIENCE = 1.5
"""How many seconds the database may take."""


class Health:
    """The state of one server's database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._look: asyncio.Task[str] | None = None
        self._looked_at = 0.0

    async def trouble(self) -> str:
        """What fails, in one sentence; "" if all is well."""
        now = asyncio.get_running_loop().time()
        if self._look is None or (self._look.done() and now - self._looked_at >= FRESH):
            self._looked_at = now
            self._look = asyncio.ensure_future(self._probed())
        try:
            return await asyncio.wait_for(asyncio.shield(self._look), PATIENCE)
        except TimeoutError:
            return "The database does not answer."

    async def _probed(self) -> str:
        try:
            await self._store.probe()
        except StorageError as error:
            return str(error)
        return ""
