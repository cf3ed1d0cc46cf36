"""`archipel solve stonehenge [POSITION]`: prove who wins, with checkpoints and a certificate."""

import argparse
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from archipel.workers import cores

from . import arguments, certificates, screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.core.state import State
    from archipel.games.stonehenge.bot.solver.hands import Hands
    from archipel.games.stonehenge.bot.solver.ledger import Ledger
    from archipel.games.stonehenge.bot.solver.proof import Proof

ABOUT = "prove who wins a position of Stonehenge"
MEGABYTES = 1024


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=arguments.name, help="stonehenge")
    position = 'moves, as in "6@K 5@D", or a file with a record or a snapshot (default: the empty board)'
    parser.add_argument("position", metavar="POSITION", nargs="*", help=position)
    parser.add_argument("--cores", type=arguments.whole, metavar="N", help="number of cores (default: all)")
    ray = "use the Ray cluster at this address, as in 10.0.0.1:6379; auto: the one on this machine"
    parser.add_argument("--ray", metavar="ADDRESS", help=ray)
    memory = f"size of the transposition table in megabytes (default: {MEGABYTES}); on a cluster, per CPU"
    parser.add_argument("--memory", type=arguments.whole, metavar="MB", default=MEGABYTES, help=memory)
    parser.add_argument(
        "--seconds", type=arguments.whole, metavar="N", help="stop after this time; the same command resumes"
    )
    checkpoint = "store proved or checked positions in this file (default: in your data folder)"
    parser.add_argument("--checkpoint", metavar="FILE", help=checkpoint)
    parser.add_argument("--certificate", metavar="FILE", help="write the winner's strategy to this file")
    few = "end the certificate at this number of empty cells (default: 10), from where the checker tries everything"
    parser.add_argument("--few", type=arguments.whole, metavar="N", default=10, help=few)
    parser.add_argument("--anew", action="store_true", help="do not use the proved positions that come with Archipel")
    parser.add_argument("--check", metavar="FILE", help="check a certificate instead of solving")
    quick = "check with the solver's own alpha-beta and an empty table: faster, but not independent"
    parser.add_argument("--quick", action="store_true", help=quick)


def run(args: argparse.Namespace) -> int:
    if args.cores == 0 or args.memory == 0:
        raise BadInput("At least one core and one megabyte are needed.")
    if args.check:
        _nothing_to_solve(args)
        return _check(args)
    if args.quick:
        raise BadInput("--quick only works with --check FILE.")
    state = _position(args.game, args.position)
    place = _writable(args.certificate) if args.certificate else None
    with complaining():
        return _prove(state, args, place)


def _nothing_to_solve(args: argparse.Namespace) -> None:
    """Refuse arguments that a check would silently ignore."""
    proving = {"a position": args.position, "--ray": args.ray, "--certificate": args.certificate, "--anew": args.anew}
    for what, given in proving.items():
        if given:
            raise BadInput(f"--check does not solve, so it cannot be combined with {what}.")


def _check(args: argparse.Namespace) -> int:
    from archipel.games.stonehenge.bot.solver.ledger import Ledger

    checker = certificates.read(args.check)
    kept = "solved" if args.quick else "checked"
    with complaining(), Ledger(_checkpoint(args.checkpoint, kept)) as tried:
        tellers = certificates.tellers(_cores(args), args.memory, args.quick)
        certificates.check(args.check, checker, tried, tellers, _until(args))
    return 0


def _cores(args: argparse.Namespace) -> int:
    return args.cores or cores()


def _until(args: argparse.Namespace) -> float | None:
    return None if args.seconds is None else time.monotonic() + args.seconds


def _position(name: str, moves: list[str]) -> "State":
    from archipel.games.stonehenge.bot.solver.solve import check

    with complaining():
        state = arguments.game(name).new()
        if len(moves) == 1 and Path(moves[0]).exists():
            state = _read(moves[0])
        else:
            for move in " ".join(moves).split():
                state = state.after(state.parse(move))
        check(state)
    return state


def _read(path: str) -> "State":
    """The last position of a record, or the position of a snapshot."""
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


def _checkpoint(path: str | None, what: str) -> Path:
    import platformdirs

    from archipel.games.stonehenge.bot.solver.position import VERSION

    if path is not None:
        return _writable(path)
    folder = platformdirs.user_data_path("archipel", ensure_exists=True)
    return folder / f"stonehenge-{VERSION}.{what}"


def _prove(state: "State", args: argparse.Namespace, place: Path | None) -> int:
    from archipel.core.compiled import announced
    from archipel.games.stonehenge.bot.solver.ledger import Ledger
    from archipel.games.stonehenge.bot.solver.proof import Proof
    from archipel.games.stonehenge.bot.solver.settled import Settled
    from archipel.ray import connect

    ray = connect(args.ray) if args.ray else None
    with Ledger(_checkpoint(args.checkpoint, "proved")) as ledger, ExitStack() as stack, announced(_say_compiling):
        settled = Settled.load()
        if not args.anew:
            settled.teach(ledger)
        together, *alone = [Proof(ledger, stack.enter_context(closing(h))) for h in _hands(ledger, ray, args)]
        screen.board(str(state), state.game.marks)
        winner = _Campaign(together, alone, settled.first, _until(args)).settle(state)
        if winner is None:
            screen.out().print(
                "It is not settled yet; what is proved is kept, and the same command goes on from there."
            )
            return 0
        screen.out().print(_verdict(together, state, winner))
        if place:
            _certify(together, state, winner, place, args.few)
    return 0


