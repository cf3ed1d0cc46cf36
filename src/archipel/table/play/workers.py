"""Pools of worker processes beside the event loop, and a queue that is fair between people and tables."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from archipel.workers import Work, WorkerLost, WorkerProcess

PATIENCE = 60.0
"""Seconds that a task may take before its process is considered lost."""
START = 120.0
"""Seconds that a process may take to start: its imports are slow on a busy machine."""
WAITING = 8
"""How many tasks of one table may wait."""
URGENT = 3
"""How many urgent tasks are done before one that is not urgent, if both wait, so that no task waits for ever."""

Callback = Callable[[Any], None]


class _Turns:
    """Waiting tasks: people take turns, and for each person their tables take turns."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[str, deque[tuple[Any, Callback]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def put(self, whose: str, table: str, asked: tuple[Any, Callback], most: int) -> bool:
        """Queue a task; False if too many tasks of the table wait already."""
        line = self._lines.get(whose, {}).get(table, ())
        if len(line) >= most:
            return False
        self._lines.setdefault(whose, {}).setdefault(table, deque()).append(asked)
        return True

    def take(self) -> tuple[Any, Callback]:
        """Return the next task; its person then queues behind all others."""
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
    """The tasks of many people at many tables: people take turns, and urgent tasks mostly come first."""

    def __init__(self, most: int = WAITING) -> None:
        self._most = most
        self._urgent, self._later = _Turns(), _Turns()
        self._in_a_row = 0
        self._ready = threading.Condition()
        self._closed = False
        self.size = 0

    def put(self, table: str, task: Any, callback: Callback, later: bool = False, whose: str = "") -> bool:
        """Queue a task for somebody; False if too many tasks of the table wait already."""
        with self._ready:
            turns = self._later if later else self._urgent
            if self._closed or not turns.put(whose or table, table, (task, callback), self._most):
                return False
            self.size += 1
            self._ready.notify()
            return True

    def take(self) -> tuple[Any, Callback] | None:
        """Wait for the next task; None after `close`."""
        with self._ready:
            self._ready.wait_for(lambda: self.size or self._closed)
            return None if self._closed else self._next()

    def _next(self) -> tuple[Any, Callback]:
        urgent = self._urgent and not (self._later and self._in_a_row >= URGENT)
        self._in_a_row = self._in_a_row + 1 if urgent else 0
        self.size -= 1
        return (self._urgent if urgent else self._later).take()

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


class WorkerPool:
    """A pool of `processes` worker processes for one kind of work, each controlled by a thread.

    A task whose process is lost is tried `tries` times in all; then its answer is None.
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
        """Start the threads; answers are passed to callbacks in the running loop. A process is started when it is first
        needed."""
        self._loop = asyncio.get_running_loop()
        for leader in self._leaders:
            leader.start()

    def close(self) -> None:
        """Kill all processes."""
        self.queue.close()
        for leader in self._leaders:
            leader.end()
        for leader in self._leaders:
            if leader.ident is not None:
                leader.join(5)

    def _answer(self, callback: Callback, answer: Any) -> None:
        if self._loop and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(callback, answer)


class Leader(threading.Thread):
    """A thread that sends tasks to one process and returns its answers; it replaces a process that is lost."""

    def __init__(
        self,
        name: str,
        queue: FairQueue,
        answer: Callable[[Callback, Any], None],
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
            task, callback = asked
            self._answer(callback, self._ask(task))
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
