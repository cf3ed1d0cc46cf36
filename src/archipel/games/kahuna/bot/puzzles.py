"""Kahuna puzzles: win as many islands as possible in one turn, with as few cards as possible; only one board is best.

Everything that the cards in hand allow is enumerated with the engine. `check` enumerates it again from the names of
islands and lines alone, without the engine.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

import archipel
from archipel.bots import bot
from archipel.core.bits import count
from archipel.core.puzzles import Puzzle, PuzzleMaker
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.games.kahuna.board import ISLANDS, LINES
from archipel.games.kahuna.rules import REFILL

PLAYERS = "random", "greedy:20", "mcts:20"
"""The bots of the games from which puzzles come."""
MOST_POSITIONS = 400
"""A turn with more positions is too much to look through."""
FEWEST_PLAYS = 2
MOST_RIVALS = 20
MOST_ANSWERS = 60


class Found(NamedTuple):
    """The best turn: all sequences of plays for it."""

    answers: list[tuple[int, ...]]
    rivals: int
    """How many different boards win islands, one fewer than the best."""


class KahunaPuzzles(PuzzleMaker):
    """Turns with one best set of plays."""

    question = "Win as many islands as possible this turn, with as few cards as possible."
    whole_turn = True

    def make(self, seed: int, number: int) -> Puzzle | None:
        rng = np.random.default_rng((seed, number))
        players = [bot(str(name)) for name in rng.choice(PLAYERS, 2)]
        after = int(rng.integers(12, 90))
        state, moves = archipel.game("kahuna").new(), list[int]()
        while state.mover != OVER:
            if state.mover == CHANCE:
                moves.append(state.sample(rng))
            else:
                if len(moves) >= after and (found := _best(state)):
                    plays = len(found.answers[0])
                    return Puzzle(tuple(moves), tuple(found.answers), plays, min(MOST_RIVALS, found.rivals))
                moves.append(players[state.mover].choose(state.view(state.mover), rng))
            state = state.after(moves[-1])
        return None

    def offered(self, state: State) -> list[int]:
        return [action for action in state.actions() if action < REFILL] if state.mover >= 0 else []

    def check(self, puzzle: Puzzle) -> None:
        state = puzzle.state("kahuna")
        islands, answers, boards = _by_name(state.snapshot(), state.mover)
        named = {tuple(state.encode(_json(play)) for play in answer) for answer in answers}
        if boards != 1:
            raise ValueError(f"{boards} different boards have {islands} islands.")
        if named != {*puzzle.answers} or len(named) != len(puzzle.answers):
            raise ValueError(f"{islands} islands are won by {answers}; the puzzle's answers are {puzzle.answers}.")

    def key(self, puzzle: Puzzle) -> Any:
        state = puzzle.state("kahuna")
        shown = state.snapshot()
        return str((state.mover, shown["bridges"], shown["hands"][state.mover]))


PUZZLES = KahunaPuzzles()


Key = tuple[int, ...]
"""What tells positions of one turn apart: both players' bridges and the cards in hand."""


class Turn:
    """Everything that can be done in a turn, without drawing."""

    def __init__(self, state: State) -> None:
        self.seat = state.mover
        self.start = self._key(state)
        self.to: dict[Key, dict[int, Key]] = {}
        self.islands: dict[Key, int] = {}
        self.endless = True
        """False if a play ends the turn or the game, or if there are too many positions."""
        self._explore(state)

    def _explore(self, state: State) -> None:
        waiting = [state]
        while waiting and self.endless:
            here = waiting.pop()
            key = self._key(here)
            if key in self.to:
                continue
            self.islands[key] = count(int(here.record.stones[self.seat]))
            after = {action: here.after(action) for action in PUZZLES.offered(here)}
            self.to[key] = {action: self._key(state) for action, state in after.items()}
            self.endless = len(self.to) <= MOST_POSITIONS and all(one.mover == self.seat for one in after.values())
            waiting += after.values()

    def _key(self, state: State) -> Key:
        s = state.record
        return int(s.bridges[0]), int(s.bridges[1]), int(s.hands[self.seat])

    def value(self, key: Key) -> tuple[int, int]:
        """The islands held, and then the cards kept."""
        return self.islands[key], count(key[-1])

    def ways(self, key: Key, target: Key) -> Iterator[tuple[int, ...]]:
        """All sequences of plays from one position to another."""
        if key == target:
            yield ()
        for action, after in self.to[key].items():
            if not target[-1] & ~after[-1]:  # no card that is kept was played
                yield from ((action, *rest) for rest in self.ways(after, target))


