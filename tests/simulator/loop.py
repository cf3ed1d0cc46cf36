"""Simulated time: an event loop whose clock jumps to whatever is due next, and processes that can be stalled or killed.

Whatever runs belongs to the process in whose context it was scheduled, so that a process takes all its callbacks with
it when it dies, and runs them late when it was stalled.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

PROCESS: ContextVar["Process | None"] = ContextVar("process", default=None)
"""The simulated process that is running; None: the world outside, browsers included."""


class Process:
    """One server process: `skew` is by how many seconds its wall clock is wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.stalled = False
        self.skew = 0.0
        self.held: deque[asyncio.Handle] = deque()
        self.context: Context = copy_context()
        self.context.run(PROCESS.set, self)


class Loop(asyncio.BaseEventLoop):
    """Runs one callback after the other, in an order that depends on nothing but what they do."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0.0
        self.turns = 0
        self.thread_delay: Callable[[], float] = lambda: 0.0
        """How long something takes that production does in a thread."""
        self._tasks: list[asyncio.Task[Any]] = []
        """Kept until the end: a task that is forgotten would clean up while others still run."""
        self._ending = False
        self.set_task_factory(self._make_task)

    def _make_task(self, loop: Any, work: Any, context: Context | None = None) -> "asyncio.Task[Any]":
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
        self._tasks.append(task)
        return task

    def finish(self) -> None:
        """End all that still runs, also what belonged to the dead."""
        self._ending = True
        pending = [task for task in self._tasks if not task.done()]
        for task in pending:
            task.cancel()
        if pending:
            self.run_until_complete(asyncio.wait(pending, timeout=60.0))
        self._tasks.clear()
        self.close()

    def time(self) -> float:
        return self._at

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Do it a little later, and tell the result a little later again."""
        done = self.create_future()
        self.call_later(self.thread_delay(), self._in_thread, done, func, args)
        return done

    def _in_thread(self, done: "asyncio.Future[Any]", func: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            result, error = func(*args), None
        except Exception as raised:
            result, error = None, raised
        self.call_later(self.thread_delay(), _told, done, result, error)

    def _run_once(self) -> None:
        internals: Any = self
        while not internals._ready:
            if not internals._scheduled:
                raise RuntimeError("Nothing will ever happen again: the simulated world stands still.")
            self._advance(internals._scheduled, internals._ready)
        handle = internals._ready.popleft()
        if handle._cancelled:
            return
        self.turns += 1
        process = handle._context.get(PROCESS)
        if process is None or process.alive or self._ending:
            if process is not None and process.stalled and not self._ending:
                process.held.append(handle)
            else:
                handle._run()

    def _advance(self, scheduled: list[Any], ready: deque[Any]) -> None:
        """Let time pass until something is due."""
        timer = heapq.heappop(scheduled)
        timer._scheduled = False
        if not timer._cancelled:
            self._at = max(self._at, timer._when)
            ready.append(timer)

    def stall(self, process: Process, seconds: float) -> None:
        """Have a process do nothing for a while; what it missed it does afterwards, in order."""
        process.stalled = True
        self.call_later(seconds, self._go_on, process, context=Context())

    def _go_on(self, process: Process) -> None:
        process.stalled = False
        internals: Any = self
        internals._ready.extend(process.held)
        process.held.clear()


def _told(done: "asyncio.Future[Any]", result: Any, error: Exception | None) -> None:
    if not done.done():
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)
