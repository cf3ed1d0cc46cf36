"""How rules become machine code: one decorator, and a cache that outlives the process."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba import types
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.extending import lower_builtin, type_callable

Function = TypeVar("Function", bound=Callable[..., Any])


def _fingerprint() -> str:
    """A digest of the package's sources.

    Numba notices a change in a kernel's own file only, not in the functions
    that the kernel calls; so each version of the sources has its own folder.
    """
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for pattern in ("core/*.py", "games/*/board.py", "games/*/rules.py", "bots/**/*.py"):
        for source in sorted(package.glob(pattern)):
            digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    return Path(platformdirs.user_cache_dir("archipel")) / "kernels" / _fingerprint()


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def compiled(function: Function) -> Function:
    """Compile with Numba on first use; plain Python under ``NUMBA_DISABLE_JIT=1``.

    Rules are many small functions: inlined they run a quarter faster. Nobody
    calls them from C, so Numba need not compile a way to do so.
    """
    unstubbed: dict[str, Any] = {"no_cfunc_wrapper": True}
    jit = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True, **unstubbed)
    made: Function = jit(function)
    return made


def in_place(word: Callable[..., Any], typed: Callable[[Any], Any], emitted: Callable[..., Any]) -> None:
    """Let compiled code say a word without a function of its own, which would be compiled for every type of argument.

    The word itself is what plain Python does. `typed(context)` gives a function from the arguments' types to
    the result's type, `emitted(context, builder, signature, args)` writes the code.
    """
    type_callable(word)(typed)
    lower_builtin(word, types.VarArg(types.Any))(emitted)  # type: ignore[no-untyped-call]


def ready(kernel: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for arguments of these types, or load it from the cache; nothing runs."""
    if isinstance(kernel, Dispatcher):
        kernel.compile(arguments)


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once, when the first kernel turns out to be in no cache and must be compiled."""
    teller = _Teller(say)
    with event.install_listener("numba:compile", teller):
        yield


class _Teller(event.Listener):
    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def on_start(self, event: event.Event) -> None:
        if self._say:
            say, self._say = self._say, None
            say()

    def on_end(self, event: event.Event) -> None:
        pass
