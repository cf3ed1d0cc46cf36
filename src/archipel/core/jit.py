"""Everything that this package uses of Numba. Imported only if something must be compiled."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import numba
from numba import types
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, UserProvidedCacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.extending import lower_builtin, type_callable

from .compiled import Array, Group, Signature, cache_folder

LOW_63 = (1 << 63) - 1


# Functions


class _Locator(UserProvidedCacheLocator):
    """Gives our kernels a cache folder of their own, independent of Numba's settings for the process."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        if not numba.config.CACHE_DIR:  # type: ignore[attr-defined]
            self._cache_path = str(cache_folder() / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Any:
        # Skips the parent class, which asks for a folder for the whole process.
        return super(UserProvidedCacheLocator, cls).from_function(function, file)


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _Cache(FunctionCache):
    _impl_class = _CacheImpl


_made: list[Any] = []


def dispatcher(function: Callable[..., Any]) -> Any:
    """Compile a function with Numba on first use.

    Rules are many small functions: inlining makes them a quarter faster. They are never called from C, so Numba need
    not compile a wrapper for that.
    """
    unstubbed: dict[str, Any] = {"no_cfunc_wrapper": True}
    made: Any = numba.njit(nogil=True, error_model="numpy", forceinline=True, **unstubbed)(function)
    made._cache = _Cache(function)
    _made.append(made)
    return made


_adopted: dict[Any, Any] = {}


def adopt(called: Any, function: Callable[..., Any]) -> None:
    """Let compiled code call a function that Python sees as plain or native."""
    made = _adopted[function] = dispatcher(function)
    cpu_target.typing_context.insert_global(called, types.Dispatcher(made))


def adopted(function: Callable[..., Any]) -> Any:
    """The compiled counterpart of a function passed to `adopt`."""
    return _adopted[function]


def ready(kernel: Any, signature: Signature) -> None:
    """Compile a kernel for this signature, or load it from the cache, without running it."""
    kernel.compile(tuple(typed(argument) for argument in signature.arguments))


def typed(kind: Any) -> Any:
    """The Numba type of an argument."""
    if isinstance(kind, Group):
        return types.BaseTuple.from_types([typed(part) for part in kind.parts], kind.kind)
    if isinstance(kind, Array):
        return types.Array(numba.from_dtype(kind.of), kind.dimensions, "C")
    return {int: types.int64, float: types.float64, bool: types.boolean}[kind]


# Numba intrinsics: inlined into the caller, so that they are not compiled once per argument type


def _in_place(word: Callable[..., Any], typer: Callable[[Any], Any], emit: Callable[..., Any]) -> None:
    """Register `word` as a Numba intrinsic: compiled callers emit the LLVM IR of `emit(context, builder, signature,
    args)` inline, plain Python calls `word` itself."""
    type_callable(word)(typer)
    lower_builtin(word, types.VarArg(types.Any))(emit)


_record_type = cache(numba.from_dtype)


def hook(call: Callable[..., Any], homes: dict[Any, ModuleType], meant: Callable[[ModuleType], Any]) -> None:
    """Let compiled code call the function of the module that `homes` has for the first argument's record type."""

    def target(record: Any) -> Any:
        found = meant(next(home for dtype, home in homes.items() if _record_type(dtype) == record))
        return types.Dispatcher(found if isinstance(found, Dispatcher) else adopted(found))

    def typer(context: Any) -> Any:
        def resolve(record: Any, a: Any, b: Any = None, c: Any = None, d: Any = None, e: Any = None) -> Any:
            given = [argument for argument in (record, a, b, c, d, e) if argument is not None]
            return context.resolve_function_type(target(record), given, {})

        return resolve

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_function(target(signature.args[0]), signature)(builder, args)

    _in_place(call, typer, emit)


def record(word: Callable[..., Any], states: dict[Any, Any]) -> None:
    """Let compiled code view the bytes of a state as its record: a pointer cast, at no cost."""

    def typer(context: Any) -> Any:
        def resolve(facts: Any, raw: Any) -> Any:
            return _record_type(next(state for dtype, state in states.items() if _record_type(dtype) == facts))

        return resolve

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, args[1])
        return builder.bitcast(array.data, context.get_value_type(signature.return_type))

    _in_place(word, typer, emit)


def _count(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


def _first(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.cttz(args[0], context.get_constant(types.boolean, True))


def _bit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.shl(context.get_constant(types.int64, 1), args[0])


def _product(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    # Emitted by hand, because Numba lets LLVM assume that its own products never overflow.
    return builder.and_(builder.mul(args[0], args[1]), context.get_constant(types.int64, LOW_63))


def _recast(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.bitcast(args[0], context.get_value_type(signature.return_type))


_whole, _real = types.int64, types.float64
INSTRUCTIONS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "count": (_whole(_whole), _count),
    "first": (_whole(_whole), _first),
    "bit": (_whole(_whole), _bit),
    "product": (_whole(_whole, _whole), _product),
    "bits of a real": (_whole(_real), _recast),
    "real of bits": (_real(_whole), _recast),
}


def instruction(function: Callable[..., Any], name: str) -> None:
    """Let compiled code use a single instruction in place of a function."""
    signature, emit = INSTRUCTIONS[name]
    one, two = (lambda context: lambda a: signature), (lambda context: lambda a, b: signature)
    _in_place(function, one if len(signature.args) == 1 else two, emit)


# Announcing compilation


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once, as soon as a kernel is not in the cache and must be compiled."""
    with event.install_listener("numba:compile", _Teller(say)):
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


# Building


def compile_once() -> None:
    """For builds, which need only the machine code: cache nothing, and compile no wrappers for Python."""
    for made in _made:
        made._cache = NullCache()
        made.targetoptions["no_cpython_wrapper"] = True
