"""Capture and compile every game on all cores, then link the results."""

import hashlib
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from archipel.bots import warming
from archipel.core import compiled, native, registry, sources
from archipel.core.compiled import Kernel
from archipel.workers import cores

from . import binding, progress
from .capture import Captured
from .targets import Target

HERE = Path(__file__).parent
LIBRARY = "_kernels"

Say = Callable[[str], None]


class Compiled(NamedTuple):
    """A game's kernels, and their object files by target and variant."""

    game: str
    kernels: list[Captured]
    objects: dict[tuple[str, str], bytes]


def compile_games(wanted: Iterable[Target], say: Say) -> list[Compiled]:
    """Compile our games for some targets, each game in its own process, as many at once as there are cores."""
    names, asked = registry.own(), list(wanted)
    progress.begin(names)
    # The child compiles with Numba, and in the same order every time.
    context = multiprocessing.get_context("spawn")
    done: dict[str, Compiled] = {}
    with (
        _environment(ARCHIPEL_KERNELS="jit", PYTHONHASHSEED="0"),
        ProcessPoolExecutor(min(len(names), cores()), context, max_tasks_per_child=1) as pool,
    ):
        futures = {pool.submit(compile_game, name, asked): name for name in names}
        for future in as_completed(futures):
            name = futures[future]
            done[name] = future.result()
            say(f"{name}: {len(done[name].kernels)} kernels compiled for {', '.join(target.name for target in asked)}")
    return [done[name] for name in names]


def compile_game(name: str, asked: list[Target]) -> Compiled:
    """Compile one game; called in a new process."""
    from . import capture, lowering

    steps = sum(len(target.variants) for target in asked)
    texts, kernels = capture.capture(name, lambda done, total: progress.note(name, done, total + steps))
    lowering.start()
    objects = {}
    for target in asked:
        for variant in target.variants:
            objects[target.name, variant.name] = lowering.emit(texts, kernels, target, variant)
            progress.note(name, len(kernels) + len(objects), len(kernels) + steps)
    return Compiled(name, kernels, objects)


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


def is_current(folder: Path, target: Target) -> bool:
    """True if the folder holds a complete build for the target from these sources."""
    try:
        manifest = json.loads((folder / native.MANIFEST).read_text("utf-8"))
        whole = all(_digest((folder / name).read_bytes()) == digest for name, digest in manifest["files"].items())
        same = sources.mean_the_same(sources.ours(), manifest["sources"])
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return False
    wanted = _manifest(target)
    return whole and same and wanted == {key: manifest.get(key) for key in wanted}


def note_sources(folder: Path) -> None:
    """Note the bytes of the current sources beside a current build, so that they need not be parsed to compare them."""
    manifest = json.loads((folder / native.MANIFEST).read_text("utf-8"))
    _write_manifest(folder, manifest | {"sources": sources.digests(sources.ours())})


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


def write(folder: Path, target: Target, files: dict[str, bytes], **more: Any) -> None:
    """Write files and their manifest into a folder, the manifest last, so that it exists only if the build is
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / native.MANIFEST).unlink(missing_ok=True)
    for name, data in files.items():
        _replace(folder / name, data)
    made = {"sources": sources.digests(sources.ours()), "files": {name: _digest(data) for name, data in files.items()}}
    _write_manifest(folder, _manifest(target) | made | more)


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    _replace(folder / native.MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())


def build_fingerprint() -> str:
    """A digest of the build code itself."""
    found = hashlib.sha256()
    for path in sorted(HERE.glob("*.py")):
        found.update((path.name + sources.meaning(path.read_bytes())).encode())
    for path in sorted(HERE.glob("*.[ch]")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def native_library(target: Target, games: list[Compiled], folder: Path) -> None:
    """Link a native library and write it into a folder."""
    made = linked(target, _kernels(games), games)
    types = binding.types([kernel for game in games for kernel in game.kernels])
    write(folder, target, {f"{LIBRARY}{target.suffix}": made}, modules=sorted(_modules()), types=types)


def linked(target: Target, kernels: list[Kernel], games: list[Compiled]) -> bytes:
    """A native library of these kernels."""
    captured = [kernel for game in games for kernel in game.kernels]
    name = f"{LIBRARY}{target.suffix}"
    with TemporaryDirectory() as room:
        place = Path(room)
        (place / "binding.c").write_text(binding.source(kernels, captured, target), "utf-8")
        shutil.copy(HERE / "binding.h", place)
        shutil.copy(HERE / "runtime.c", place)
        objects = _write_objects(place, target, games)
        given = ("-o", name, "binding.c", "runtime.c", *objects, *_link_flags(place, target))
        _zig(place, "cc", "-target", target.zig, *given)
        return (place / name).read_bytes()


def _replace(path: Path, data: bytes) -> None:
    """Write a file atomically, because a library may be in use."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(data)
    new.replace(path)


def _kernels(games: list[Compiled]) -> list[Kernel]:
    for game in games:
        warming.instances(registry.game(game.game))
    there = {kernel.kernel for game in games for kernel in game.kernels}
    return [kernel for kernel in compiled.KERNELS.values() if kernel.name in there]


def _modules() -> set[str]:
    """The modules whose functions need no compiling when the library is loaded."""
    return {
        f"archipel.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}" for path in sources.ours()
    }


def _write_objects(place: Path, target: Target, games: list[Compiled]) -> list[str]:
    names = []
    for game in games:
        for variant in target.variants:
            names.append(f"{game.game}.{variant.name}.o")
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


def wasm_modules(target: Target, games: list[Compiled], folder: Path) -> None:
    """Link the games' WebAssembly modules and write them into a folder: `game.wasm`, and `game.simd.wasm`."""
    plain = target.variants[0].name
    files = {}
    for game in games:
        for variant in target.variants:
            ending = target.suffix if variant.name == plain else f".{variant.name}{target.suffix}"
            files[game.game + ending] = _wasm_module(target, game, variant.name)
    write(folder, target, files)


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
