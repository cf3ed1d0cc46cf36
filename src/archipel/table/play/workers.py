"""Pools of worker processes beside the event loop, and a queue that is fair between people and tables."""

import asyncio
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

_spawn = get_context("spawn")

PATIENCE = 60.0
"""How many seconds a piece of work may take before its process is thought to be lost."""
START = 120.0
"""How many seconds a process may take to start: it imports much, and on a busy machine that is slow."""
WAITING = 8
"""How many pieces of work one table may have waiting."""
URGENT = 3
"""How many pieces of urgent work are done before one that is not, if both wait: nobody waits for ever."""

Told = Callable[[Any], None]
Work = Callable[[Any], Any]
"""What a process does with what it is sent; found again by its name, so it stands at the top of a module."""


class _Turns:
    """Work that waits: every person in turn, and of one person every table in turn."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[str, deque[tuple[Any, Told]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def put(self, whose: str, table: str, asked: tuple[Any, Told], most: int) -> bool:
        """Line up; False if the table has too much waiting already."""
        line = self._lines.get(whose, {}).get(table, ())
        if len(line) >= most:
            return False
        self._lines.setdefault(whose, {}).setdefault(table, deque()).append(asked)
        return True

    def take(self) -> tuple[Any, Told]:
        """Whoever is next; then he stands behind all others."""
        whose = next(iter(self._lines))
        tables = self._lines.pop(whose)
        table = next(iter(tables))
        line = tables.pop(table)
        asked = line.popleft()
        if line:
            tables[table] = line
        if tables:
            self._lines[whose] = tables
        return asked


class FairQueue:
    """The work of many people at many tables: everybody in turn, and what is urgent mostly before what is not."""

    def __init__(self, most: int = WAITING) -> None:
        self._most = most
        self._urgent, self._later = _Turns(), _Turns()
        self._in_a_row = 0
        self._ready = threading.Condition()
        self._closed = False
        self.size = 0

    def put(self, table: str, task: Any, told: Told, later: bool = False, whose: str = "") -> bool:
        """Have something done for somebody; False if the table has too much waiting already."""
        with self._ready:
            turns = self._later if later else self._urgent
            if self._closed or not turns.put(whose or table, table, (task, told), self._most):
                return False
            self.size += 1
            self._ready.notify()
            return True

    def take(self) -> tuple[Any, Told] | None:
        """The next piece of work, as soon as there is one; None when there will be no more."""
        with self._ready:
            self._ready.wait_for(lambda: self.size or self._closed)
            return None if self._closed else self._next()

    def _next(self) -> tuple[Any, Told]:
        urgent = self._urgent and not (self._later and self._in_a_row >= URGENT)
        self._in_a_row = self._in_a_row + 1 if urgent else 0
        self.size -= 1
        return (self._urgent if urgent else self._later).take()

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


class WorkerPool:
    """So many processes that do one kind of work, each led by a thread.

    Work over which a process is lost is tried so many times in all; then its answer is None.
    """

    def __init__(
        self,
        name: str,
        work: Work,
        processes: int,
        tries: int = 1,
        patience: float = PATIENCE,
        most: int = WAITING,
    ) -> None:
        self.queue = FairQueue(most)
        self.count = processes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaders = [Leader(name, self.queue, self._answer, work, tries, patience) for _ in range(processes)]

    def start(self) -> None:
        """Begin; answers are told in the running loop. A process is started when it is first needed."""
        self._loop = asyncio.get_running_loop()
        for leader in self._leaders:
            leader.start()

    def close(self) -> None:
        """End all processes, whatever they do."""
        self.queue.close()
        for leader in self._leaders:
            leader.end()
        for leader in self._leaders:
            if leader.ident is not None:
                leader.join(5)

    def _answer(self, told: Told, answer: Any) -> None:
        if self._loop and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(told, answer)


class Leader(threading.Thread):
    """Hands work to one process and its answers back; starts another process when one is lost."""

    def __init__(
        self,
        name: str,
        queue: FairQueue,
        answer: Callable[[Told, Any], None],
        work: Work,
        tries: int = 1,
        patience: float = PATIENCE,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._queue = queue
        self._answer = answer
        self._work = work
        self._tries = tries
        self._patience = patience
        self._process: Any = None
        self._pipe: Any = None
        self._ended = False

    def run(self) -> None:
        while asked := self._queue.take():
            task, told = asked
            self._answer(told, self._ask(task))
        self.end()

    def _ask(self, task: Any) -> Any:
        """The answer, or None if the process was lost over it each time."""
        for _ in range(self._tries):
            try:
                if self._process is None:
                    self._begin()
                self._pipe.send(task)
                if self._pipe.poll(self._patience):
                    return self._pipe.recv()
            except (OSError, EOFError):
                pass
            self._lose()
            if self._ended:
                break
        return None

    def _begin(self) -> None:
        self._pipe, other = _spawn.Pipe()
        process = _spawn.Process(target=serve, args=(other, self._work), daemon=True)
        with _unheard(signal.SIGINT):
            process.start()
        other.close()
        self._process = process
        if self._ended:  # while the process was starting
            process.kill()
        if not self._pipe.poll(START):
            raise OSError("A worker process did not start.")
        self._pipe.recv()  # it is ready: what it takes from now on is the work's own time

    def _lose(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def end(self) -> None:
        """End the process; the thread notices."""
        self._ended = True
        if self._process is not None:
            self._process.kill()


@contextmanager
def _unheard(number: signal.Signals) -> Iterator[None]:
    """A process that is started meanwhile does not hear the signal: Ctrl-C is the server's to hear."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it hears all signals again
    known = signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, known)


def serve(pipe: "Connection[Any, Any]", work: Work) -> None:
    """A process's life: do what is asked until there is nobody left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            pipe.send(work(pipe.recv()))


def _follow() -> None:
    """Die with the server."""
    if server := parent_process():
        wait([server.sentinel])
        os._exit(0)
