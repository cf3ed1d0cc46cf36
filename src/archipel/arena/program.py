"""A bot that is a program: one process per game, which receives questions and has a time limit for each answer."""

import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from threading import RLock, Thread
from typing import Any

import numpy as np

from archipel.bots import Budget, View
from archipel.core.errors import IllegalAction

from . import wire
from .errors import ArenaError, Failed

LIMIT = 10.0
"""Seconds to answer, in addition to the bot's budget."""
START = 120.0
"""Seconds to answer hello, including loading and compiling."""
GRACE = 2.0
"""Seconds to exit after quit."""
LONGEST = 1 << 20
"""The maximum length of an answer in bytes."""


@dataclass(frozen=True)
class Program:
    """A command that starts the bot, and its time limit for an answer in seconds."""

    name: str
    command: str
    limit: float = LIMIT

    @classmethod
    def read(cls, text: str, limit: float = LIMIT) -> "Program":
        """Parse `name=command`; ArenaError if that is not possible."""
        name, equals, command = (part.strip() for part in text.partition("="))
        if not equals or not name.replace("-", "").replace("_", "").isalnum():
            raise ArenaError(f'A program is written NAME="COMMAND", as in mine="python my_bot.py", not {text!r}.')
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ArenaError(f"The command of {name} cannot be read: {error}.") from None
        if not words:
            raise ArenaError(f"The program {name} has no command.")
        return cls(name, command, limit)

    @property
    def digest(self) -> str:
        """A digest that distinguishes two commands."""
        return hashlib.sha256(self.command.encode()).hexdigest()[:16]

    def make(self, budget: Budget | None = None) -> "ProgramBot":
        """Return a new bot; its process is started when it is first needed."""
        return ProgramBot(self, budget)


class ProgramBot:
    """Plays by asking its process, which is restarted after every failure. Failed says what went wrong."""

    def __init__(self, program: Program, budget: Budget | None) -> None:
        self.program = program
        self.budget = budget
        self._process: ProgramProcess | None = None
        self._asked = 0

    def begin(self, game: str, options: dict[str, Any]) -> None:
        """Start the process if there is none, and exchange hellos."""
        if self._process is not None:
            return
        self._process = ProgramProcess(shlex.split(self.program.command))
        try:
            _check_hello(self._process.ask(wire.hello(game, options), START))
        except Failed:
            self._drop()
            raise

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        world, seed = wire.a_world(view, rng)
        self.begin(view["game"], view["options"])
        assert self._process
        self._asked += 1
        budget = budget or self.budget
        limit = self.program.limit + (budget.seconds or 0.0 if budget else 0.0)
        try:
            answer = self._process.ask(wire.question(self._asked, view, world, seed, budget, limit), limit)
            return wire.meant(_action(answer, self._asked), world)
        except IllegalAction as refusal:
            self._drop()
            raise Failed(f"not allowed: {refusal.reason}") from None
        except ValueError as refusal:
            self._drop()
            raise Failed(f"not an action: {refusal}") from None
        except Failed:
            self._drop()
            raise

    def close(self) -> None:
        """Send quit, and end the process."""
        if self._process is not None:
            self._process.quit()
            self._process = None

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


def _check_hello(answer: wire.Message) -> None:
    if answer.get("protocol") != wire.PROTOCOL or not isinstance(answer.get("name"), str):
        raise Failed(f"it did not answer hello with protocol {wire.PROTOCOL} and a name, but with {_short(answer)}")


def _action(answer: wire.Message, asked: int) -> Any:
    if answer.get("id") != asked:
        raise Failed(f"it answered question {_short(answer.get('id'))}, not {asked}")
    if "action" not in answer:
        raise Failed(f"its answer has no action: {_short(answer)}")
    return answer["action"]


def _short(value: Any) -> str:
    text = json.dumps(value) if not isinstance(value, bytes) else repr(value.decode(errors="replace"))
    return text if len(text) <= 80 else f"{text[:77]}..."


class ProgramProcess:
    """A running program with pipes to it; every error is raised as Failed.

    A thread writes questions and reads answers, so that waiting can time out: threads can wait for pipes on every
    platform, `select` only for sockets on Windows.
    """

    def __init__(self, command: list[str]) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        pipe = subprocess.PIPE
        with starting:
            try:
                # Its own session, so that processes which the program has started end with it.
                self._process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=self._errors, start_new_session=True
                )
            except OSError as error:
                self._errors.close()
                raise Failed(f"{command[0]} cannot be started: {error.strerror}") from None
            self._thread = Thread(target=self._exchange, daemon=True)
            self._thread.start()
            _running.add(self)

    def _exchange(self) -> None:
        """Write questions and read answers until there are no more questions; then send quit and close the pipes."""
        assert self._process.stdin
        assert self._process.stdout
        for question in iter(self._questions.get, None):
            with suppress(OSError):  # it may have answered and exited before it was asked
                self._process.stdin.write(question)
                self._process.stdin.flush()
            try:
                self._answers.put(self._process.stdout.readline(LONGEST + 1))
            except OSError:
                self._answers.put(b"")
        with suppress(OSError):
            self._process.stdin.write(wire.line(wire.QUIT))
        with suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()

    def ask(self, message: wire.Message, seconds: float) -> wire.Message:
        """Send a message and return the answer; Failed if it takes longer than this."""
        self._questions.put(wire.line(message))
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            raise Failed(f"it took longer than {seconds:g} s") from None
        if len(answer) > LONGEST:
            raise Failed("its answer has no end")
        if not answer.endswith(b"\n"):
            raise Failed(self._end())
        return _parsed(answer.rstrip(b"\r\n"))

    def _end(self) -> str:
        """How the process ended, and the last line of its standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        how = how if code is None or code >= 0 else f"it was ended by signal {-code}"
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2].strip()
        return f"{how}: {last}" if last else how

    def quit(self) -> None:
        """Ask the process to quit, and kill it if it does not."""
        self._questions.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self.kill()

    def kill(self) -> None:
        """Kill the process and those that it has started."""
        _kill_tree(self._process)
        self._process.wait()
        self._questions.put(None)
        self._thread.join(GRACE)
        self._errors.close()
        _running.discard(self)


def _kill_tree(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


_running: set[ProgramProcess] = set()
starting = RLock()
"""Held while a program is started, so that a thread that holds it knows that `kill_all` misses none."""


def kill_all() -> None:
    """Kill every program that this process has started."""
    for process in list(_running):
        process.kill()


def kill_all_and_start_none() -> None:
    """Kill every program, and prevent other threads from starting more; for a process that is about to exit."""
    starting.acquire()
    kill_all()


def _parsed(line: bytes) -> wire.Message:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Failed(f"it answered what is no JSON object: {_short(line)}")
    return answer
