"""Those who think for bots: a few processes, so that the loop never waits, and a queue that is fair between tables."""

import asyncio
import os
import random
import secrets
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np
from msgspec import Struct

from archipel.bots import BOTS, Bot, Budget, bot, levels
from archipel.bots.thought import Thought
from archipel.core.state import State

from .live import Live

_spawn = get_context("spawn")

ADVISER = "mcts"
ADVICE = Budget(simulations=10_000)
PATIENCE = 60.0
"""How many seconds a bot may take before its process is thought to be lost."""
WAITING = 8
"""How many questions one table may have waiting."""


class Question(Struct, gc=False):
    """What somebody is to think about: a view, and nothing else."""

    level: str
    view: dict[str, Any]
    seed: int
    advice: bool = False


Told = Callable[[Any], None]


class FairQueue:
    """Questions of many tables: every table in turn, and those of bots before those of the curious."""

    def __init__(self) -> None:
        self._lines: tuple[dict[str, deque[tuple[Question, Told]]], ...] = ({}, {})
        self._ready = threading.Condition()
        self._closed = False
        self.size = 0

    def put(self, table: str, question: Question, told: Told) -> bool:
        """Have something thought about; False if the table has too much waiting already."""
        with self._ready:
            line = self._lines[question.advice].setdefault(table, deque())
            if len(line) >= WAITING or self._closed:
                return False
            line.append((question, told))
            self.size += 1
            self._ready.notify()
            return True

    def take(self) -> tuple[Question, Told] | None:
        """The next question, as soon as there is one; None when there will be no more."""
        with self._ready:
            self._ready.wait_for(lambda: self.size or self._closed)
            return None if self._closed else self._next()

    def _next(self) -> tuple[Question, Told]:
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


class Pool:
    """So many processes that think, each led by a thread; `pace` times as slowly as a person answers."""

    def __init__(self, processes: int = 0, pace: float = 1.0) -> None:
        self.pace = pace
        self.queue = FairQueue()
        self._count = processes or max(1, (os.cpu_count() or 1) - 1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaders: list[Leader] = []

    def start(self) -> None:
        """Begin; answers are told in the running loop. A process is started when it is first needed."""
        self._loop = asyncio.get_running_loop()
        self._leaders = [Leader(self.queue, self._answer) for _ in range(self._count)]
        for leader in self._leaders:
            leader.start()

    def close(self) -> None:
        """End all processes, whatever they think about."""
        self.queue.close()
        for leader in self._leaders:
            leader.end()
        for leader in self._leaders:
            leader.join(5)

    def _answer(self, told: Told, answer: Any) -> None:
        if self._loop and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(told, answer)

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""
        return list(levels.NAMES)

    def knows(self, level: str) -> bool:
        """May a seat be given to a bot of this name? Bots that are no levels play too, with the budget they have."""
        return level in levels.NAMES or level in BOTS

    def choose(self, live: Live, told: Callable[[int], None]) -> None:
        """Have the bot that is to act at a table choose. If it fails, any legal action must do."""
        state, level = live.table.state, live.table.bot_to_move() or ""
        question = Question(level, state.view(state.mover), secrets.randbits(63))
        legal, due = state.actions(), time.monotonic() + self.pace * _pace(level, state)

        def answered(action: Any) -> None:
            chosen = action if action in legal else random.choice(legal)
            asyncio.get_running_loop().call_later(max(0.0, due - time.monotonic()), told, chosen)

        if not self.queue.put(live.id, question, answered):
            answered(None)

    def advise(self, live: Live, view: dict[str, Any], told: Callable[[Thought | None], None]) -> None:
        """Have somebody strong think about a view."""
        question = Question(ADVISER, view, secrets.randbits(63), advice=True)
        if not self.queue.put(live.id, question, told):
            told(None)


def _pace(level: str, state: State) -> float:
    """How many seconds a person would take: a level's answer comes no sooner, or nobody could follow it.

    How many choices the bot has may tell what it holds, so they are counted as an onlooker might imagine them.
    """
    if level not in levels.NAMES:
        return 0.0
    imagined = state.redealt(None, np.random.default_rng(0))
    return levels.level(level, state.game.name).pace.seconds(len(imagined.actions()))


class Leader(threading.Thread):
    """Hands questions to one process and its answers back; starts another process when one is lost."""

    def __init__(self, queue: FairQueue, answer: Callable[[Told, Any], None]) -> None:
        super().__init__(name="bots", daemon=True)
        self._queue = queue
        self._answer = answer
        self._process: Any = None
        self._pipe: Any = None
        self._ended = False

    def run(self) -> None:
        while asked := self._queue.take():
            question, told = asked
            self._answer(told, self._ask(question))
        self.end()

    def _ask(self, question: Question) -> Any:
        """The answer, or None if the process was lost over it."""
        try:
            if self._process is None:
                self._begin()
            self._pipe.send(question)
            if self._pipe.poll(PATIENCE):
                return self._pipe.recv()
        except (OSError, EOFError):
            pass
        self._lose()
        return None

    def _begin(self) -> None:
        self._pipe, other = _spawn.Pipe()
        self._process = _spawn.Process(target=serve, args=(other,), daemon=True)
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


def serve(pipe: "Connection[Any, Any]") -> None:
    """A process's life: think about what is asked until there is nobody left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(think(pipe.recv()))


def _follow() -> None:
    """Die with the server."""
    if server := parent_process():
        wait([server.sentinel])
        os._exit(0)


def think(question: Question) -> Any:
    """The action that a bot chooses, or what an adviser thinks; None if it cannot."""
    rng = np.random.default_rng(question.seed)
    try:
        if question.advice:
            return _advice(question, rng)
        return _bot(question.level).choose(question.view, rng)
    except Exception:  # whatever a bot does, the next question must be answered
        return None


@lru_cache(maxsize=16)
def _bot(level: str) -> Bot:
    """A bot keeps its tree between questions, so that it need not be grown from bare ground."""
    return bot(level)


def _advice(question: Question, rng: np.random.Generator) -> Thought:
    adviser: Any = _bot(question.level)
    thought: Thought = adviser.think(question.view, rng, ADVICE)
    return thought
