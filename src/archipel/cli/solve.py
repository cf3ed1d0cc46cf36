"""`archipel solve stonehenge [POSITION]`: who wins, proved; with checkpoints and a certificate."""

import argparse
import json
import os
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from . import arguments, screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.bots.solver.hands import Hands
    from archipel.bots.solver.ledger import Ledger
    from archipel.bots.solver.proof import Proof
    from archipel.core.state import State

ABOUT = "prove who wins a position of Stonehenge"
MEGABYTES = 1024


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=arguments.name, help="stonehenge")
    position = 'moves, as in "6@K 5@D", or the file of a record or a snapshot; if not said, the empty board'
    parser.add_argument("position", metavar="POSITION", nargs="*", help=position)
    parser.add_argument("--cores", type=arguments.whole, metavar="N", help="work on so many cores; if not said, all")
    ray = "work on the Ray cluster at this address, as in 10.0.0.1:6379; auto: the one that runs here"
    parser.add_argument("--ray", metavar="ADDRESS", help=ray)
    memory = f"remember positions in so many megabytes ({MEGABYTES}); on a cluster, for each CPU"
    parser.add_argument("--memory", type=arguments.whole, metavar="MB", default=MEGABYTES, help=memory)
    parser.add_argument(
        "--seconds", type=arguments.whole, metavar="N", help="stop after so long; running it again goes on"
    )
    checkpoint = "keep what is proved in this file; if not said, in your data folder"
    parser.add_argument("--checkpoint", metavar="FILE", help=checkpoint)
    parser.add_argument("--certificate", metavar="FILE", help="write the winner's strategy to this file")
    few = "stop the certificate at so many empty cells (6), where its reader tries everything"
    parser.add_argument("--few", type=arguments.whole, metavar="N", default=6, help=few)
    parser.add_argument("--check", metavar="FILE", help="check a certificate, and solve nothing")


def run(args: argparse.Namespace) -> int:
    if args.check:
        return _check(args.check)
    if args.cores == 0 or args.memory == 0:
        raise BadInput("At least one core and one megabyte are needed.")
    state = _position(args.game, args.position)
    place = _writable(args.certificate) if args.certificate else None
    with complaining():
        return _prove(state, args, place)


def _check(path: str) -> int:
    from archipel.bots.solver.certificate import Checker

    try:
        checker = Checker(json.loads(Path(path).read_text("utf-8")))
        checker.check()
    except OSError as refusal:
        raise BadInput(f"{path} cannot be read: {refusal.strerror}.") from None
    except (ValueError, RecursionError) as refusal:
        raise BadInput(f"{path} does not hold: {str(refusal).rstrip('.')}.") from None
    screen.out().print(
        f"The certificate holds: seat {checker.winner} wins; {checker.checked:,} positions were checked."
    )
    return 0


def _position(name: str, words: list[str]) -> "State":
    from archipel.bots.solver.solve import check

    with complaining():
        state = arguments.game(name).new()
        if len(words) == 1 and Path(words[0]).exists():
            state = _read(words[0])
        else:
            for move in " ".join(words).split():
                state = state.after(state.parse(move))
        check(state)
    return state


def _read(path: str) -> "State":
    """The last position of a record, or that of a snapshot."""
    import archipel

    try:
        data: Any = json.loads(Path(path).read_text("utf-8"))
    except OSError as refusal:
        raise BadInput(f"{path} cannot be read: {refusal.strerror}.") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is neither a record nor a snapshot.") from None
    if isinstance(data, dict) and "archipel" in data:
        return archipel.Record.read(data).check()
    if not isinstance(data, dict) or not isinstance(data.get("options", {}), dict):
        raise BadInput(f"{path} is neither a record nor a snapshot.")
    return archipel.game("stonehenge", **data.get("options", {})).restore(data)


def _writable(path: str) -> Path:
    place = Path(path).expanduser()
    if not place.parent.is_dir() or place.is_dir():
        raise BadInput(f"{path} cannot be written: it needs a folder to be in, and must not be one.")
    return place


