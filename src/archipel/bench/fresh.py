"""What a new process needs: memory for many states, and time to start."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory

import archipel
from archipel.core import registry

from .measuring import Effort, Row, Step, Target

_PLAY = """
import sys, archipel, numpy
game = archipel.game(sys.argv[1])
rng = numpy.random.default_rng(1)
def walk():
    state = game.new()
    while state.mover != archipel.OVER:
        yield state
        if state.mover == archipel.CHANCE:
            state = state.after(state.sample(rng))
        else:
            legal = state.actions()
            state = state.after(legal[int(rng.random() * len(legal))])
"""

KEEP = (
    _PLAY
    + """
import tracemalloc
def keep(count):
    states = []
    while len(states) < count:
        states.extend(walk())
    return states
keep(1)
tracemalloc.start()
states = keep(int(sys.argv[2]))
print(tracemalloc.get_traced_memory()[0] / len(states))
"""
)

IMPORT = """
from time import perf_counter
start = perf_counter()
import archipel
print(perf_counter() - start)
"""

FIRST_GAME = f"""
from time import perf_counter
start = perf_counter()
{_PLAY}
for state in walk(): pass
print(perf_counter() - start)
"""

COMPILE = """
import sys, time, archipel
from archipel.core import rules
for _ in rules.warm(archipel.game(sys.argv[1]).facts): pass
print(time.process_time())
"""


def steps(names: list[str], effort: Effort) -> list[Step]:
    """Sizes first; compiling, which takes longest, last."""
    compiles = effort.compiles and find_spec("numba")
    return [
        *(Step(f"{name}: the size of a state", partial(sizes, name, effort)) for name in names),
        Step("import archipel", partial(importing, effort)),
        *(Step(f"{name}: the first game", partial(first_game, name, effort)) for name in names),
        *(Step(f"{name}: compiling its rules", partial(compiling, name, effort)) for name in names if compiles),
    ]


def sizes(name: str, effort: Effort) -> list[Row]:
    state = archipel.game(name).new()
    title, record = state.game.title, state.game.rules.state.itemsize
    objects = sys.getsizeof(state) + sys.getsizeof(state._raw)
    bytes_each = child(KEEP, name, str(effort.states))  # as many as a million of them have megabytes
    return [
        Row("Bytes of a state's record", title, record),
        Row("Bytes of a state with its Python objects", title, objects),
        Row("Megabytes of a million states kept", title, bytes_each, target=Target(1000, most=True)),
    ]


def importing(effort: Effort) -> list[Row]:
    seconds = best(lambda: child(IMPORT), effort.rounds)
    return [Row("Seconds for import archipel in a fresh process", "archipel", seconds, target=Target(0.5, most=True))]


def first_game(name: str, effort: Effort) -> list[Row]:
    child(FIRST_GAME, name)  # fills the cache
    seconds = best(lambda: child(FIRST_GAME, name), effort.rounds)
    part = "Seconds for import and first game in a fresh process, compiled before"
    return [Row(part, _title(name), seconds, target=Target(1, most=True))]


def compiling(name: str, effort: Effort) -> list[Row]:
    seconds = best(lambda: _compile(name), effort.compiles)
    part = "CPU seconds for Numba to compile all rules of a game, nothing being compiled before"
    return [Row(part, _title(name), seconds, target=Target(15, most=True))]


def _compile(name: str) -> float:
    with TemporaryDirectory() as folder:
        return child(COMPILE, name, NUMBA_CACHE_DIR=folder, ARCHIPEL_KERNELS="jit")


def _title(name: str) -> str:
    return registry.kind(name).title


def best(measure: Callable[[], float], rounds: int) -> float:
    return min(measure() for _ in range(rounds))


def child(code: str, *argv: str, **environment: str) -> float:
    """The number that this code prints, run in a new process."""
    command = [sys.executable, "-c", code, *argv]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | environment)
    return float(done.stdout)
