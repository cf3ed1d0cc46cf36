"""What a wheel carries beside the sources: the client, the games that a page plays by itself, and the native libraries
of kernels for one platform.

The platform is this machine's; ARCHIPEL_TARGET names another (`python -m archipel.kernels --help` lists them). A
source distribution carries the client alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
SOURCES = ROOT / "src"
BUILT = ROOT / "build" / "kernels"
GAMES = ROOT / "build" / "local"


class CustomBuildHook(BuildHookInterface[Any]):
    """Builds the client and the kernels before a distribution is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        _client().build()
        if self.target_name == "wheel":
            target = _target()
            command = [sys.executable, "-m", "archipel.kernels", target.name, "--into", str(BUILT)]
            # An isolated build environment is itself on the path.
            places = os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])
            environment = os.environ | {"PYTHONPATH": places}
            subprocess.run(command, env=environment, check=True)
            _write_games(environment)
            for path in sorted(GAMES.iterdir()):
                build_data["force_include"][str(path)] = f"archipel/libraries/local/{path.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{target.wheel}"
            for path in _libraries(BUILT / target.name):
                build_data["force_include"][str(path)] = f"archipel/libraries/{path.name}"


def _write_games(environment: dict[str, str]) -> None:
    """Write what a page plays without a server: kernels in WebAssembly, and the games' modules."""
    for command in (["archipel.kernels", "wasm32", "--into", str(BUILT)], ["archipel.table.local_files", str(GAMES)]):
        subprocess.run([sys.executable, "-m", *command], env=environment, check=True)


def _libraries(folder: Path) -> Iterator[Path]:
    """What the build has written for our games: a manifest each, and what that names."""
    for game in sorted(path.parent.name for path in (SOURCES / "archipel" / "games").glob("*/__init__.py")):
        manifest = folder / f"{game}.json"
        yield manifest
        yield from (folder / name for name in json.loads(manifest.read_text("utf-8"))["files"])


def _target() -> Any:
    sys.path.insert(0, str(SOURCES))
    try:
        from archipel.kernels import targets
    finally:
        sys.path.remove(str(SOURCES))
    name = os.environ.get("ARCHIPEL_TARGET")
    return targets.named(name) if name else targets.this_platform()


def _client() -> Any:
    spec = spec_from_file_location("client_build", ROOT / "web" / "hatch_build.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
