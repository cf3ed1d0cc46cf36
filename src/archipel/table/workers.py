"""Processes that work beside the loop, so that it never waits, and a queue that is fair between tables."""

import asyncio
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

_spawn = get_context("spawn")

PATIENCE = 60.0
"""How many seconds a piece of work may take before its process is thought to be lost."""
WAITING = 8
"""How many pieces of work one table may have waiting."""

Told = Callable[[Any], None]
Work = Callable[[Any], Any]
"""What a process does with what it is sent; found again by its name, so it stands at the top of a module."""


class FairQueue:
    """The work of many tables: every table in turn, and what is urgent before what is not."""

    def __init__(self) -> None:
        self._lines: tuple[dict[str, deque[tuple[Any, Told]]], ...] = ({}, {})
        self._ready = threading.Condition()
        self._closed = False
        self.size = 0

    def put(self, table: str, task: Any, told: Told, later: bool = False) -> bool:
        """Have something done; False if the table has too much waiting already."""
        with self._ready:
            line = self._lines[later].setdefault(table, deque())
            if len(line) >= WAITING or self._closed:
                return False
            line.append((task, told))
            self.size += 1
            self._ready.notify()
            return True

    def take(self) -> tuple[Any, Told] | None:
        """The next piece of work, as soon as there is one; None when there will be no more."""
        with self._ready:
            self._ready.wait_for(lambda: self.size or self._closed)
            return None if self._closed else self._next()

    def _next(self) -> tuple[Any, Told]:
        lines = self._lines[0] or self._lines[1]
        table = next(iter(lines))
        line = lines.pop(table)
        asked = line.popleft()
        if line:
            lines[table] = line  # at the end: the others come first
        self.size -= 1
        return asked

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


class Crew:
    """So many processes that do one kind of work, each led by a thread.

    Work over which a process is lost is tried so many times in all; then its answer is None.
    """

    def __init__(self, name: str, work: Work, processes: int, tries: int = 1) -> None:
        self.queue = FairQueue()
        self.count = processes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaders = [Leader(name, self.queue, self._answer, work, tries) for _ in range(processes)]

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

    def waited_for(self, table: str, task: Any) -> Any:
        """The answer to something that is not urgent, or None. It waits: not to be called in the loop."""
        answer: Future[Any] = Future()
        if not self.queue.put(table, task, answer.set_result, later=True):
            return None
        with suppress(TimeoutError):
            return answer.result(PATIENCE)
        return None


class Leader(threading.Thread):
    """Hands work to one process and its answers back; starts another process when one is lost."""

    def __init__(
        self, name: str, queue: FairQueue, answer: Callable[[Told, Any], None], work: Work, tries: int = 1
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._queue = queue
        self._answer = answer
        self._work = work
        self._tries = tries
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
                if self._pipe.poll(PATIENCE):
                    return self._pipe.recv()
            except (OSError, EOFError):
                pass
            self._lose()
            if self._ended:
                break
        return None

    def _begin(self) -> None:
        self._pipe, other = _spawn.Pipe()
        self._process = _spawn.Process(target=serve, args=(other, self._work), daemon=True)
        with _unheard(signal.SIGINT):
            self._process.start()
        other.close()

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
        while True:
            pipe.send(work(pipe.recv()))


def _follow() -> None:
    """Die with the server."""
    if server := parent_process():
        wait([server.sentinel])
        os._exit(0)
