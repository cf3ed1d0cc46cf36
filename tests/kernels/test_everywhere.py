"""The same games and the same searches, to the last bit: compiled by Numba, ahead of time, and in WebAssembly.

ARCHIPEL_SAME_GAMES says how many games; `make soak` plays 100,000.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import archipel
from archipel.bench import pages
from archipel.bots.knowledge import NOTHING, known_of
from archipel.core import compiled, native, registry

from . import played, recorded

GAMES = int(os.environ.get("ARCHIPEL_SAME_GAMES", "1000"))
ROOT = Path(__file__).parents[2]
WASM = compiled.built() / "wasm32"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

needs_library = pytest.mark.needs(
    len(compiled.LIBRARIES) == len(registry.own()), "libraries of these sources: make kernels"
)
needs_wasm = pytest.mark.needs(
    all((WASM / native.manifest_name(name)).exists() for name in registry.own()), "WebAssembly: make kernels"
)


@cache
def here(name: str) -> dict[str, Any]:
    return played.results(name, GAMES)


@needs_library
@pytest.mark.parametrize("name", registry.own())
def test_numba_plays_as_the_library_does(name: str) -> None:
    command = [sys.executable, "-m", "tests.kernels.played", name, str(GAMES)]
    environment = os.environ | {"ARCHIPEL_KERNELS": "jit"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == here(name)


@needs_wasm
@pytest.mark.parametrize("variant", ["plain", "simd"])
@pytest.mark.parametrize("name", registry.own())
def test_webassembly_plays_as_the_library_does(name: str, variant: str, tmp_path: Path) -> None:
    task = tmp_path / "task.json"
    task.write_text(json.dumps(asked(name, GAMES if variant == "simd" else 20)))
    command: list[str | Path] = [pages.node(), ROOT / "web" / "tests" / "kernels" / "run.ts", task, WASM, variant]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = here(name) if variant == "simd" else played.results(name, 20)
    assert json.loads(done.stdout) == expected


@cache
def exact(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Calls of a game's exact values, and what comes of them here."""
    calls, outcomes = recorded.recorded(name)
    assert {call["kernel"] for call in calls} == set(recorded.KERNELS[name])
    return {"game": name, "calls": calls}, outcomes


@needs_wasm
@pytest.mark.parametrize("variant", ["plain", "simd"])
@pytest.mark.parametrize("name", recorded.KERNELS)
def test_exact_values_are_the_same_in_webassembly(name: str, variant: str, tmp_path: Path) -> None:
    """Stonehenge's solver, Krakatoa's odds and Kula Kula's chances: the results, and every byte that they write."""
    asked, expected = exact(name)
    task = tmp_path / "task.json"
    task.write_text(json.dumps(asked))
    command: list[str | Path] = [pages.node(), ROOT / "web" / "tests" / "kernels" / "run.ts", task, WASM, variant]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == expected


IN_PAGE = """async (task) => {
    const { load } = await import("/web/src/kernels/kernels.ts");
    const { results } = await import("/web/tests/kernels/played.ts");
    const { outcomes } = await import("/web/tests/kernels/recorded.ts");
    const read = (file) => fetch(`/wasm/${file}`).then((answer) => answer.arrayBuffer());
    const digest = async (parts) => {
        const whole = new Uint8Array(await new Blob([...parts]).arrayBuffer());
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
        return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    };
    const kernels = await load(task.game, read);
    return task.calls ? outcomes(kernels, task, (part) => digest([part])) : results(kernels, task, digest);
}"""


@needs_wasm
@pytest.mark.needs(CHROMIUM, "Chromium")
def test_a_browser_plays_as_the_library_does() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = pages.open_page(browser)
        for name in registry.own():
            assert page.evaluate(IN_PAGE, asked(name, 20)) == played.results(name, 20)
        for name in recorded.KERNELS:
            task, expected = exact(name)
            assert page.evaluate(IN_PAGE, task) == expected
        browser.close()


def asked(name: str, games: int) -> dict[str, Any]:
    """What a page needs to play the same: the facts and the numbers of this game."""
    game = archipel.game(name)
    some = {"plain": NOTHING, "known": known_of(game)}
    return {
        "game": name,
        "games": games,
        "facts": base64.b64encode(game.facts.tobytes()).decode(),
        "seats": game.seats,
        "warmUp": played.WARM_UP,
        "nodes": played.NODES,
        "searches": {
            key: {
                "lore": base64.b64encode(knowledge.lore.tobytes()).decode(),
                "settings": dict(
                    zip(
                        ("seat", "seats", "root", "simulations", "hasPrior", "curiosity", "steps", "unfold", "wide"),
                        played.settings(game, knowledge),
                        strict=True,
                    )
                ),
            }
            for key, knowledge in some.items()
        },
    }
