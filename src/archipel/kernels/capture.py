"""Turn kernels into LLVM IR: Numba does everything but optimise it and emit machine code.

Numba optimises every function with all its callees, kernel by kernel. Here every function is lowered once, and a whole
game is optimised together. Everything that relies on Numba's internals is in this module.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import llvmlite
import numba
from numba import types
from numba.core import cgutils, codegen
from numba.core.registry import cpu_target

from archipel.bots.warming import Instance, instances
from archipel.core import jit, registry
from archipel.core.compiled import JIT, MODE, Array, Signature
from archipel.core.native import written
from archipel.core.rules import Rules

NUMBA, LLVMLITE = "0.68", "0.50"
"""The versions whose internals this module relies on."""


class Captured(NamedTuple):
    """A kernel for one game: its name, its signature, and the symbol of its function in the code."""

    kernel: str
    symbol: str
    signature: Signature
    inner: str
    wide: bool
    returns: tuple[str, ...]
    """What Numba's function returns: integers may be narrower than in the signature."""
    inlined: bool = False
    inlined_wasm: bool = False
    """Whether all rules are inlined into the kernel, natively and in WebAssembly."""
    needs: tuple[int, ...] = ()
    """The texts that its code is in."""

    @property
    def types(self) -> tuple[str, ...]:
        """The record types that distinguish this instance from others of the same kernel."""
        return tuple(written(a.of) for a in self.signature.arguments if isinstance(a, Array) and a.of.fields)


class _Library(codegen.CodeLibrary):
    """A library of one compiled function: its text, and the libraries of its callees."""

    _object_compiled_hook = staticmethod(lambda module, code: None)
    _object_getbuffer_hook = staticmethod(lambda module: None)
    has_dynamic_globals = False

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self.texts: list[str] = []
        self.needs: list[Any] = []

    def add_linking_library(self, library: Any) -> None:
        self.needs.append(library)

    def add_ir_module(self, module: Any) -> None:
        self.texts.append(cgutils.normalize_ir_text(str(module)))

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 1  # nothing is ever called here

    def get_function(self, name: str) -> Any:
        raise NotImplementedError

    def get_llvm_str(self) -> str:
        raise NotImplementedError

    def get_asm_str(self) -> str:
        raise NotImplementedError


class _Codegen(codegen.JITCPUCodegen):
    _library_class = _Library  # type: ignore[assignment]

    def set_env(self, name: str, env: Any) -> None:
        """There is no environment: kernels never call into Python."""


def check_versions() -> None:
    """RuntimeError if Numba or llvmlite have other versions than this module supports."""
    for module, wanted in ((numba, NUMBA), (llvmlite, LLVMLITE)):
        if not module.__version__.startswith(f"{wanted}."):
            raise RuntimeError(f"Kernels are built with {module.__name__} {wanted}, not {module.__version__}.")


def capture(name: str, progress: Callable[[int, int], None]) -> tuple[list[str], list[Captured]]:
    """Return every function that a game's kernels need as LLVM IR, and the kernels' symbols. Once per process.

    `progress` is called with the number of captured kernels, and their total.
    """
    check_versions()
    if MODE != JIT:
        raise RuntimeError("Kernels are captured where Numba compiles: set ARCHIPEL_KERNELS=jit.")
    game = registry.game(name)
    wanted = instances(game)
    cpu_target.target_context._internal_codegen = _Codegen("archipel")
    jit.compile_once()
    found: list[tuple[Any, Captured]] = []
    for instance in wanted:
        progress(len(found), len(wanted))
        found.append(_compiled(instance, game.rules))
    progress(len(found), len(wanted))
    libraries: dict[int, Any] = {}
    for library, _ in found:
        _collect(library, libraries)
    texts: list[str] = []
    places: dict[int, range] = {}
    for key, library in libraries.items():
        places[key] = range(len(texts), len(texts) + len(library.texts))
        texts += library.texts
    return texts, [captured._replace(needs=_needs(library, places)) for library, captured in found]


def _needs(library: Any, places: Mapping[int, range]) -> tuple[int, ...]:
    """The places of the texts of a library and its dependencies."""
    needed: dict[int, Any] = {}
    _collect(library, needed)
    return tuple(place for key in needed for place in places[key])


def _compiled(instance: Instance, rules: Rules) -> tuple[Any, Captured]:
    kernel = instance.kernel
    signature = kernel.signature.concrete(instance.roles)
    kinds = tuple(jit.typed(argument) for argument in signature.arguments)
    kernel.call.compile(kinds)  # type: ignore[attr-defined]
    result = kernel.call.overloads[kinds]  # type: ignore[attr-defined]
    returned = result.signature.return_type
    each: Any = returned if isinstance(returned, types.BaseTuple) else (returned,)
    returns = tuple(_short(kind) for kind in each if kind != types.none)
    if len(returns) != len(signature.result):
        raise RuntimeError(f"{kernel.name} returns {returned}, not what its annotation says.")
    return result.library, Captured(
        kernel.name,
        instance.symbol,
        signature,
        result.fndesc.llvm_func_name,
        kernel.wide,
        returns,
        inlined=kernel.name in rules.inlined,
        inlined_wasm=kernel.name in rules.inlined_wasm,
    )


def _short(kind: Any) -> str:
    """The short name of a number type: i or u with its bits, float, double or bool."""
    if kind == types.boolean:
        return "bool"
    if isinstance(kind, types.Float):
        return "double" if kind.bitwidth == 64 else "float"
    return f"{'i' if kind.signed else 'u'}{kind.bitwidth}"


def _collect(library: Any, into: dict[int, Any]) -> None:
    """Add a library and all its dependencies, without Numba's runtime, which ours replaces."""
    if id(library) not in into and not any(_RUNTIME.search(text) for text in library.texts):
        into[id(library)] = library
        for needed in library.needs:
            _collect(needed, into)


_RUNTIME = re.compile(r'^define .*@"?NRT_decref"?\(', re.MULTILINE)
