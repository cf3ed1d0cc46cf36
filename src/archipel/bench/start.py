"""The time from an empty environment and a wheel to the first game, cold and warm.

`python -m archipel.bench.start WHEEL [--jit]` installs the wheel into a new environment and prints seconds and
megabytes, then seconds to the first page and to each game's first move and first bot move: cold, with empty caches, and
again. `--jit` does the same with Numba instead of the native library.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from archipel.core import registry

from .visit import SERVED, Visitor, free_port

FIRST_MOVE = """
import sys, time, archipel
from archipel.bots import bot
import numpy as np
rng = np.random.default_rng(1)
state = archipel.game(sys.argv[1]).new()
while state.mover < 0:
    state = state.after(state.sample(rng))
if sys.argv[2] == "bot":
    state.after(bot("mcts").choose(state.view(state.mover), rng))
else:
    state.after(state.actions()[0])
"""


class Start:
    """One environment with its own home folder."""

    def __init__(self, room: Path, wheel: Path, jit: bool) -> None:
        self.folder, self.wheel, self.jit = room / "venv", wheel, jit
        self.home = room / "home"
        self.home.mkdir()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        if jit:
            self.environment["ARCHIPEL_KERNELS"] = "jit"
        else:
            self.environment["ARCHIPEL_KERNELS"] = "native"

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def install(self) -> None:
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        before, start = self._size(), time.perf_counter()
        what = f"{self.wheel}[dev]" if self.jit else str(self.wheel)
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", what], check=True)
        seconds = time.perf_counter() - start
        size = self._size()
        print(f"installed in {seconds:.1f} s, {size - before:.0f} MB; {size:.0f} MB with pip", flush=True)

    def _size(self) -> float:
        """The size of the environment in megabytes."""
        return sum(f.stat().st_size for f in self.folder.rglob("*") if f.is_file() and not f.is_symlink()) / 1e6

    def run(self, *command: str) -> tuple[float, float]:
        """Run a program of the environment; return wall and CPU seconds."""
        before, start = os.times(), time.perf_counter()
        subprocess.run([self.python, *command], check=True, env=self.environment, capture_output=True)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return time.perf_counter() - start, used

    def visit(self, time_of_day: str) -> None:
        """Start `archipel`; print seconds to its first page, and to the first move of a bot of each game."""
        port = free_port()
        command: list[str | Path] = [self.folder / "bin" / "archipel", "serve", "--no-browser", "--port", str(port)]
        command += ["--database", str(self.home / f"{port}.sqlite3")]
        visitor = Visitor(port, time.perf_counter())
        server = subprocess.Popen(command, env=self.environment | SERVED, stdout=subprocess.DEVNULL)
        try:
            print(f"{time_of_day}: first page after {visitor.page():.2f} s", flush=True)
            visitor.bots(lambda game, seconds: print(f"{time_of_day}: {game}, at a table: a bot after {seconds:.2f} s"))
        finally:
            server.terminate()
            server.wait(20)


def main(wheel: str, jit: bool) -> None:
    with TemporaryDirectory() as room:
        start = Start(Path(room), Path(wheel).resolve(), jit)
        start.install()
        for time_of_day in ("cold", "warm"):
            start.visit(time_of_day)
            for name in registry.own():
                for who in ("person", "bot"):
                    wall, used = start.run("-c", FIRST_MOVE, name, who)
                    print(f"{time_of_day}: {name}, first move of a {who}: {wall:.2f} s, {used:.2f} CPU s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], "--jit" in sys.argv)
