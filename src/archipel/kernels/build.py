"""Capture, compile and link the kernels of every game, as many games at once as there are cores.

A game's library does not wait for the others: it can be used as soon as its manifest is written.
"""

import hashlib
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from archipel.core import compiled, native, sources
from archipel.core.compiled import Kernel
from archipel.workers import cores

from . import binding, progress
from .capture import Captured
from .targets import Target

HERE = Path(__file__).parent

Say = Callable[[str], None]
Files = dict[str, bytes]


class Compiled(NamedTuple):
    """A game's kernels, and their object files by target and variant."""

    game: str
    kernels: list[Captured]
    objects: dict[tuple[str, str], bytes]


def build_games(wanted: Mapping[str, list[Target]], into: Path, say: Say) -> None:
    """Build each game for its targets, each game in its own process."""
    progress.begin(wanted)
    # A child compiles with Numba, and in the same order every time.
    context = multiprocessing.get_context("spawn")
    with (
        _environment(ARCHIPEL_KERNELS="jit", PYTHONHASHSEED="0"),
        ProcessPoolExecutor(min(len(wanted), cores()), context, max_tasks_per_child=1) as pool,
    ):
        futures = {pool.submit(build_game, game, asked, into): game for game, asked in wanted.items()}
        for future in as_completed(futures):
            game = futures[future]
            where = ", ".join(str(into / target.name) for target in wanted[game])
            say(f"{game}: {future.result()} kernels in {where}")


def build_game(game: str, asked: list[Target], into: Path) -> int:
    """Build one game for some targets, each into its own folder, in a new process; returns the number of kernels."""
    from . import capture, lowering

    steps = sum(len(target.variants) + 1 for target in asked)
    texts, kernels = capture.capture(game, lambda done, total: progress.note(game, done, total + steps))
    lowering.start()
    done = total = len(kernels)

    def step() -> None:
        nonlocal done
        done += 1
        progress.note(game, done, total + steps)

    for target in asked:
        objects = {}
        for variant in target.variants:
            objects[target.name, variant.name] = lowering.emit(texts, kernels, target, variant)
            step()
        (_write_wasm if target.wasm else _write_native)(target, Compiled(game, kernels, objects), into / target.name)
        step()
    return total


class _environment:  # noqa: N801 - reads like the context manager that it is
    """Set environment variables for processes that are started inside the `with` block."""

    def __init__(self, **values: str) -> None:
        self._values = values
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in self._values}
        os.environ.update(self._values)

    def __exit__(self, *trouble: object) -> None:
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def is_current(game: str, folder: Path, target: Target) -> bool:
    """True if the folder holds a complete build of the game for the target from these sources."""
    try:
        manifest = json.loads((folder / native.manifest_name(game)).read_text("utf-8"))
        whole = all(_digest((folder / name).read_bytes()) == digest for name, digest in manifest["files"].items())
        same = sources.mean_the_same(_sources(game), manifest["sources"])
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return False
    wanted = _manifest(target)
    return whole and same and wanted == {key: manifest.get(key) for key in wanted}


def note_sources(game: str, folder: Path) -> None:
    """Note the bytes of the current sources beside a current build, so that they need not be parsed to compare them."""
    manifest = json.loads((folder / native.manifest_name(game)).read_text("utf-8"))
    _write_manifest(game, folder, manifest | {"sources": sources.digests(_sources(game))})


def _sources(game: str) -> sources.Sources:
    return sources.of_game(sources.ours(), game)


def _manifest(target: Target) -> dict[str, Any]:
    """The versions and the target of a build."""
    return {
        "format": native.FORMAT,
        "build": build_fingerprint(),
        "platform": target.name,
        "variants": [variant.name for variant in target.variants],
    }


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write(game: str, folder: Path, target: Target, files: Files, **more: Any) -> None:
    """Write a game's files and their manifest into a folder, the manifest last: it marks a complete build."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / native.manifest_name(game)).unlink(missing_ok=True)
    for name, data in files.items():
        _replace(folder / name, data)
    made = {"sources": sources.digests(_sources(game)), "files": {name: _digest(data) for name, data in files.items()}}
    _write_manifest(game, folder, _manifest(target) | made | more)


def _write_manifest(game: str, folder: Path, manifest: dict[str, Any]) -> None:
    _replace(folder / native.manifest_name(game), (json.dumps(manifest, indent=1) + "\n").encode())


def build_fingerprint() -> str:
    """A digest of the build code itself."""
    found = hashlib.sha256()
    for path in sorted(HERE.glob("*.py")):
        found.update((path.name + sources.meaning(path.read_bytes())).encode())
    for path in sorted(HERE.glob("*.[ch]")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _write_native(target: Target, game: Compiled, folder: Path) -> None:
    """Link a game's native library and write it into a folder."""
    there = {kernel.kernel for kernel in game.kernels}
    made = linked(target, [kernel for kernel in compiled.KERNELS.values() if kernel.name in there], game)
    more = {"modules": sorted(_modules(game.game)), "types": binding.types(game.kernels)}
    write(game.game, folder, target, {_library(game.game, target): made}, **more)


