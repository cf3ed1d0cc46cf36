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

needs_libraries = pytest.mark.needs(compiled.LIBRARIES, "libraries of these sources: make kernels")
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


PLAYED = """
import numpy as np
from archipel.core import native
find, there = native.find, set()
native.find = lambda game, *given: find(game, *given) if game in there else None
import archipel
from archipel.core import compiled, rules

def played(name):
    state, rng, found = archipel.game(name).new(), np.random.default_rng(1), []
    while state.mover != archipel.OVER:
        legal = state.actions() if state.mover >= 0 else [state.sample(rng)]
        state = state.after(legal[int(rng.integers(len(legal)))])
        found.append(state._raw.tobytes())
    return found
"""


def run(code: str, before: str = "", **environment: str) -> tuple[str, str]:
    """What a new process prints and complains of, in which `there` names the games whose libraries can be found."""
    command = [sys.executable, "-c", PLAYED.replace("import archipel\n", f"{before}\nimport archipel\n", 1) + code]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


@needs_libraries
def test_a_library_that_comes_later_is_used_from_then_on() -> None:
    code = """
games = "kahuna", "stonehenge"
plain = [played(game) for game in games]
assert compiled.MODE == "soon" and not compiled.arrive("kahuna")
for game in ("stonehenge", "kahuna"):
    before = rules.step.call
    there.add(game)
    assert compiled.arrive(game) and compiled.MODE == "soon"
    assert rules.step.call is not before
    assert [played(game) for game in games] == plain
there |= {"krakatoa", "kula_kula"}
assert compiled.arrive("krakatoa") and compiled.arrive("kula_kula") and compiled.MODE == "native"
assert [played(game) for game in games] == plain
print("the same")
"""
    assert run(code, ARCHIPEL_KERNELS="soon") == ("the same\n", "")


@needs_libraries
def test_a_game_without_a_library_is_the_only_one_that_is_not_native() -> None:
    without_numba = """
import importlib.util as u
spec = u.find_spec
u.find_spec = lambda name, *rest: None if name == "numba" else spec(name, *rest)
there |= {"kahuna", "krakatoa", "kula_kula"}
"""
    code = """
assert compiled.MODE == "native" and "stonehenge" not in compiled.LIBRARIES
print(len(played("stonehenge")) > 10, len(played("kahuna")) > 10)
"""
    said, complained = run(code, without_numba, NUMBA_DISABLE_JIT="0")
    assert said == "True True\n", complained
    assert "The rules of stonehenge run as plain Python" in complained
    assert "overflow" not in complained
