"""Compile functions to machine code: two decorators, and three ways to run the functions that they mark.

A function marked `compiled` can be called by other compiled code. A function marked `kernel` is also called from
Python, so its annotations are complete: the same signature serves Numba, the library built ahead of time, and
WebAssembly.

- **native**: a library for each game, built from these sources, holds every kernel. Numba is never imported; only a
  game whose library is missing is compiled by it.
- **jit**: without any such library, Numba compiles on first use and keeps the result in the user's cache folder.
- **plain**: without Numba, or with ``NUMBA_DISABLE_JIT=1``, everything runs as plain Python.

The environment variable ``ARCHIPEL_KERNELS`` selects one of the three; by default the first that is available is used.
The server selects ``soon``: a game runs as plain Python until its library has been built in the background, and as
native from then on.
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from . import native, sources
from .sources import PACKAGE

Function = TypeVar("Function", bound=Callable[..., Any])

NATIVE, JIT, PLAIN, SOON = "native", "jit", "plain", "soon"
BUILDERS = ("llvmlite", "numba", "ziglang")
"""The packages that are needed to build a library."""
LIBRARIES_FOLDER = "libraries"
"""Where in the package a wheel carries its libraries."""


def _plug_ins() -> str:
    """Return a digest of the sources of installed packages that bring games, without importing them; empty if there are
    none."""
    packages = sorted({point.module.partition(".")[0] for point in entry_points(group="archipel.games")})
    specs = [spec for name in packages if (spec := find_spec(name))]
    folders = [Path(folder) for spec in specs for folder in spec.submodule_search_locations or ()]
    digest = hashlib.sha256()
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.relative_to(folder.parent).as_posix().encode() + source.read_bytes())
    return f"-{digest.hexdigest()[:16]}" if folders else ""


@cache
def cache_folder() -> Path:
    """The folder in which Numba keeps the kernels that it compiled on this machine from these sources."""
    return _user_cache() / (sources.fingerprint(sources.ours()) + _plug_ins())


def _user_cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("archipel")) / "kernels"


@cache
def built() -> Path:
    """The folder of the libraries that were built on this machine, with one folder per target."""
    checkout = PACKAGE.parents[1]
    return checkout / "build" / "kernels" if (checkout / "pyproject.toml").is_file() else _user_cache() / "built"


# Choosing a mode


def _choose() -> tuple[str, dict[str, native.Library]]:
    wanted = os.environ.get("ARCHIPEL_KERNELS", "")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        wanted = PLAIN
    if wanted not in ("", NATIVE, JIT, PLAIN, SOON):
        raise ValueError(f"ARCHIPEL_KERNELS must be {NATIVE}, {JIT} or {PLAIN}, not {wanted!r}.")
    games = sources.games(sources.ours())
    found = {game: library for game in games if wanted in ("", NATIVE, SOON) and (library := _fitting(game))}
    if len(found) == len(games):
        return NATIVE, found
    if wanted == PLAIN or (wanted == SOON and all(map(find_spec, BUILDERS))):
        return wanted, found
    if not find_spec("numba"):
        which = ", ".join(game for game in games if game not in found) if found else "the games"
        native.warn(
            f"The rules of {which} run as plain Python, hundreds of times slower: "
            "pip install 'archipel[dev]' compiles them."
        )
    return NATIVE if found else JIT if find_spec("numba") else PLAIN, found


def _fitting(game: str) -> native.Library | None:
    """Return a game's library built from these sources: the one in the package, or one built on this machine."""
    made_from = sources.of_game(sources.ours(), game)
    places = (PACKAGE / LIBRARIES_FOLDER, built() / native.here())
    return next((library for place in places if (library := native.find(game, made_from, place))), None)


MODE, LIBRARIES = _choose()
"""How kernels run in this process, and the libraries of the games that have one."""
if MODE in (PLAIN, SOON) or not find_spec("numba"):  # compiled code overflows silently, NumPy's scalars warn
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)

_waiting: list[Callable[[Any], None]] = []
"""Registrations to run if Numba is imported later."""
_numba: Any = None


def _to_numba(tell: Callable[[Any], None]) -> None:
    """Run a registration with Numba: now if it is loaded, otherwise as soon as it is."""
    if _numba is None:
        _waiting.append(tell)
    else:
        tell(_numba)


