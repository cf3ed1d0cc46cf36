"""The consequences of an action in Kula Kula, for the story of a game: landings, tolls, idols, trades."""

from typing import Any

from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State

from .board import Board
from .rules import GO, IDOL, SAIL, SPINNING, TRADE, Position


def brought(board: Board, turns: int, before: State, action: int, after: State) -> dict[str, Any] | None:
    """The public consequences, or None if there are none; `turns` is the game's turn limit.

    `at` of a landing is an island's name or a sea space's number, `toll` the seats whose boats were there, in the order
    in which they are paid (how much each got is hidden), and `pukas` how many were picked up. The dolphin leaves `lies`
    Pukas on its space. An idol loses the cards `lost`. A trade has `at` and `left`, the Kauri that remain there.
    `limit`: the game ended at its turn limit.
    """
    s, then = before.plain, after.plain
    happened: dict[str, Any] = {}
    if s.mover == CHANCE:
        happened = _dolphin(board, action, then) if s.phase == SPINNING else _card(before, action)
    elif action in (SAIL, GO):
        happened = _landing(board, before, then.boats[s.seat])
    elif action == TRADE:
        happened = {"at": board.ring[s.boats[s.seat]], "left": int(then.shells[s.boats[s.seat]])}
    if then.mover == OVER and then.turn == turns:
        happened["limit"] = True
    return happened or None


def _landing(board: Board, before: State, space: int) -> dict[str, Any]:
    s, seats = before.plain, before.game.seats
    others = [(s.seat + k) % seats for k in range(1, seats)]
    toll = [other for other in others if s.boats[other] == space]
    return {"at": board.ring[space], "toll": toll, "pukas": pukas(board, s, space)}


def pukas(board: Board, s: Position, space: int) -> int:
    """The Pukas on a space; on an island only if it is numbered."""
    return int(s.shells[space] if isinstance(board.ring[space], int) else s.beach[space])


def _dolphin(board: Board, action: int, then: Position) -> dict[str, Any]:
    return {"lies": pukas(board, then, board.numbered[board.numbers[action]])}


def _card(before: State, action: int) -> dict[str, Any]:
    return {"lost": before.snapshot()["drawn"]} if action == IDOL else {}