def _library(game: str, target: Target) -> str:
    return native.module_name(game) + target.suffix


def linked(target: Target, kernels: list[Kernel], game: Compiled) -> bytes:
    """A game's native library of these kernels."""
    name = _library(game.game, target)
    with TemporaryDirectory() as room:
        place = Path(room)
        binds = binding.source(native.module_name(game.game), kernels, game.kernels, target)
        (place / "binding.c").write_text(binds, "utf-8")
        shutil.copy(HERE / "binding.h", place)
        shutil.copy(HERE / "runtime.c", place)
        objects = _write_objects(place, target, game)
        given = ("-o", name, "binding.c", "runtime.c", *objects, *_link_flags(place, target))
        _zig(place, "cc", "-target", target.zig, *given)
        return (place / name).read_bytes()


def _replace(path: Path, data: bytes) -> None:
    """Write a file atomically, because a library may be in use."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(data)
    new.replace(path)


def _modules(game: str) -> set[str]:
    """The modules whose functions need no compiling when the library is loaded."""
    return {
        f"archipel.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}" for path in _sources(game)
    }


def _write_objects(place: Path, target: Target, game: Compiled) -> list[str]:
    names = []
    for variant in target.variants:
        names.append(f"{variant.name}.o")
        (place / names[-1]).write_bytes(game.objects[target.name, variant.name])
    return names


def _link_flags(place: Path, target: Target) -> list[str]:
    flags = ["-shared", "-O2", "-g0", "-fvisibility=hidden", "-s"]
    if target.name.startswith("linux"):
        return [*flags, "-fPIC", "-Wl,--build-id=none", "-Wl,--gc-sections"]
    if target.name.startswith("darwin"):
        return [*flags, "-fPIC", "-Wl,-undefined,dynamic_lookup"]
    (place / "python3.def").write_text(binding.definitions(), "utf-8")
    _zig(place, "dlltool", "-m", "i386:x86-64", "-d", "python3.def", "-l", "python3.lib", "-D", "python3.dll")
    return [*flags, "python3.lib"]


def _zig(place: Path, *arguments: str) -> None:
    """Run Zig, which compiles and links C for every target."""
    command = [sys.executable, "-m", "ziglang", *arguments]
    done = subprocess.run(command, check=False, cwd=place, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"zig {arguments[0]} failed:\n{done.stderr.strip()}")


def _write_wasm(target: Target, game: Compiled, folder: Path) -> None:
    """Link a game's WebAssembly modules and write them into a folder: `game.wasm`, and `game.simd.wasm`."""
    plain = target.variants[0].name
    files = {}
    for variant in target.variants:
        ending = target.suffix if variant.name == plain else f".{variant.name}{target.suffix}"
        files[game.game + ending] = _wasm_module(target, game, variant.name)
    write(game.game, folder, target, files)


def _wasm_module(target: Target, game: Compiled, variant: str) -> bytes:
    exports = [f"{kernel.symbol}_{variant}" for kernel in game.kernels if not kernel.wide]
    flags = ["-O2", "-g0", "-s", "-nostdlib", "-mbulk-memory", "-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,--strip-all"]
    given = [f"-Wl,--export={name}" for name in (*exports, "archipel_allocate", "archipel_release")]
    with TemporaryDirectory() as room:
        place = Path(room)
        shutil.copy(HERE / "runtime.c", place)
        (place / "game.o").write_bytes(game.objects[target.name, variant])
        _zig(place, "cc", "-target", target.zig, *flags, *given, "-o", "game.wasm", "runtime.c", "game.o")
        return (place / "game.wasm").read_bytes()
