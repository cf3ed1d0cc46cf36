"""A bot of one's own that is a program: a process for each game, which is asked and has so long to answer."""

import hashlib
import json
import os
import select
import shlex
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from time import monotonic
from typing import Any

import numpy as np

from archipel.bots import Budget, View
from archipel.core.errors import IllegalAction

from . import ArenaError, Failed, wire

LIMIT = 10.0
"""Seconds for an answer, beside what the bot's budget allows."""
START = 120.0
"""Seconds for a hello: whatever has to be loaded or compiled is, by then."""
GRACE = 2.0
"""Seconds to end in after a quit."""
LONGEST = 1 << 20
"""Bytes in an answer."""


@dataclass(frozen=True)
class Program:
    """A command that starts the bot, and the seconds that it has for an answer."""

    name: str
    command: str
    limit: float = LIMIT

    @classmethod
    def read(cls, text: str, limit: float = LIMIT) -> "Program":
        """A program as it is written, `name=command`; ArenaError if that cannot be."""
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
        """What tells two commands apart."""
        return hashlib.sha256(self.command.encode()).hexdigest()[:16]

    def make(self, budget: Budget | None = None) -> "ProgramBot":
        """A bot that has played nothing yet; no process runs before it is needed."""
        return ProgramBot(self, budget)


class ProgramBot:
    """Asks its process, which is started anew after every failure; Failed says what was wrong."""

    def __init__(self, program: Program, budget: Budget | None) -> None:
        self.program = program
        self.budget = budget
        self._talk: Talk | None = None
        self._asked = 0

    def begin(self, game: str, options: dict[str, Any]) -> None:
        """Start the process if there is none, and exchange hellos."""
        if self._talk is not None:
            return
        self._talk = Talk(shlex.split(self.program.command))
        try:
            _check_hello(self._talk.ask(wire.hello(game, options), START))
        except Failed:
            self._drop()
            raise

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        world, seed = wire.a_world(view, rng)
        self.begin(view["game"], view["options"])
        assert self._talk
        self._asked += 1
        budget = budget or self.budget
        limit = self.program.limit + (budget.seconds or 0.0 if budget else 0.0)
        try:
            answer = self._talk.ask(wire.question(self._asked, view, world, seed, budget, limit), limit)
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
        """Say quit, and end the process."""
        if self._talk is not None:
            self._talk.quit()
            self._talk = None

    def _drop(self) -> None:
        if self._talk is not None:
            self._talk.kill()
            self._talk = None


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


class Talk:
    """A process with pipes to it; whatever goes wrong is a Failed."""

    def __init__(self, command: list[str]) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115 (closed with the process)
        pipe = subprocess.PIPE
        try:
            # A session of its own: if the program has started others, they end with it.
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=self._errors, bufsize=0, start_new_session=True
            )
        except OSError as error:
            self._errors.close()
            raise Failed(f"{command[0]} cannot be started: {error.strerror}") from None
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout
        for end in (self._in, self._out):
            os.set_blocking(end.fileno(), False)
        self._heard = b""
        _talks.add(self)

    def ask(self, message: wire.Message, seconds: float) -> wire.Message:
        """Say something, and hear the answer within so many seconds."""
        deadline = monotonic() + seconds
        try:
            self._say(wire.line(message), deadline)
            return _parsed(self._line(deadline))
        except TimeoutError:
            raise Failed(f"it took longer than {seconds:g} s") from None
        except (BrokenPipeError, EOFError):
            raise Failed(self._end()) from None

    def _say(self, line: bytes, deadline: float) -> None:
        while line:
            _, ready, _ = select.select([], [self._in], [], max(0.0, deadline - monotonic()))
            if not ready:
                raise TimeoutError
            line = line[os.write(self._in.fileno(), line) :]

    def _line(self, deadline: float) -> bytes:
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._out], [], [], max(0.0, deadline - monotonic()))
            if not ready:
                raise TimeoutError
            heard = os.read(self._out.fileno(), 1 << 16)
            if not heard:
                raise EOFError
            self._heard += heard
            if len(self._heard) > LONGEST:
                raise Failed("its answer has no end")
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _end(self) -> str:
        """How the process has ended, and its last word."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        how = how if code is None or code >= 0 else f"it was ended by signal {-code}"
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2].strip()
        return f"{how}: {last}" if last else how

    def quit(self) -> None:
        """Say quit and give it a moment."""
        with suppress(OSError, TimeoutError):
            self._say(wire.line(wire.QUIT), monotonic() + GRACE)
        self._in.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self.kill()

    def kill(self) -> None:
        """End the process, and those that it has started, whatever they are doing."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for file in (self._in, self._out, self._errors):
            with suppress(OSError):
                file.close()
        _talks.discard(self)


_talks: set[Talk] = set()


def kill_all() -> None:
    """End every program that this process has started."""
    for talk in list(_talks):
        talk.kill()


def _parsed(line: bytes) -> wire.Message:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Failed(f"it answered what is no JSON object: {_short(line)}")
    return answer
