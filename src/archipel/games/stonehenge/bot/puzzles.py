"""Stonehenge puzzles: exactly one of all legal moves wins.

The solver finds them in games that both seats play fairly well. `Trial`, which shares no code with the solver, checks
them. Positions that are equivalent for the solver, by a symmetry of the board for instance, are one puzzle.
"""

from collections.abc import Iterator

import numpy as np

import archipel
from archipel.core.puzzles import NO_REPLY, Puzzle, PuzzleMaker
from archipel.core.rules import OVER
from archipel.core.state import State

from .solver import table as tables
from .solver.alphabeta import UNKNOWN, WIN
from .solver.judgement import likely
from .solver.position import PARTS, pack
from .solver.solve import Solver, empty_cells, name_of
from .solver.trial import Trial

EMPTY = 8, 9, 10, 11
OFTEN = 0.35, 0.45, 0.18, 0.02
"""The numbers of empty cells, and how often each is tried: solving eleven takes twenty times as long as nine."""
CONSIDERED = 4
"""A player takes the best of this many random moves."""
MEGABYTES = 4
DECIDED = 1000.0


class StonehengePuzzles(PuzzleMaker):
    """Positions with one winning move."""

    question = "Exactly one move wins. Which?"

    def make(self, seed: int, number: int) -> Puzzle | None:
        rng = np.random.default_rng((seed, number))
        moves = _played(rng, int(rng.choice(EMPTY, p=OFTEN)))
        state = _after(moves)
        if state.mover == OVER:
            return None
        solver = Solver(tables.new(MEGABYTES))
        solver.begin()
        won = _winning(solver, state)
        if len(won) != 1 or state.after(won[0]).mover == OVER:
            return None
        line = [*_line(solver, state, won[0])]
        looks = {action: _likely(state.after(action), state.mover) for action in state.actions()}
        rivals = sum(look >= looks[won[0]] for look in looks.values()) - 1
        replies = _replies(solver, state, won[0])
        return Puzzle(tuple(moves), ((won[0],),), 1 + len(line), rivals, tuple(line), replies=tuple(replies))

    def check(self, puzzle: Puzzle) -> None:
        state = puzzle.state("stonehenge")
        trial = Trial(MEGABYTES)
        won = [action for action in state.actions() if _wins(trial, state, action)]
        if puzzle.answers != tuple((action,) for action in won) or len(won) != 1:
            right = ", ".join(map(state.notation, won)) or "none"
            raise ValueError(f"These moves win: {right}; the puzzle's answers are {puzzle.answers}.")
        end = state.after(won[0])
        for action in puzzle.line:
            end = end.after(action)
        if end.winner != state.mover:
            raise ValueError("The line of best play does not end with a win.")
        for action, reply in zip(state.actions(), puzzle.replies, strict=True):
            after = state.after(action)
            refuted = action not in won and after.mover != OVER
            if refuted != (reply != NO_REPLY) or (refuted and not _wins(trial, after, reply)):
                raise ValueError(f"{reply} does not refute {state.notation(action)}.")

    def key(self, puzzle: Puzzle) -> int:
        return name_of(puzzle.state("stonehenge"))


PUZZLES = StonehengePuzzles()


def _after(moves: list[int]) -> State:
    state = archipel.game("stonehenge").new()
    for move in moves:
        state = state.after(move)
    return state


def _played(rng: np.random.Generator, empty: int) -> list[int]:
    """The moves of a game down to this many empty cells."""
    state, moves = archipel.game("stonehenge").new(), []
    while state.mover != OVER and empty_cells(state) > empty:
        some = rng.choice(state.actions(), CONSIDERED, replace=False).tolist()
        moves.append(max(some, key=lambda action: _likely(state.after(action), state.mover)))
        state = state.after(moves[-1])
    return moves


def _likely(state: State, seat: int) -> float:
    """How the position looks to a seat without any search: the estimated log odds of winning."""
    if state.mover == OVER:
        return DECIDED if state.winner == seat else -DECIDED
    stack = np.zeros((1, PARTS), np.int64)
    pack(state.record, stack)
    odds = float(likely(stack, 0))
    return odds if seat == 0 else -odds


def _winning(solver: Solver, state: State) -> list[int]:
    """The moves that win, up to the second."""
    won: list[int] = []
    for action in state.actions():
        after = state.after(action)
        answer = UNKNOWN if after.mover == OVER else solver.wins(after)
        if after.winner == state.mover or (after.mover != OVER and answer != WIN):
            won.append(action)
        if len(won) > 1:
            break
    return won


def _line(solver: Solver, state: State, action: int) -> list[int]:
    """Best play after the action: the loser takes the move that took longest to refute."""
    line = []
    state = state.after(action)
    while state.mover != OVER:
        best = solver.best(state)
        assert best is not None  # the number of nodes is not limited
        assert best.action is not None
        line.append(best.action)
        state = state.after(best.action)
    return line


def _replies(solver: Solver, state: State, right: int) -> Iterator[int]:
    """For each wrong move a reply that wins: one that refutes other moves too, if there is one."""
    known: list[int] = []
    for action in state.actions():
        after = state.after(action)
        if action == right or after.mover == OVER:
            yield NO_REPLY
            continue
        legal = set(after.actions())
        reply = next((reply for reply in known if reply in legal and _refutes(solver, after, reply)), None)
        if reply is None:
            best = solver.best(after)
            assert best is not None  # the number of nodes is not limited
            assert best.action is not None
            reply = best.action
            known.append(reply)
        yield reply


def _refutes(solver: Solver, state: State, reply: int) -> bool:
    after = state.after(reply)
    return after.winner == state.mover if after.mover == OVER else solver.wins(after) != WIN


def _wins(trial: Trial, state: State, action: int) -> bool:
    after = state.after(action)
    return after.winner == state.mover if after.mover == OVER else not trial.wins(after)
