"""Starting and stopping a server."""

import asyncio
import gc
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from multiprocessing import get_context
from typing import Any

import uvicorn

from . import logs
from .app import Api
from .bots import Pool
from .cluster import Cluster
from .decisions import Refusal
from .hub import Hub
from .line import Line
from .settings import Settings
from .storage import StorageError, Store
from .throwers import Throwers

TICK = 1.0
FOREVER = 1 << 62
FAREWELL = 0.5
"""How many seconds clients have to take in that the server stops."""


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Api]:
    """A server's parts, from the database to the routes; in the end everything is kept and closed."""
    store = Store(settings.database)
    await asyncio.to_thread(store.prepare)
    store.start()
    pool, throwers = Pool(settings.bots, settings.pace), Throwers(settings.throwers)
    pool.start()
    throwers.start()
    hub = Hub(store, pool, throwers, settings)
    if settings.redis:
        hub.cluster = Cluster(hub, settings.redis)
        hub.cluster.start()
    chores = asyncio.ensure_future(_chores(hub, pool))
    try:
        yield Api(hub)
    finally:
        chores.cancel()
        hub.say_goodbye()
        pool.close()
        throwers.close()
        if hub.cluster:
            await hub.cluster.close()
        await store.close()


async def _chores(hub: Hub, pool: Pool) -> None:
    """What must be done now and then."""
    if not hub.cluster:
        await _wake_up(hub)
    while True:
        await asyncio.sleep(TICK)
        hub.tidy()
        hub.metrics.waiting.set(pool.queue.size)


async def _wake_up(hub: Hub) -> None:
    """Look after the tables where a bot is to act or a clock runs, though nobody has come yet."""
    with suppress(StorageError):
        for table in await hub.store.due(FOREVER, hub.settings.tables):
            with suppress(Refusal):
                await hub.find(table)


class Server(uvicorn.Server):
    """Tells everybody when to come back before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Heed the signals to stop, and go on heeding them: what is to be kept and closed afterwards is, at leisure.

        (uvicorn would raise them again once its sockets are closed.)
        """
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self.handle_exit)
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._hub.settle()
        self._hub.say_goodbye()
        await asyncio.sleep(FAREWELL)
        await super().shutdown(sockets)


def listening(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say; OSError if somebody else does."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((settings.host, settings.port))
    listener.listen(4096)
    listener.setblocking(False)
    return listener


def server_of(api: Api) -> Server:
    """The HTTP server around the routes."""
    config = uvicorn.Config(
        api,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        ws=Line,
        timeout_graceful_shutdown=5,
    )
    return Server(config, api.hub)


async def serve(settings: Settings, listener: socket.socket, ready: Any = None) -> None:
    """Serve until told to stop."""
    logs.configure(settings.log_format)
    async with running(settings) as api:
        server = server_of(api)
        _calm_down()
        if ready:
            ready()
        await server.serve([listener])


def _calm_down() -> None:
    """What was made by now stays: the collector need not look at it again, nor look so often that moves wait for it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    sys.setswitchinterval(0.001)  # the writer's thread is not to hold the loop up


def run(settings: Settings, listener: socket.socket, ready: Any = None) -> None:
    """Serve in a loop of our own."""
    config = uvicorn.Config("", log_config=None)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(serve(settings, listener, ready))


def run_many(settings: Settings, listener: socket.socket, ready: Any = None) -> None:
    """Several workers on one listening socket; one that dies is started again."""
    spawn = get_context("spawn")
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: stopping.append(number))
    crew = [_worker(spawn, settings, listener) for _ in range(settings.workers)]
    if ready:
        ready()
    while not stopping:
        time.sleep(0.2)
        for place, worker in enumerate(crew):
            if not worker.is_alive():
                logs.event("worker-died", code=worker.exitcode)
                crew[place] = _worker(spawn, settings, listener)
    for worker in crew:
        worker.terminate()
    for worker in crew:
        worker.join(15)
        worker.kill()


def _worker(spawn: Any, settings: Settings, listener: socket.socket) -> Any:
    worker = spawn.Process(target=run, args=(settings, listener))
    worker.start()
    return worker
