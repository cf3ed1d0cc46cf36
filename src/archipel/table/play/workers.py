"""Pools of worker processes beside the event loop, and a queue that is fair between people and tables."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from archipel.workers import Work, WorkerLost, WorkerProcess

PATIENCE = 60.0
"""How many seconds a piece of work may take before its process is thought to be lost."""
START = 120.0
"""How many seconds a process may take to start: it imports much, and on a busy machine that is slow."""
WAITING = 8
"""How many pieces of work one table may have waiting."""
URGENT = 3
"""How many pieces of urgent work are done before one that is not, if both wait: nobody waits for ever."""

Told = Callable[[Any], None]


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
        self._worker: WorkerProcess | None = None
        self._ended = False

    def run(self) -> None:
        while asked := self._queue.take():
            task, told = asked
            self._answer(told, self._ask(task))
        self._lose()

    def _ask(self, task: Any) -> Any:
        """The answer, or None if the process was lost at every attempt."""
        for _ in range(self._tries):
            try:
                worker = self._worker or self._begin()
                worker.send(task)
                return worker.receive(self._patience)
            except WorkerLost:
                self._lose()
            if self._ended:
                break
        return None

    def _begin(self) -> WorkerProcess:
        """Start a process and wait until it is ready, so that `patience` counts the task's own time."""
        self._worker = WorkerProcess(self._work)
        if self._ended:  # while the process was starting
            self._worker.kill()
        self._worker.wait_until_ready(START)
        return self._worker

    def _lose(self) -> None:
        """Stop the process, if there is one."""
        if worker := self._worker:
            self._worker = None
            worker.stop()

    def end(self) -> None:
        """Kill the process from another thread; the leader's own thread notices."""
        self._ended = True
        if worker := self._worker:
            worker.kill()
