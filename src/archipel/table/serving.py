"""Starting and stopping a server."""

import asyncio
import gc
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from functools import partial
from multiprocessing import get_context
from typing import Any

import uvicorn

from . import logging
from .log.clock import DAY
from .log.decisions import Refusal
from .net.app import Api
from .net.http_protocol import Arrivals, HttpProtocol
from .net.porch import Porch
from .net.websocket_protocol import WebSocketProtocol
from .people import history
from .play.bot_pool import BotPool
from .play.cluster import Cluster
from .play.hub import Hub
from .play.outcome_pool import OutcomePool
from .play.verifying import Verifiers
from .settings import Settings
from .storage import StorageError, Store, engines

TICK = 1.0
FOREVER = 1 << 62
FILES = 200
"""How many files are open in addition to connections."""
AGAIN = 1.0
"""Seconds before a worker that could not start is started again."""
OLD = 10
"""How many tables from before there was a history are read into it at a time."""
FAREWELL = 0.5
"""Seconds that clients have to receive the message that the server stops."""


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Api]:
    """All parts of a server, from the database to the routes; on exit everything is stored and closed.

    ValueError if the database cannot be used, or another server uses it.
    """
    with nullcontext() if settings.redis else engines.one_server(engines.url_of(settings.database)):
        async with _running(settings) as api:
            yield api


@asynccontextmanager
async def _running(settings: Settings) -> AsyncIterator[Api]:
    store = Store(settings.database)
    await asyncio.to_thread(store.prepare)
    store.start()
    pool, outcomes = BotPool(settings.bots, settings.pace, settings.any_bot), OutcomePool(settings.outcomes)
    verifiers = Verifiers(settings.verify_seconds)
    outcomes.start()
    hub = Hub(store, pool, outcomes, settings)
    if settings.redis:
        hub.peers = Cluster(hub, settings.redis)
        hub.peers.start()
    api = Api(hub, verifiers)
    pool.start()
    pool.hold(api.preparing.waiting)
    verifiers.start()
    await api.courier.start()
    notices = asyncio.ensure_future(api.courier.run())
    preparing = asyncio.ensure_future(api.preparing.run(pool.release))
    chores = asyncio.ensure_future(_chores(api, pool))
    try:
        yield api
    finally:
        for work in (chores, notices, preparing):
            work.cancel()
        with suppress(asyncio.CancelledError):
            await preparing
        hub.say_goodbye()
        for crew in (pool, outcomes, verifiers, api.courier):
            crew.close()
        await hub.peers.close()
        await store.close()


async def _chores(api: Api, pool: BotPool) -> None:
    """Periodic chores."""
    hub, swept = api.hub, 0
    if not hub.settings.redis:
        await _wake_up(hub)
    reading = True
    while True:
        if reading:
            with suppress(StorageError):
                reading = await history.read_old(hub, api.histories, OLD)
        if hub.now() - swept >= DAY:
            swept = hub.now()
            with suppress(StorageError):
                await api.sessions.sweep(swept)
        await asyncio.sleep(TICK)
        hub.tidy()
        hub.metrics.note_waiting(pool.queue.size)
        hub.metrics.flush()


async def _wake_up(hub: Hub) -> None:
    """Load the tables where a bot is to act or a clock runs, even if no client has come yet."""
    with suppress(StorageError):
        for table in await hub.store.due(FOREVER, hub.settings.tables):
            with suppress(Refusal):
                await hub.find(table)


class Server(uvicorn.Server):
    """Tells all clients when to reconnect before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, hub: Hub, porch: Porch | None = None) -> None:
        super().__init__(config)
        self._hub = hub
        self._porch = porch

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals to stop until the end, so that everything is stored and closed properly.

        (uvicorn would raise them again once its sockets are closed.)
        """
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self.handle_exit)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving: first those who came while the server was starting."""
        waiting = await asyncio.to_thread(self._porch.leave) if self._porch else []
        await super().startup(sockets)
        for connection in waiting:
            connection.setblocking(False)
            with suppress(OSError):
                await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        """Create the protocol for a connection that uvicorn has accepted."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._hub.settle()
        self._hub.say_goodbye()
        await asyncio.sleep(FAREWELL)
        await super().shutdown(sockets)


def server_of(api: Api, porch: Porch | None = None) -> Server:
    """The HTTP server around the routes."""
    settings = api.hub.settings
    arrivals = Arrivals(settings.connections_each, settings.connections, settings.is_proxy)
    config = uvicorn.Config(
        api,
        http=partial(HttpProtocol, arrivals),  # type: ignore[arg-type]
        forwarded_allow_ips=settings.proxies,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        ws=WebSocketProtocol,
        timeout_graceful_shutdown=5,
    )
    return Server(config, api.hub, porch)


async def serve(settings: Settings, listener: socket.socket, ready: Any = None, porch: Porch | None = None) -> None:
    """Serve until asked to stop."""
    logging.configure(settings.log_format)
    async with running(settings) as api:
        server = server_of(api, porch)
        calm_down()
        if ready:
            ready()
        await server.serve([listener])


def calm_down() -> None:
    """Exclude the objects created so far from garbage collection, and collect less often, so that moves do not wait for
    it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    sys.setswitchinterval(0.001)  # so that the writer's thread does not delay the loop


def _allow_files(wanted: int) -> None:
    """Raise the limit of open files to what all connections need, if the system permits."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        logging.event("few-files", allowed=most, wanted=wanted)


def run(settings: Settings, listener: socket.socket, ready: Any = None, porch: Porch | None = None) -> None:
    """Serve in a new event loop."""
    _allow_files(settings.sockets + settings.connections + FILES)
    config = uvicorn.Config("", log_config=None)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(serve(settings, listener, ready, porch))


def run_many(settings: Settings, listener: socket.socket, ready: Any = None) -> None:
    """Serve with several workers on one listening socket; one that dies is replaced."""
    # Not uvicorn's supervisor: its workers run a plain `uvicorn.Server` on an application that they import, while ours
    # open the database, the bots and the clocks around a server of their own. It also stops everything when a worker
    # cannot start (here it is tried again: a database may be away for a moment), and waits for workers without a limit.
    _prepare(settings)
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
                logging.event("worker-died", code=worker.exitcode)
                crew[place] = _worker(spawn, settings, listener)
    for worker in crew:
        worker.terminate()
    for worker in crew:
        worker.join(15)
        worker.kill()


def _prepare(settings: Settings) -> None:
    """Migrate the database before any worker starts, so that a problem is reported once."""
    store = Store(settings.database)
    try:
        store.prepare()
    finally:
        store.dispose()


def _worker(spawn: Any, settings: Settings, listener: socket.socket) -> Any:
    worker = spawn.Process(target=_work, args=(settings, listener))
    worker.start()
    return worker


def _work(settings: Settings, listener: socket.socket) -> None:
    """The main function of a worker. If the database is not available it logs a line, and is soon started again."""
    try:
        run(settings, listener)
    except ValueError as error:
        logging.event("worker-cannot-start", why=str(error))
        time.sleep(AGAIN)
        sys.exit(1)
