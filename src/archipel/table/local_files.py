"""The files of the games that a page plays without a server: each game's module and kernels, and a list of them.

`python -m archipel.table.local_files FOLDER` writes them. A wheel carries them; a checkout builds them.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import archipel
from archipel.core import compiled, registry

LIST = "games.json"
"""What `GET /api/games` answers where there is no server, and the files' names, which change with their content."""


def folder() -> Path:
    """Where the files are: in the package, or where a checkout builds them. Nobody says that they are there."""
    carried = Path(archipel.__file__).parent / "libraries" / "local"
    return carried if carried.is_dir() else compiled.built().parent / "local"


def write(into: Path, kernels: Path | None = None) -> None:
    """Write the files into a folder. Run it in a new process: constants are written as they are in this one."""
    import msgspec

    from archipel.bots import levels

    from . import protocol
    from .play.game_info import game_info

    wasm = kernels or compiled.built() / "wasm32"
    new = into.with_name(f"{into.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    files = {name: _game(name, wasm, new) for name in registry.own()}
    told = protocol.Games(archipel.__version__, [game_info(name, list(levels.NAMES), drawn=True) for name in files])
    said = msgspec.to_builtins(told) | {"files": files}
    (new / LIST).write_text(json.dumps(said, ensure_ascii=False, separators=(",", ":")), "utf-8")
    shutil.rmtree(into, ignore_errors=True)
    new.replace(into)


def _game(name: str, wasm: Path, into: Path) -> dict[str, str]:
    """Write a game's files; their names."""
    from . import page_module

    files = {said: path for said, path in page_module.own(name).items() if isinstance(path, Path)}
    return {said: _kept(into, f"{name}-{said}{path.suffix}", path.read_bytes()) for said, path in files.items()} | {
        "module": _kept(into, f"{name}.js", page_module.module(name).encode()),
        "plain": _kept(into, f"{name}.wasm", (wasm / f"{name}.wasm").read_bytes()),
        "simd": _kept(into, f"{name}.simd.wasm", (wasm / f"{name}.simd.wasm").read_bytes()),
    }


def _kept(into: Path, name: str, content: bytes) -> str:
    stem, _, ending = name.partition(".")
    digested = f"{stem}-{hashlib.sha256(content).hexdigest()[:10]}.{ending}"
    (into / digested).write_bytes(content)
    return digested


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else folder())
