"""The text of `archipel help`."""

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import archipel

from . import screen


def show(commands: list[tuple[str, str]]) -> None:
    """Print the version, the commands and how to start."""
    out = screen.out()
    out.print()
    out.print(Text.assemble(("  Archipel", "title"), (f"  {archipel.__version__}", "soft")))
    out.print("  Board games with exact rules and strong bots that never peek.\n")
    out.print(Padding(_table(commands), (0, 2)))
    out.print(
        Text.assemble(
            "\n  Run ",
            ("archipel", "command"),
            " to start; ",
            ("archipel COMMAND --help", "command"),
            " for options.\n",
        )
    )


def _table(commands: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    for name, about in commands:
        table.add_row(Text(f"archipel {name}", "command"), Text(about))
    return table