def _best(state: State) -> Found | None:
    """The best turn, if it leads to one position only and is worth asking for."""
    turn = Turn(state)
    if not turn.endless:
        return None
    best = max(map(turn.value, turn.to))
    targets = [key for key in turn.to if turn.value(key) == best]
    if len(targets) != 1 or best[0] <= turn.islands[turn.start]:
        return None
    answers = [*islice(turn.ways(turn.start, targets[0]), MOST_ANSWERS + 1)]
    if len(answers) > MOST_ANSWERS or len(answers[0]) < FEWEST_PLAYS:
        return None
    start = turn.islands[turn.start]
    rivals = {key[:2] for key, islands in turn.islands.items() if start < islands == best[0] - 1}
    return Found(answers, len(rivals))


# The same without the engine.


class Board(NamedTuple):
    """Bridges and cards by name."""

    own: frozenset[str]
    other: frozenset[str]
    hand: tuple[str, ...]


Play = tuple[str, tuple[str, ...]]
"""A line, and the cards that build or cut there."""


def _by_name(snapshot: Mapping[str, Any], seat: int) -> tuple[int, list[tuple[Play, ...]], int]:
    """The most islands of a turn, all sequences of plays that hold them with the fewest cards, and the number of boards
    that they lead to."""
    bridges = [frozenset(some) for some in snapshot["bridges"]]
    start = Board(bridges[seat], bridges[1 - seat], tuple(sorted(snapshot["hands"][seat])))
    reached: dict[Board, list[tuple[Play, ...]]] = {start: [()]}
    for cards in range(len(start.hand), 0, -1):  # every play takes cards: boards with more of them come first
        for board in [one for one in reached if len(one.hand) == cards]:
            for play, after in _plays(board):
                reached.setdefault(after, []).extend((*before, play) for before in reached[board])
    best = max((_held(board.own), len(board.hand)) for board in reached)
    boards = [board for board in reached if (_held(board.own), len(board.hand)) == best]
    return best[0], [answer for board in boards for answer in reached[board]], len(boards)


def _plays(board: Board) -> Iterator[tuple[Play, Board]]:
    for line in LINES:
        ends = line.split("-")
        if line in board.other:
            for pair in {*combinations(sorted(card for card in board.hand if card in ends), 2)}:
                yield (line, pair), Board(board.own, board.other - {line}, _without(board.hand, pair))
        elif line not in board.own:
            for card in {*board.hand} & {*ends}:
                won = [end for end in ends if _majority(board.own | {line}, end) and not _majority(board.own, end)]
                left = frozenset(one for one in board.other if not {*one.split("-")} & {*won})
                yield (line, (card,)), Board(board.own | {line}, left, _without(board.hand, (card,)))


def _majority(bridges: frozenset[str], island: str) -> bool:
    lines = [line for line in LINES if island in line.split("-")]
    return 2 * sum(line in bridges for line in lines) > len(lines)


def _held(bridges: frozenset[str]) -> int:
    return sum(_majority(bridges, island) for island in ISLANDS)


def _without(hand: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    left = [*hand]
    for card in cards:
        left.remove(card)
    return tuple(left)


def _json(play: Play) -> dict[str, Any]:
    line, cards = play
    if len(cards) == 1:
        return {"do": "bridge", "card": cards[0], "line": line}
    return {"do": "cut", "cards": [*cards], "line": line}
