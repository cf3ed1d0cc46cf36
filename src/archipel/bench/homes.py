"""The same kernels on all platforms: random games and simulations per second, side by side in one run.

`python -m archipel.bench.homes [GAME ...]` measures plain C, Numba, the native library, and WebAssembly in Node and
Chromium; `make kernels` builds the last two. They take turns, and the best of several rounds counts.
"""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

import archipel
from archipel.bots.knowledge import known_of
from archipel.core import compiled

from . import native, pages

SECONDS = 0.5
ROUNDS = 3
ROOT = Path(__file__).parents[3]
Rates = dict[str, float]
"""Rates per second, by what is measured: random games, and simulations with the game's knowledge."""


def measure(name: str, seconds: float) -> Rates:
    """Measure the kernels of this process."""
    from .kernel import kernel
    from .measuring import enough
    from .search import first_decision, searching

    found = {}
    for what, runner in (
        ("random games", kernel(archipel.game(name))),
        ("simulations", searching(first_decision(name), known_of(archipel.game(name)))),
    ):
        found[what] = runner(enough(runner, seconds), 1).games_a_second
    return found


def in_python(name: str, kernels: str) -> Rates:
    """Measure the kernels of another process in a given mode."""
    command = [sys.executable, "-m", "archipel.bench.homes", "--measure", name, str(SECONDS)]
    environment = os.environ | {"ARCHIPEL_KERNELS": kernels}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    found: Rates = json.loads(done.stdout)
    return found


def task(name: str) -> dict[str, Any]:
    """The input of the same measurement in WebAssembly."""
    from .search import first_decision

    game, start, known = archipel.game(name), first_decision(name), known_of(archipel.game(name))
    how = known.curiosity, known.steps, known.unfold, known.wide
    settings = (start.mover, game.seats, 0, 0, hasattr(known.module, "prior"), *how)
    names = ("seat", "seats", "root", "simulations", "hasPrior", "curiosity", "steps", "unfold", "wide")
    return {
        "game": name,
        "seconds": SECONDS,
        "seats": game.seats,
        "facts": _text(game.facts.tobytes()),
        "first": _text(game.new()._raw.tobytes()),
        "start": _text(start._raw.tobytes()),
        "lore": _text(known.lore.tobytes()),
        "settings": dict(zip(names, settings, strict=True)),
    }


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def in_node(name: str) -> Rates:
    """WebAssembly in Node."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "task.json"
        file.write_text(json.dumps(task(name)))
        command = [pages.node(), Path(__file__).with_name("homes.ts"), file, compiled.built() / "wasm32"]
        found: Rates = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


@contextmanager
def chromium() -> Iterator[Callable[[str], Rates]]:
    """WebAssembly in Chromium."""
    from playwright.sync_api import sync_playwright

    chrome = os.environ.get("CHROMIUM") or which("chromium") or which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=["--no-sandbox"])
        page = pages.open_page(browser)

        def run(name: str) -> Rates:
            found: Rates = page.evaluate(IN_PAGE, task(name))
            return found

        yield run
        browser.close()


IN_PAGE = """async (task) => {
    const { measure } = await import("/src/archipel/bench/homes_page.ts");
    return measure(task, (file) => fetch(`/wasm/${file}`).then((answer) => answer.arrayBuffer()));
}"""


def main(names: list[str]) -> None:
    with ExitStack() as stack:
        homes: dict[str, Callable[[str], Rates]] = {
            "Numba": lambda name: in_python(name, "jit"),
            "native": lambda name: in_python(name, "native"),
            "Node": in_node,
            "Chromium": stack.enter_context(chromium()),
        }
        for name in names or archipel.GAMES:
            plain = stack.enter_context(native.built(name)) if native.has_loop(name) and native.compiler() else None
            found: dict[str, Rates] = {}
            for _ in range(ROUNDS):
                for home, run in homes.items():
                    for what, rate in run(name).items():
                        best = found.setdefault(what, {})
                        best[home] = max(best.get(home, 0.0), rate)
                if plain:
                    games = found["random games"]
                    games["plain C"] = max(games.get("plain C", 0.0), plain(20_000, 1).games_a_second)
            for what, rates in found.items():
                text = "  ".join(f"{home} {rate:,.0f} ({rate / rates['Numba']:.2f})" for home, rate in rates.items())
                print(f"{name}, {what} a second (beside Numba): {text}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], float(sys.argv[3]))))
    else:
        main(sys.argv[1:])
