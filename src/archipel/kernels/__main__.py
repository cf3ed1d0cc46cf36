"""`python -m archipel.kernels`: build the native library of kernels for this machine or for others, and WebAssembly."""

import argparse
import time
from pathlib import Path

from archipel.core import compiled

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
    places = {target.name: args.into / target.name for target in asked}
    with progress.one_build():
        wanted = [target for target in asked if args.again or not build.is_current(places[target.name], target)]
        for target in asked:
            if target not in wanted:
                build.note_sources(places[target.name])
        if wanted:
            make(wanted, places)


def make(wanted: list[Target], places: dict[str, Path]) -> None:
    """Build, reporting progress."""
    start = time.perf_counter()

    def say(line: str) -> None:
        print(f"{time.perf_counter() - start:6.1f} s  {line}", flush=True)

    say("Compiling the rules and the bots (once for this version)…")
    games = build.compile_games(wanted, say)
    for target in wanted:
        (build.wasm_modules if target.wasm else build.native_library)(target, games, places[target.name])
        say(str(places[target.name]))


if __name__ == "__main__":
    main()