def _hands(ledger: "Ledger", ray: Any, args: argparse.Namespace) -> "list[Hands]":
    """All searchers together; then, if they are cores of this machine, each alone."""
    from archipel.games.stonehenge.bot.solver import table
    from archipel.games.stonehenge.bot.solver.hands import Nodes, Threads

    if ray:
        return [Nodes(ledger, ray, args.memory, args.cores)]
    shared = table.new(args.memory)
    return [Threads(ledger, shared, _cores(args)), *(Threads(ledger, shared) for _ in range(_cores(args)))]


def _say_compiling() -> None:
    screen.err().print("Compiling the solver, once …")


def _verdict(proof: "Proof", state: "State", winner: int) -> str:
    move = proof.winning(state) if state.mover == winner else None
    how = "" if move is None else f" with {state.notation(move)}"
    return f"Seat {winner} wins{how}."


def _certify(proof: "Proof", state: "State", winner: int, place: Path, few: int) -> None:
    from archipel.games.stonehenge.bot.solver.strategy import Strategy

    certificate = Strategy(proof, few).certificate(state, winner)
    place.write_text(json.dumps(certificate, indent=0, separators=(",", ":")), "utf-8")
    screen.out().print(f"{place} has the strategy: {len(certificate['moves']):,} moves.", soft_wrap=True)


class _Campaign:
    """Proves a position, large ones reply by reply, with progress bars."""

    def __init__(self, together: "Proof", alone: "list[Proof]", first: str, until: float | None) -> None:
        self._together = together
        self._alone = alone
        self._first = first
        self._until = until
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"), TimeElapsedColumn()
        quiet = not screen.err().is_terminal
        self._bar = Progress(*columns, console=screen.err(), transient=True, disable=quiet)

    def settle(self, state: "State") -> int | None:
        with self._bar:
            return self._settle(state, "the position")

    def _settle(self, state: "State", what: str) -> int | None:
        from archipel.games.stonehenge.bot.solver.settled import large

        known = self._together.known(state)
        if known is not None:
            return known
        return self._each(state) if large(state) else self._search(self._together, state, what)

    def _each(self, state: "State") -> int | None:
        """Solve the positions after this one, until the mover has a win or none is left."""
        from archipel.games.stonehenge.bot.solver.settled import answers, large

        choices = answers(state, None if state.snapshot()["cells"] else self._first)
        side_by_side = self._alone and not any(large(after) for _, after in choices)
        winners = self._at_once(state, choices) if side_by_side else self._in_turn(state, choices)
        if state.mover in winners:
            return self._together.note(state, state.mover)
        return self._together.note(state, 1 - state.mover) if None not in winners else None

    def _in_turn(self, state: "State", choices: "list[tuple[int, State]]") -> list[int | None]:
        winners: list[int | None] = [None] * len(choices)
        for i, (action, after) in enumerate(choices):
            winners[i] = self._settle(after, state.notation(action))
            self._say(state, action, winners[i])
            if winners[i] == state.mover or self._late():
                break
        return winners

    def _at_once(self, state: "State", choices: "list[tuple[int, State]]") -> list[int | None]:
        """Each core takes the next reply: it remembers best what it has searched itself."""
        winners = [self._together.known(after) for _, after in choices]
        todo = [i for i, winner in enumerate(winners) if winner is None]
        done = self._bar.add_task("answers", total=len(choices), completed=len(choices) - len(todo), left="")
        began, stopped, waiting = time.monotonic(), Event(), iter(todo)

        def work(proof: "Proof") -> None:
            for i in waiting:
                action, after = choices[i]
                winners[i] = self._search(proof, after, state.notation(action), stopped)
                self._say(state, action, winners[i])
                settled = sum(winners[j] is not None for j in todo)
                pace = (time.monotonic() - began) / settled if settled else math.inf
                left = _about((len(todo) - settled) * pace)
                self._bar.update(done, completed=len(choices) - len(todo) + settled, left=left)
                if winners[i] == state.mover:
                    stopped.set()
                if stopped.is_set() or self._late():
                    break

        with ThreadPoolExecutor(len(self._alone)) as pool:
            try:
                for working in [pool.submit(work, proof) for proof in self._alone]:
                    working.result()
            finally:
                stopped.set()
                for proof in self._alone:
                    proof.stop()
        self._bar.remove_task(done)
        return winners

    def _say(self, state: "State", action: int, winner: int | None) -> None:
        if winner is not None:
            self._bar.console.print(f"After {state.notation(action)} seat {winner} wins.")

    def _search(self, proof: "Proof", state: "State", what: str, stopped: Event | None = None) -> int | None:
        task = self._bar.add_task(what, total=None if stopped else 1.0, left="")
        for progress in proof.prove(state):
            # A single searcher takes the whole reply: its slices do not tell how many more there are.
            left = "" if stopped else _about(progress.seconds_left)
            self._bar.update(task, completed=None if stopped else progress.share, left=left)
            if self._late() or (stopped and stopped.is_set()):
                break
        self._bar.remove_task(task)
        return proof.known(state)

    def _late(self) -> bool:
        return self._until is not None and time.monotonic() > self._until


def _about(seconds: float) -> str:
    return f"about {seconds:,.0f} s left" if seconds < math.inf else ""
