"""How kernels are marked, described, found and kept."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import platformdirs
import pytest
from numpy.typing import NDArray

from archipel.core import compiled, rules
from archipel.core.compiled import FACTS, Array, Group

FOLDER = """
from archipel.core import compiled
@compiled.compiled
def one_more(n): return n + 1
one_more(1)
import numba
print(one_more._cache.cache_path)
print(numba.config.CACHE_DIR)
"""

needs_compiler = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")


def chosen_folders(tmp_path: Path, **environment: str) -> tuple[Path, str]:
    """The cache folder that a new process chooses for a function, and that of everything else in it."""
    script = tmp_path / "kept.py"
    script.write_text(FOLDER)
    without = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, env=without | environment
    )
    ours, everybodys = done.stdout.split("\n")[:2]
    return Path(ours), everybodys


@needs_compiler
def test_kernels_lie_in_a_cache_folder_of_their_own(tmp_path: Path) -> None:
    ours, everybodys = chosen_folders(tmp_path)
    assert ours.parent == compiled.cache_folder()
    assert everybodys == ""
    assert compiled.cache_folder().is_relative_to(platformdirs.user_cache_dir("archipel"))


@needs_compiler
def test_the_user_may_choose_another_folder(tmp_path: Path) -> None:
    ours, _ = chosen_folders(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert ours.parent == tmp_path / "cache"


def test_a_function_stays_itself_when_compiled() -> None:
    @compiled.compiled
    def twice(n: int) -> int:
        """Two of them."""
        return 2 * n

    assert twice(4) == 8
    assert twice.__doc__ == "Two of them."
    assert getattr(twice, "py_func", twice)(4) == 8


class Pair(NamedTuple):
    """Two arguments in one."""

    much: float
    many: Annotated[NDArray[np.int64], Array("i8", 2)]


def measured(facts: rules.Facts, pair: Pair, times: int, gladly: bool) -> tuple[int, float]:
    return times, pair.much


def test_a_kernel_is_described_by_its_annotations() -> None:
    described = compiled._signature(measured)
    assert described.names == ("facts", "pair", "times", "gladly")
    assert described.arguments == (Array(FACTS), Group(Pair, (float, Array("i8", 2))), int, bool)
    assert described.result == (int, float)
    assert described.roles == (FACTS,)
    facts = np.dtype([("a", "i1")])
    assert described.concrete({FACTS: facts}).arguments[:2] == (
        Array(facts),
        Group(Pair, (float, Array(np.dtype("i8"), 2))),
    )


def test_an_array_without_a_type_is_refused() -> None:
    def vague(numbers: NDArray[Any]) -> None: ...

    with pytest.raises(TypeError, match="annotate an array"):
        compiled._signature(vague)


@pytest.mark.parametrize("kernels", ["jit", "plain"])
def test_the_environment_chooses_how_kernels_run(kernels: str) -> None:
    assert mode(ARCHIPEL_KERNELS=kernels, NUMBA_DISABLE_JIT="0") == kernels
    assert mode(ARCHIPEL_KERNELS=kernels, NUMBA_DISABLE_JIT="1") == "plain"


def mode(**environment: str) -> str:
    code = "from archipel.core import compiled; print(compiled.MODE)"
    given = os.environ | environment
    return subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True).stdout[
        :-1
    ]


def test_an_unknown_way_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import archipel.core.compiled"],
        env=os.environ | {"ARCHIPEL_KERNELS": "fast", "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.endswith("ValueError: ARCHIPEL_KERNELS must be native, jit or plain, not 'fast'.\n")


def test_without_numba_the_rules_run_as_plain_python_and_say_so() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'numba' else find(name, *rest)\n"
        "from archipel.core import native; native.find = lambda *given: None\n"
        "import archipel; state = archipel.game('stonehenge').new()\n"
        "from archipel.core import compiled; print(compiled.MODE, len(state.actions()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "plain 108\n"
    assert "pip install 'archipel[dev]' compiles them" in done.stderr


@pytest.mark.skipif(compiled.LIBRARY is None, reason="no library fits these sources: make kernels")
def test_a_library_that_comes_later_is_used_from_then_on() -> None:
    code = """
import numpy as np
from archipel.core import native
find, native.find = native.find, lambda *given: None
import archipel
from archipel.core import compiled, rules

def played():
    state, rng, found = archipel.game("stonehenge").new(), np.random.default_rng(1), []
    while state.mover != archipel.OVER:
        legal = state.actions()
        state = state.after(legal[int(rng.integers(len(legal)))])
        found.append(state._raw.tobytes())
    return found

plain = played()
assert compiled.MODE == "soon" and not compiled.arrive()
native.find = find
assert compiled.arrive() and compiled.MODE == "native"
assert rules.step.call is not rules.step.__wrapped__
assert played() == plain
print("the same")
"""
    environment = os.environ | {"ARCHIPEL_KERNELS": "soon"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("the same\n", "")
