"""`archipel verify RECORD ...`: whether the draws of games played at a table were fair."""

import argparse

from . import screen
from .errors import complaining

ABOUT = "check that the draws of a recorded game were fair"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record that a table has given out")


def run(args: argparse.Namespace) -> int:
    from archipel.core.compiled import announced
    from archipel.core.record import Record
    from archipel.table.fairness import verify

    with announced(lambda: screen.err().print("Compiling the rules (once on this machine)…")):
        for path in args.records:
            with complaining():
                checked = verify(Record.load(path))
            also = f"; {checked.taken_back} draws were taken back" if checked.taken_back else ""
            note = f" {checked.note}" if checked.note else ""
            screen.out().print(f"{path}: fair, every draw is what the promised seed gives{also}.{note}", soft_wrap=True)
    return 0