def numba_in_use() -> Any:
    """Import our Numba module, which knows every compiled function of this process."""
    global _numba  # noqa: PLW0603
    if _numba is None:
        from . import jit

        _numba = jit
        for tell in _waiting:
            tell(jit)
        _waiting.clear()
    return _numba


def _compiles(module: str) -> bool:
    """True if Numba compiles the functions of this module; a library contains those of its own modules."""
    if MODE == NATIVE:
        has = any(module in library.modules for library in LIBRARIES.values())
        return not has and find_spec("numba") is not None
    if MODE == SOON:
        return not _is_ours(module) and find_spec("numba") is not None
    return MODE == JIT


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]


def compiled(function: Function) -> Function:
    """Mark a function that compiled code may call; with Numba, Python can call it at full speed, too."""
    if _compiles(function.__module__):
        made: Function = numba_in_use().dispatcher(function)
        return made
    if MODE in (NATIVE, SOON):
        _to_numba(lambda numba: numba.adopt(function, function))
    return function


# Kernels and their signatures


class Array(NamedTuple):
    """The type of an array argument: contiguous, with this number of dimensions and this type of items.

    `of` is a NumPy type, or the name of a role: a record type that depends on the game.
    """

    of: Any
    dimensions: int = 1

    def concrete(self, roles: "Roles") -> "Array":
        """The same array type with its role replaced by a record type."""
        return Array(np.dtype(roles.get(self.of, self.of) if isinstance(self.of, str) else self.of), self.dimensions)


class Group(NamedTuple):
    """The type of a named tuple of arguments."""

    kind: type
    parts: tuple[Any, ...]

    def concrete(self, roles: "Roles") -> "Group":
        return Group(self.kind, tuple(_concrete(part, roles) for part in self.parts))


Kind = type | Array | Group
"""The type of an argument: `int`, `float`, `bool`, an array or a group."""
Roles = dict[str, "np.dtype[np.void]"]

FACTS, LORE = "facts", "lore"


class Signature(NamedTuple):
    """The argument and return types of a kernel. `result` lists `int`, `float` and `bool`: none, one, or several in a
    tuple."""

    names: tuple[str, ...]
    arguments: tuple[Kind, ...]
    result: tuple[type, ...]

    def concrete(self, roles: Roles) -> "Signature":
        """The signature for the record types of one game."""
        return self._replace(arguments=tuple(_concrete(argument, roles) for argument in self.arguments))

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that appear in the signature."""
        return tuple(dict.fromkeys(a.of for a in self.arguments if isinstance(a, Array) and a.of in (FACTS, LORE)))


class Kernel(NamedTuple):
    """A function that Python calls: its name, the game that it belongs to (None: all of them), its signature.

    `brief` kernels keep the interpreter's lock: they finish before another thread could use it. `wide` kernels take or
    return integers beyond 53 bits, which JavaScript's numbers cannot hold, so they are not built for WebAssembly.
    """

    name: str
    function: Callable[..., Any]
    game: str | None
    signature: Signature
    brief: bool
    wide: bool
    call: Callable[..., Any]


KERNELS: dict[str, Kernel] = {}
"""All kernels of the modules imported so far, by name."""


def kernel(game: str | None = None, brief: bool = False, wide: bool = False) -> Callable[[Function], Function]:
    """Mark a function that Python calls, for every game or for one."""

    def mark(function: Function) -> Function:
        name = function.__name__ if game is None else f"{game}_{function.__name__}"
        signature = _signature(function)
        call = _called(name, function)
        if _is_ours(function.__module__):
            KERNELS[name] = Kernel(name, function, game, signature, brief, wide, call)
        return call

    return mark


def _called(name: str, function: Function) -> Function:
    if MODE not in (NATIVE, SOON) or _compiles(function.__module__):
        return compiled(function)
    call: Any = _otherwise(function)
    for library in LIBRARIES.values():
        call = library.kernel(name, call)
    if MODE == SOON:
        call = _Later(name, function, call)
    _to_numba(lambda numba: numba.adopt(call, function))
    return call  # type: ignore[no-any-return]


class _Later:
    """A kernel that runs as plain Python for each game whose library is not available yet."""

    def __init__(self, name: str, function: Callable[..., Any], call: Callable[..., Any]) -> None:
        self.__wrapped__ = function
        self.name, self.call = name, call
        _later.append(self)

    def __call__(self, *arguments: Any) -> Any:
        return self.call(*arguments)


_later: list[_Later] = []
_waits = MODE == SOON


def arrive(game: str) -> bool:
    """Switch to a game's library if it has been built since this process started; True if it is in use."""
    global MODE  # noqa: PLW0603
    if MODE == SOON and game not in LIBRARIES and (library := _fitting(game)):
        LIBRARIES[game] = library
        for kernel in _later:
            kernel.call = library.kernel(kernel.name, kernel.call)
        if len(LIBRARIES) == len(sources.games(sources.ours())):
            wait_no_longer()
            MODE = NATIVE
    return game in LIBRARIES


