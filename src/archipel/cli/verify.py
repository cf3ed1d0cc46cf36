"""`archipel verify RECORD ...`: whether the draws of games played at a table were fair."""

import argparse
from typing import TYPE_CHECKING

from . import screen
from .errors import complaining

if TYPE_CHECKING:
    from archipel.core.slow_chance import Computed
    from archipel.table.fairness import Checked

ABOUT = "check that the draws of a recorded game were fair"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record downloaded from a table")


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
    """Check a record; outcomes that were computed are computed again, which takes some seconds: a line counts them."""
    from archipel.core.record import Record
    from archipel.table.fairness import verify
    from archipel.table.outcomes import Task, carry_out

    done = 0
    with screen.err().status("Drawing everything again…", spinner="dots") as line:

        def counted(task: Task) -> "Computed | None":
            nonlocal done
            done += 1
            line.update(f"Computing chance outcomes again: {done}…")
            return carry_out(task)

        return verify(Record.load(path), counted)
