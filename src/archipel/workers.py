"""One worker process: it carries out tasks that it receives through a pipe, and ends with the process that started it.

Arena and table server schedule their own work; both start, watch and stop their processes with this module.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

_spawn = get_context("spawn")

Work = Callable[[Any], Any]
"""The function that a process applies to every task. It is pickled, so it is defined at the top of a module."""
CleanUp = Callable[[], None]
"""Called in the process before it exits, also when it is stopped. Pickled like `Work`."""


class WorkerLost(Exception):
    """The process has died, or it did not answer in time."""


class WorkerProcess:
    """A process that answers every task with `work(task)`, in the order in which the tasks were sent.

    The process ends when the leash is closed: by `release`, by `stop`, or because this process has ended in any way.
    """

    def __init__(self, work: Work, clean_up: CleanUp | None = None) -> None:
        self.pipe, pipe = _spawn.Pipe()
        """Readable when an answer has arrived or the process has died; for `multiprocessing.connection.wait`."""
        self._leash, leash = _spawn.Pipe()
        self.process = _spawn.Process(target=_serve, args=(pipe, leash, work, clean_up), daemon=True)
        with _interrupts_blocked():
            self.process.start()
        pipe.close()
        leash.close()

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the process has imported `work`; WorkerLost if that takes longer than this."""
        try:
            if self._leash.poll(seconds):
                self._leash.recv()
                return
        except (EOFError, OSError):
            pass
        raise WorkerLost

    def send(self, task: Any) -> None:
        """Queue a task; WorkerLost if the process has died."""
        try:
            self.pipe.send(task)
        except OSError:
            raise WorkerLost from None

    def receive(self, seconds: float | None = None) -> Any:
        """Wait for the next answer; WorkerLost if the process dies, or after this many seconds."""
        try:
            if self.pipe.poll(seconds):
                return self.pipe.recv()
        except (EOFError, OSError):
            pass
        raise WorkerLost

    def release(self) -> None:
        """Tell the process to clean up and exit, without waiting for it."""
        self._leash.close()

    def kill(self) -> None:
        """Kill the process without clean-up; safe to call from another thread than the one that uses the worker."""
        with suppress(ValueError):  # the other thread has stopped it already
            self.process.kill()

    def stop(self, grace: float = 0.0) -> None:
        """End the process and free what it holds here; it has `grace` seconds to clean up before it is killed."""
        self.release()
        if grace:
            self.process.join(grace)
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes with SIGINT blocked: Ctrl-C is for the main process, which then stops its workers.

    A signal mask can be set in any thread; a handler only in the main thread.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: "Connection[Any, Any]", leash: "Connection[None, None]", work: Work, clean_up: CleanUp | None) -> None:
    """The main loop of a worker process: carry out tasks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if clean_up:
        signal.signal(signal.SIGTERM, lambda *_: _exit(clean_up))
    threading.Thread(target=_watch, args=(leash, clean_up), daemon=True).start()
    with suppress(EOFError, OSError):
        leash.send(None)
        while True:
            pipe.send(work(pipe.recv()))


def _watch(leash: "Connection[None, None]", clean_up: CleanUp | None) -> None:
    """Exit when the other end of the leash is closed.

    This is a thread, because a signal handler would run only after the compiled code that the main thread executes.
    """
    wait([leash])
    _exit(clean_up)


def _exit(clean_up: CleanUp | None) -> None:
    if clean_up:
        clean_up()
    os._exit(0)


def cores() -> int:
    """The number of processes that can run at once on this machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
