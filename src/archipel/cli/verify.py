"""`archipel verify RECORD ...`: verify that the draws of games played at a table were fair."""

import argparse
import json
from typing import TYPE_CHECKING

from . import arguments, screen
from .errors import complaining

if TYPE_CHECKING:
    from archipel.core.slow_chance import Computed
    from archipel.table.log.fairness import Checked

ABOUT = "check that the draws of a recorded game were fair"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record downloaded from a table")
    arguments.add_json(parser)
    parser.add_argument("--commit", metavar="CODE", help="the fairness code that you saw when the game began")


def run(args: argparse.Namespace) -> int:
    from archipel.core.compiled import announced

    with announced(lambda: screen.err().print("Compiling the rules (once on this machine)…")):
        fair = True
        for path in args.records:
            with complaining():
                checked = _verified(path, args.commit)
            fair &= checked.fair
            if args.json:
                print(json.dumps({"record": path} | checked.json(), ensure_ascii=False))
                continue
            text = f"{checked.reason[0].lower()}{checked.reason[1:]}"
            text = f"fair, {text}" if checked.fair else f"{text} The draws: {checked.counts}."
            notes = [checked.note] * bool(checked.note) + checked.origins
            screen.out().print(" ".join([f"{path}: {text}", *notes]), soft_wrap=True)
    return 0 if fair else 1


def _verified(path: str, commit: str | None) -> "Checked":
    """Verify a record; computed outcomes are computed again, which takes some seconds, with a progress line."""
    from archipel.core.record import Record
    from archipel.table.log.fairness import verify
    from archipel.table.log.tasks import Task, carry_out

    done = 0
    with screen.err().status("Drawing everything again…", spinner="dots") as line:

        def counted(task: Task) -> "Computed | None":
            nonlocal done
            done += 1
            line.update(f"Computing chance outcomes again: {done}…")
            return carry_out(task)

        return verify(Record.load(path), counted, commit)
