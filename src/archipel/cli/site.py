"""`archipel site FOLDER`: write the static house, a folder of files that plays all games without a server."""

import argparse
import subprocess
import sys
from pathlib import Path

from . import screen
from .errors import BadInput, complaining

ABOUT = "write a folder of files that plays all games in a page, without a server"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a new folder, or one that this command wrote")


def run(args: argparse.Namespace) -> int:
    from archipel.table import local_files, static_house
    from archipel.table.net import pages

    folder: Path = args.folder.absolute()
    if folder.exists() and not (folder.is_dir() and (static_house.is_house(folder) or not any(folder.iterdir()))):
        raise BadInput(f"{args.folder} has other files in it: name a new folder.")
    root = _checkout()
    if root:
        _build(root, local_files.folder())
    if not (pages.FOLDER / "index.html").is_file() or not (local_files.folder() / local_files.LIST).is_file():
        raise BadInput("This installation has no pages to write: install a wheel of Archipel, or use a checkout.")
    with complaining():
        files = static_house.write(folder)
    size = sum(map(len, files.values())) / 1e6
    screen.out().print(
        f"Wrote {len(files)} files ({size:.1f} MB). Copy {args.folder} to any web server; to try it here:\n"
        f"python -m http.server --directory {args.folder}",
        soft_wrap=True,
    )
    return 0


def _checkout() -> Path | None:
    """The root of the checkout that this runs from; None if it was installed."""
    root = Path(__file__).parents[3]
    return root if (root / "web" / "hatch_build.py").is_file() else None


def _build(root: Path, games: Path) -> None:
    """Build what a wheel carries: pages, kernels and the games' modules. What is current is not built again."""
    try:
        _run(root / "web" / "hatch_build.py")
        _run("-m", "archipel.kernels", "wasm32")
        _run("-m", "archipel.table.local_files", games)
    except (OSError, subprocess.CalledProcessError):
        raise BadInput(
            "The pages could not be built; what is above says why. `make setup` installs all tools."
        ) from None


def _run(*command: str | Path) -> None:
    subprocess.run([sys.executable, *command], check=True)
