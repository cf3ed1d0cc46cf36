"""`python -m archipel.kernels`: build the native library of kernels for this machine or for others, and WebAssembly."""

import argparse
import time
from pathlib import Path

from archipel.core import compiled, registry

from . import build, progress, targets
from .targets import Target


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m archipel.kernels", description=__doc__)
    some = f"what to build for: {', '.join(targets.TARGETS)}; or `here`, this machine alone, which is the default"
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=some)
    into = "a folder, which gets one folder a target; default: where a checkout looks for them"
    parser.add_argument("--into", type=Path, metavar="FOLDER", default=compiled.built(), help=into)
    parser.add_argument("--again", action="store_true", help="build even what is current")
    args = parser.parse_args(arguments)
    try:
        asked = [targets.this_machine() if name == "here" else targets.named(name) for name in args.targets or ["here"]]
    except ValueError as trouble:
        parser.error(str(trouble))
    with progress.one_build():
        wanted = {game: _missing(game, asked, args.into, args.again) for game in registry.own()}
        if wanted := {game: some for game, some in wanted.items() if some}:
            make(wanted, args.into)


def _missing(game: str, asked: list[Target], into: Path, again: bool) -> list[Target]:
    """The targets that a game must be built for: those without a current build."""
    current = [target for target in asked if not again and build.is_current(game, into / target.name, target)]
    for target in current:
        build.note_sources(game, into / target.name)
    return [target for target in asked if target not in current]


def make(wanted: dict[str, list[Target]], into: Path) -> None:
    """Build, reporting progress."""
    start = time.perf_counter()

    def say(line: str) -> None:
        print(f"{time.perf_counter() - start:6.1f} s  {line}", flush=True)

    say("Compiling the rules and the bots (once for this version)…")
    build.build_games(wanted, into, say)


if __name__ == "__main__":
    main()