def wait_no_longer() -> None:
    """Let Numba compile what no library has, instead of running it as plain Python until one arrives."""
    global _waits  # noqa: PLW0603
    _waits = False


def _otherwise(function: Function) -> Callable[..., Any]:
    """How a kernel runs for record types that no library contains: of a plug-in game, or of one not built yet."""

    def run(*arguments: Any) -> Any:
        compiles = not _waits and find_spec("numba")
        return (numba_in_use().adopted(function) if compiles else function)(*arguments)

    return run


def _signature(function: Callable[..., Any]) -> Signature:
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    results = () if result is type(None) else get_args(result) if get_origin(result) is tuple else (result,)
    return Signature(tuple(hints), tuple(_kind(hint) for hint in hints.values()), results)


def _kind(hint: Any) -> Kind:
    if hint in (int, float, bool):
        plain: type = hint
        return plain
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Array):
            return mark
    if hasattr(hint, "_fields"):
        return Group(hint, tuple(_kind(part) for part in get_type_hints(hint, include_extras=True).values()))
    raise TypeError(f"A kernel cannot take {hint}: annotate an array with its type and dimensions.")


def _concrete(kind: Any, roles: Roles) -> Any:
    return kind.concrete(roles) if isinstance(kind, Array | Group) else kind


# Functions that depend on a record's type, or are a single instruction


def hook(name: str, homes: dict[Any, ModuleType], silent: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Return a function that calls the function `name` of a game's module; `homes` maps the first argument's type to
    the module.

    Compiled code resolves the call at compile time, at no cost at run time. `silent` is called if the module has no
    such function.
    """

    def call(record: Any, *rest: Any) -> Any:
        return meant(homes[record.dtype])(record, *rest)

    def meant(home: ModuleType) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(home, name, silent) if silent else getattr(home, name)
        return found

    if MODE != PLAIN:
        _to_numba(lambda numba: numba.hook(call, homes, meant))
    return call


def view_as_record(states: dict[Any, Any]) -> Callable[..., Any]:
    """Return a function `record(facts, raw)` that views bytes as a record; `states` maps the type of `facts` to the
    record's type."""

    def record(facts: Any, raw: Any) -> Any:
        return raw.view(states[facts.dtype])[0]

    if MODE != PLAIN:
        _to_numba(lambda numba: numba.record(record, states))
    return record


def instruction(name: str) -> Callable[[Function], Function]:
    """Mark a function that compiled code replaces by a single instruction, listed in `jit.INSTRUCTIONS`."""

    def mark(function: Function) -> Function:
        if MODE != PLAIN:
            _to_numba(lambda numba: numba.instruction(function, name))
        return function

    return mark


# Warming up


def ready(kernel: Kernel, roles: Roles) -> None:
    """Compile a kernel for these record types, or load it from the cache, without running it."""
    if MODE == JIT:
        numba_in_use().ready(kernel.call, kernel.signature.concrete(roles))
    elif MODE == NATIVE and find_spec("numba") and not _is_built(kernel, roles):
        numba_in_use().ready(numba_in_use().adopted(kernel.function), kernel.signature.concrete(roles))


def _is_built(kernel: Kernel, roles: Roles) -> bool:
    records = [roles[role] for role in kernel.signature.roles]
    return any(library.has(kernel.name, records) for library in LIBRARIES.values())


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once, as soon as a kernel is not in the cache and must be compiled."""
    if MODE == JIT or _numba:
        with numba_in_use().announced(say):
            yield
    else:
        yield