def _checkpoint(path: str | None) -> Path:
    import platformdirs

    from archipel.bots.solver.position import VERSION

    if path is not None:
        return _writable(path)
    folder = platformdirs.user_data_path("archipel", ensure_exists=True)
    return folder / f"stonehenge-{VERSION}.proved"


def _prove(state: "State", args: argparse.Namespace, place: Path | None) -> int:
    from archipel.bots.solver.ledger import Ledger
    from archipel.bots.solver.proof import Proof
    from archipel.bots.solver.settled import Settled
    from archipel.core.compiled import announced
    from archipel.ray import connect

    ray = connect(args.ray) if args.ray else None
    with (
        Ledger(_checkpoint(args.checkpoint)) as ledger,
        closing(_hands(ledger, ray, args)) as hands,
        announced(_say_compiling),
    ):
        settled = Settled.load()
        settled.teach(ledger)
        proof = Proof(ledger, hands)
        screen.board(str(state), state.game.marks)
        until = None if args.seconds is None else time.monotonic() + args.seconds
        winner = _Campaign(proof, settled.first, until).settle(state)
        if winner is None:
            screen.out().print(
                "It is not settled yet; what is proved is kept, and the same command goes on from there."
            )
            return 0
        screen.out().print(_verdict(proof, state, winner))
        if place:
            _certify(proof, state, winner, place, args.few)
    return 0


def _hands(ledger: "Ledger", ray: Any, args: argparse.Namespace) -> "Hands":
    from archipel.bots.solver import table
    from archipel.bots.solver.hands import Nodes, Threads

    if ray:
        return Nodes(ledger, ray, args.memory, args.cores)
    return Threads(ledger, table.new(args.memory), args.cores or os.cpu_count() or 1)


def _say_compiling() -> None:
    screen.err().print("Compiling the solver, once …")


def _verdict(proof: "Proof", state: "State", winner: int) -> str:
    move = proof.winning(state) if state.mover == winner else None
    how = "" if move is None else f" with {state.notation(move)}"
    return f"Seat {winner} wins{how}."


def _certify(proof: "Proof", state: "State", winner: int, place: Path, few: int) -> None:
    from archipel.bots.solver.strategy import Strategy

    certificate = Strategy(proof, few).certificate(state, winner)
    place.write_text(json.dumps(certificate, indent=0, separators=(",", ":")), "utf-8")
    screen.out().print(f"{place} has the strategy: {len(certificate['moves']):,} moves.", soft_wrap=True)


class _Campaign:
    """Proving a position, large ones answer by answer, while a bar shows how far it is."""

    def __init__(self, proof: "Proof", first: str, until: float | None) -> None:
        self._proof = proof
        self._first = first
        self._until = until
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"), TimeElapsedColumn()
        quiet = not screen.err().is_terminal
        self._bar = Progress(*columns, console=screen.err(), transient=True, disable=quiet)

    def settle(self, state: "State") -> int | None:
        with self._bar:
            return self._settle(state, "the position")

    def _settle(self, state: "State", what: str) -> int | None:
        from archipel.bots.solver.settled import large

        known = self._proof.known(state)
        if known is not None:
            return known
        return self._each(state) if large(state) else self._search(state, what)

    def _each(self, state: "State") -> int | None:
        """Settle the positions after this one, until the mover has a win or none is left."""
        from archipel.bots.solver.settled import answers

        losses = 0
        choices = answers(state, None if state.snapshot()["cells"] else self._first)
        for action, after in choices:
            winner = self._settle(after, state.notation(action))
            if winner is not None:
                self._bar.console.print(f"After {state.notation(action)} seat {winner} wins.")
            if winner == state.mover:
                return self._proof.note(state, winner)
            losses += winner is not None
            if self._late():
                break
        return self._proof.note(state, 1 - state.mover) if losses == len(choices) else None

    def _search(self, state: "State", what: str) -> int | None:
        task = self._bar.add_task(what, total=1.0, left="")
        for progress in self._proof.prove(state):
            left = f"about {progress.seconds_left:,.0f} s left"
            self._bar.update(task, completed=progress.share, left=left)
            if self._late():
                break
        self._bar.remove_task(task)
        return self._proof.known(state)

    def _late(self) -> bool:
        return self._until is not None and time.monotonic() > self._until
