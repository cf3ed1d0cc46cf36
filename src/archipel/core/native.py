"""A game's library of kernels, built ahead of time: finding it, checking that it fits, and calling it from Python.

A small manifest beside the library says which sources and platform it was built for. A library for other sources or
another platform, or one whose bytes have changed, is never loaded: a warning says so in one sentence, and the kernels
are compiled here instead.
"""

import hashlib
import json
import platform
import sys
import warnings
from collections.abc import Callable, Iterable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import numpy as np

from .sources import Sources, mean_the_same

FORMAT = 3
"""The version of the manifest, and of the interface between the library and this module."""

_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


class Unfit(Exception):
    """A library that cannot be used here; the message says why."""


def warn(sentence: str) -> None:
    """Print a warning once per process."""
    warnings.warn(sentence, RuntimeWarning, stacklevel=2)


def here() -> str:
    """The platform of this process, as manifests name it."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{_MACHINES.get(machine, machine)}"


def module_name(game: str) -> str:
    """The name of a game's library as an extension module."""
    return f"_{game}"


def manifest_name(game: str) -> str:
    """The file that says what a game's library was built from and for."""
    return f"{game}.json"


def find(game: str, sources: Sources, folder: Path) -> "Library | None":
    """Return a game's library in a folder if it was built from these sources; warn and return None otherwise."""
    manifest = folder / manifest_name(game)
    try:
        if manifest.is_file():
            return Library(game, folder, _read(manifest), sources)
    except Unfit as trouble:
        warn(f"The library of compiled rules of {game} in {folder} is not used: {trouble}")
    except (AttributeError, KeyError, TypeError, ValueError):
        warn(f"The library of compiled rules of {game} in {folder} is not used: {manifest.name} is damaged.")
    return None


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        raise Unfit(f"{path.name} cannot be read.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Unfit("it was made for another version of Archipel.")
    return found


class Library:
    """A game's loaded library."""

    def __init__(self, game: str, folder: Path, manifest: dict[str, Any], sources: Sources) -> None:
        if not mean_the_same(sources, manifest["sources"]):
            raise Unfit("it was built from other sources.")
        if manifest["platform"] != here():
            raise Unfit(f"it was built for {manifest['platform']}, and this is {here()}.")
        ((name, digest),) = manifest["files"].items()
        self.path = path = folder / name
        try:
            intact = hashlib.sha256(path.read_bytes()).hexdigest() == digest
        except OSError:
            raise Unfit(f"{name} cannot be read.") from None
        if not intact:
            raise Unfit(f"{name} is damaged.")
        self.modules = frozenset(manifest["modules"])
        self._types: dict[str, int] = {name: number for number, name in enumerate(manifest["types"])}
        self._module = _load(module_name(game), path)
        self._module.setup(np.ndarray, self._number)
        self._check_layout()

    def _number(self, dtype: "np.dtype[Any]") -> int:
        """The library's number for a dtype; -1 if it has none."""
        return self._types.get(written(dtype), -1)

    def has(self, kernel: str, dtypes: Iterable["np.dtype[Any]"]) -> bool:
        """True if the library has the kernel for these record types."""
        return hasattr(self._module, kernel) and all(self._number(dtype) >= 0 for dtype in dtypes)

    def _check_layout(self) -> None:
        """The library reads NumPy arrays in place: check that their layout is the one it was built for."""
        probe = np.zeros((3, 5), np.int64)
        expected = (probe.__array_interface__["data"][0], 2, *probe.shape, id(probe.dtype), True)
        if self._module.look(probe) != expected or self._module.look(probe[:, ::2])[-1]:
            raise Unfit("it cannot read the arrays of this NumPy.")

    def kernel(self, name: str, otherwise: Callable[..., Any]) -> Any:
        """Return a kernel as a Python callable; `otherwise` is called for record types of other games.

        Libraries are chained this way: `otherwise` may be the same kernel of another game's library. If the library
        does not have the kernel, `otherwise` itself is returned.
        """
        if not hasattr(self._module, name):
            return otherwise
        self._module.otherwise(name, otherwise)
        return getattr(self._module, name)


def written(dtype: "np.dtype[Any]") -> str:
    """Return a dtype as text, equal for equal dtypes."""
    return str(dtype.descr) if dtype.fields else str(dtype.str)


def _load(name: str, path: Path) -> Any:
    """Load a library as an extension module."""
    if not any(path.name.endswith(suffix) for suffix in EXTENSION_SUFFIXES):
        raise Unfit("this Python does not load such libraries.")
    loader = ExtensionFileLoader(f"archipel.{name}", str(path))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    try:
        module = module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as trouble:
        raise Unfit(f"{trouble}.") from None
    return module
