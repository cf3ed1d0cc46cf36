"""`archipel verify RECORD ...`: verify that games played at a table were fair: their draws, and the moves of bots."""

import argparse
import json
from typing import TYPE_CHECKING

from . import arguments, screen
from .errors import complaining

if TYPE_CHECKING:
    from archipel.core.slow_chance import Computed
    from archipel.table.log.fairness import Checked
    from archipel.table.play.recomputing import Recomputed

ABOUT = "check that a recorded game was fair: its draws, and the moves of its bots"


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
                checked, moves = _verified(path, args.commit)
            fair &= checked.fair
            if args.json:
                bots = [one.json() for one in moves]
                print(json.dumps({"record": path} | checked.json() | {"bots": bots}, ensure_ascii=False))
                continue
            text = f"{checked.reason[0].lower()}{checked.reason[1:]}"
            text = f"fair, {text}" if checked.fair else f"{text} The draws: {checked.counts}."
            notes = [checked.note] * bool(checked.note) + checked.origins + [one.reason for one in moves]
            screen.out().print(" ".join([f"{path}: {text}", *notes]), soft_wrap=True)
    return 0 if fair else 1


def _verified(path: str, commit: str | None) -> "tuple[Checked, list[Recomputed]]":
    """Verify a record: its draws, and the moves of its bots. Both can take some seconds, with a progress line."""
    from archipel.core.record import Record
    from archipel.table.log.fairness import verify
    from archipel.table.log.tasks import Task, carry_out
    from archipel.table.play.recomputing import recomputed
    from archipel.table.play.thinking import Choice, Question, think

    done = asked = 0
    with screen.err().status("Drawing everything again…", spinner="dots") as line:

        def counted(task: Task) -> "Computed | None":
            nonlocal done
            done += 1
            line.update(f"Computing chance outcomes again: {done}…")
            return carry_out(task)

        def thought(question: Question) -> Choice | None:
            nonlocal asked
            asked += 1
            line.update(f"Asking the bots again: {asked}…")
            choice: Choice | None = think(question)
            return choice

        record = Record.load(path)
        return verify(record, counted, commit), recomputed(record, thought)
