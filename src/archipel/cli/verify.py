"""`archipel verify RECORD ...`: whether the draws of games played at a table were fair."""

import argparse
from typing import TYPE_CHECKING

from . import screen
from .errors import complaining

if TYPE_CHECKING:
    from archipel.table.fairness import Checked

ABOUT = "check that the draws of a recorded game were fair"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record that a table has given out")


def run(args: argparse.Namespace) -> int:
    from archipel.core.compiled import announced

    with announced(lambda: screen.err().print("Compiling the rules (once on this machine)…")):
        for path in args.records:
            with complaining():
                checked = _verified(path)
            also = f"; {checked.taken_back} draws were taken back" if checked.taken_back else ""
            note = f" {checked.note}" if checked.note else ""
            said = f"{path}: fair, every draw is what the promised seed gives{also}.{note}"
            screen.out().print(said, soft_wrap=True)
    return 0


def _verified(path: str) -> "Checked":
    """Check a record; dice that were simulated are thrown again, which takes some seconds, and a line counts them."""
    from archipel.core.record import Record
    from archipel.table.fairness import verify
    from archipel.table.throwers import fall
    from archipel.table.throwing import Landed, Order

    thrown = 0
    with screen.err().status("Drawing everything again…", spinner="dots") as line:

        def counted(order: Order) -> Landed | None:
            nonlocal thrown
            thrown += 1
            line.update(f"Throwing the dice again: throw {thrown}…")
            landed: Landed | None = fall(order)
            return landed

        return verify(Record.load(path), counted)
