"""The solver: it knows the rules, finds the winner, and says when it does not."""

import json
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import OVER, State
from archipel.bots import Budget
from archipel.games.stonehenge.board import CELLS, LINES
from archipel.games.stonehenge.bot.solver import SolverBot, position, solve
from archipel.games.stonehenge.bot.solver import table as tables
from archipel.games.stonehenge.bot.solver.alphabeta import UNKNOWN, WIN, Search, mover, new_search, play, survey
from archipel.games.stonehenge.bot.solver.certificate import Checker
from archipel.games.stonehenge.bot.solver.hands import Threads
from archipel.games.stonehenge.bot.solver.ledger import Ledger
from archipel.games.stonehenge.bot.solver.position import PARTS, TURNED_CELL, TURNED_LINE, TURNS, pack
from archipel.games.stonehenge.bot.solver.proof import Proof
from archipel.games.stonehenge.bot.solver.settled import Settled, answers, moved
from archipel.games.stonehenge.bot.solver.solve import Solver, name_of
from archipel.games.stonehenge.bot.solver.strategy import Strategy
from archipel.games.stonehenge.bot.solver.trial import Trial

GAME = archipel.game("stonehenge")


def empty_cells(state: State) -> int:
    return int(state.record.free).bit_count()


def random_state(rng: np.random.Generator, empty: int) -> State:
    """A position of a random game, still running, with so many empty cells."""
    state = GAME.new()
    while state.mover != OVER and empty_cells(state) > empty:
        state = state.after(int(rng.choice(state.actions())))
    return random_state(rng, empty) if state.mover == OVER else state


@cache
def winner(state: State) -> int:
    """By trying everything."""
    if state.mover == OVER:
        return int(state.record.winners) - 1
    won = any(winner(state.after(action)) == state.mover for action in state.actions())
    return state.mover if won else 1 - state.mover


def turned(state: State, turn: int) -> State:
    """The position turned or mirrored, by way of its snapshot."""
    snapshot = state.snapshot()
    cell = {a: CELLS[TURNED_CELL[turn, i]] for i, a in enumerate(CELLS)}
    line = {a: position.LINES[TURNED_LINE[turn, i]] for i, a in enumerate(position.LINES)}
    snapshot["cells"] = {cell[a]: druid for a, druid in snapshot["cells"].items()}
    snapshot["megaliths"] = {line[a]: seat for a, seat in snapshot["megaliths"].items()}
    snapshot["last"] = {line[a]: seat for a, seat in snapshot["last"].items()}
    return GAME.restore(snapshot)


# The board's symmetries


def test_the_symmetries_take_lines_to_lines() -> None:
    for turn in range(TURNS):
        assert sorted(TURNED_CELL[turn]) == list(range(18))
        for i, line in enumerate(position.LINES):
            image = {CELLS[TURNED_CELL[turn, CELLS.index(cell)]] for cell in line}
            assert image == set(position.LINES[TURNED_LINE[turn, i]])
    assert len({tuple(cells) for cells in TURNED_CELL}) == 6


def test_there_are_no_other_symmetries() -> None:
    """Found from the lines alone: any way to put the cells that keeps together what is on a line."""
    together = {frozenset(pair) for line in LINES for pair in permutations(line, 2)}

    def ways(put: dict[str, str]) -> int:
        if len(put) == len(CELLS):
            return 1
        cell = CELLS[len(put)]
        return sum(
            ways({**put, cell: image})
            for image in CELLS
            if image not in put.values()
            and all((frozenset((cell, a)) in together) == (frozenset((image, b)) in together) for a, b in put.items())
        )

    assert ways({}) == TURNS


def test_a_turned_position_has_the_same_name() -> None:
    rng = np.random.default_rng(1)
    for empty in range(17, 3, -1):
        state = random_state(rng, empty)
        assert len({name_of(turned(state, turn)) for turn in range(TURNS)}) == 1


def test_other_positions_have_other_names() -> None:
    rng = np.random.default_rng(2)
    state = random_state(rng, 14)
    children = [state.after(action) for action in state.actions()]
    assert len({name_of(child) for child in children}) == len(set(children))


def test_positions_of_the_same_name_have_the_same_winner() -> None:
    rng = np.random.default_rng(3)
    by_name: dict[int, set[int]] = {}
    different = set()
    for _ in range(3):
        state = random_state(rng, 6)
        for first in state.actions():
            for second in state.after(first).actions():
                after = state.after(first).after(second)
                if after.mover != OVER:
                    different.add(after)
                    by_name.setdefault(name_of(after), set()).add(winner(after))
    assert len(by_name) < len(different)
    assert all(len(winners) == 1 for winners in by_name.values())


# The rules, written anew


def packed(state: State) -> list[int]:
    stack = np.zeros((1, PARTS), np.int64)
    pack(state.record, stack)
    return stack[0].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("empty", range(1, 18))
def test_a_move_does_what_the_engine_does(empty: int) -> None:
    rng = np.random.default_rng(empty)
    stack = np.zeros((2, PARTS), np.int64)
    for _ in range(10):
        state = random_state(rng, empty)
        pack(state.record, stack)
        assert mover(stack, 0) == state.mover
        for action in state.actions():
            after = state.after(action)
            result = play(stack, 0, action)
            if after.mover == OVER:
                assert result == (after.winner == state.mover)
            else:
                assert (result, stack[1].tolist()) == (UNKNOWN, packed(after))


# What need not be searched


def surveyed(state: State) -> tuple[Search, int, int]:
    search = new_search(tables.new(0))
    pack(state.record, search.stack)
    return search, *survey(search, 0)


@pytest.mark.parametrize("empty", range(1, 12))
def test_a_druid_closes_a_line_if_the_engine_gives_it_to_its_seat(empty: int) -> None:
    rng = np.random.default_rng(empty)
    for _ in range(10):
        state = random_state(rng, empty)
        search, _, _ = surveyed(state)
        before, seat = state.record, state.mover
        for action in state.actions():
            value, cell = divmod(action, 18)
            after = state.after(action)
            for line, name in enumerate(LINES):
                if CELLS[cell] in name and before.owner[line] < 0 and after.mover != OVER:
                    closed = value + 1 >= search.least[0, position.LINES.index(name)]
                    assert closed == (after.record.owner[line] == seat)


@pytest.mark.parametrize("empty", range(2, 11))
def test_a_win_at_once_is_seen_and_so_is_the_foe_s(empty: int) -> None:
    rng = np.random.default_rng(empty)
    for _ in range(10):
        state = random_state(rng, empty)
        _, result, within = surveyed(state)
        assert (result == WIN) == any(state.after(a).winner == state.mover for a in state.actions())
        for action in state.actions():
            after = state.after(action)
            if not within >> action % 18 & 1 and after.winner != state.mover:
                foe_wins = any(after.after(reply).winner == after.mover for reply in after.actions())
                assert foe_wins or after.winner == 1 - state.mover


# The answer


@pytest.mark.parametrize(("empty", "count"), [(1, 10), (2, 10), (3, 20), (4, 20), (5, 20), (6, 5)])
def test_the_solver_agrees_with_trying_everything(empty: int, count: int) -> None:
    rng = np.random.default_rng(empty)
    for _ in range(count):
        state = random_state(rng, empty)
        solution = solve(state, megabytes=1)
        assert solution is not None
        assert solution.action is not None
        assert solution.winner == winner(state)
        assert winner(state.after(solution.action)) == solution.winner


def test_one_table_serves_many_positions() -> None:
    rng = np.random.default_rng(7)
    solver = Solver(tables.new(1))
    for _ in range(30):
        state = random_state(rng, 6)
        for child in map(state.after, state.actions()):
            if child.mover != OVER:
                solver.begin()
                assert solver.wins(child) == (winner(child) == child.mover)


def test_a_turned_position_has_the_same_winner() -> None:
    rng = np.random.default_rng(8)
    for _ in range(5):
        state = random_state(rng, 9)
        solutions = [solve(turned(state, turn), megabytes=1) for turn in range(TURNS)]
        assert len({solution.winner for solution in solutions if solution}) == 1


def test_a_game_that_is_over() -> None:
    rng = np.random.default_rng(9)
    state = random_state(rng, 1)
    state = state.after(state.actions()[0])
    assert solve(state) == (state.winner, None, 0)


def test_limits_are_kept() -> None:
    unproved = GAME.new().after(GAME.new().parse("3@A"))  # the empty board is known without a search
    assert solve(unproved, nodes=1000, megabytes=1) is None
    assert solve(unproved, seconds=0.2, megabytes=1) is None


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("kahuna", {}, "Only Stonehenge can be solved, not Kahuna."),
        ("stonehenge", {"hidden": True}, "with open druids and automatic claims only"),
        ("stonehenge", {"claims": "manual"}, "with open druids and automatic claims only"),
    ],
)
def test_what_cannot_be_solved(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        solve(archipel.game(name, **options).new())


# The table


def test_the_table_remembers_and_forgets_the_cheapest() -> None:
    table = tables.new(0)
    names = [np.uint64(n) << np.uint64(20) for n in range(1, 6)]
    for n, name in enumerate(names):
        tables.store(table, name, n % 2, 1 << n + 1)
    known = [tables.probe(table, name) for name in names]
    assert known == [-1, 1, 0, 1, 0]


# Proofs


def proved(state: State, ledger: Ledger, cores: int = 1) -> int | None:
    proof = Proof(ledger, Threads(ledger, tables.new(4), cores))
    for progress in proof.prove(state):
        assert 0 <= progress.share <= 1
    return proof.known(state)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave so little to alpha-beta and to a slice that there is something to prove."""
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.dfpn.SMALL", 6)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.dfpn.ROOM", 12)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.proof.ALONE", 8)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.proof.SHARED", 7)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.proof.SLICE", 300)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.dfpn.KEPT", 7)


@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.usefixtures("small")
def test_a_proof_finds_the_winner_that_alpha_beta_finds(cores: int) -> None:
    rng = np.random.default_rng(10 + cores)
    for empty in (8, 9, 10, 10, 10):
        state = random_state(rng, empty)
        solution = solve(state)
        assert solution is not None
        assert proved(state, Ledger(), cores) == solution.winner


@pytest.mark.usefixtures("small")
def test_a_proof_believes_its_ledger(tmp_path: Path) -> None:
    state = random_state(np.random.default_rng(13), 10)
    path = tmp_path / "proved"
    with Ledger(path) as ledger:
        proof = Proof(ledger, Threads(ledger, tables.new(4)))
        steps = proof.prove(state)
        next(steps)
        steps.close()
        begun = len(ledger)
    assert begun > 0
    with path.open("ab") as file:
        file.write(b"torn")
    with Ledger(path) as ledger:
        assert len(ledger) == begun
        winner = proved(state, ledger)
        whole = len(ledger)
    with Ledger(path) as ledger:
        assert len(ledger) == whole
        assert list(Proof(ledger, Threads(ledger, tables.new(4))).prove(state)) == []
        assert ledger.winner(name_of(state)) == winner


def test_a_ledger_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir, here is all that I know of Stonehenge.")
    with pytest.raises(ValueError, match=r"letter\.txt is no checkpoint of this solver"):
        Ledger(path)
    assert path.read_text().startswith("Dear Sir")


def test_what_is_settled_can_be_told() -> None:
    settled, ledger = Settled.load(), Ledger()
    settled.teach(ledger)
    known = [after for _, after in answers(settled.after_first()) if ledger.winner(name_of(after)) is not None]
    assert len(known) == len(settled.answers)


def test_the_first_move_wins_against_every_answer() -> None:
    settled = Settled.load()
    assert len(settled.answers) == len(answers(settled.after_first()))
    assert all(found["winner"] == 0 for found in settled.answers.values())


def test_settled_answers_are_kept(tmp_path: Path) -> None:
    settled = Settled("2@L", {"6@K": {"winner": 0}, "1@A": {"winner": 1}})
    settled.save(tmp_path / "settled.json")
    assert Settled.load(tmp_path / "settled.json") == settled


def test_answers_that_are_mirror_images_are_one() -> None:
    assert len(answers(GAME.new())) == 24
    assert len(answers(moved(GAME.new(), "2@L"))) < 17 * 6 * 2 // 3


# Certificates


def certificate(empty: int, seed: int) -> dict[str, Any]:
    state = random_state(np.random.default_rng(seed), empty)
    solution = solve(state)
    assert solution is not None
    return Strategy(Proof(Ledger(), Threads(Ledger(), tables.new(4))), few=4).certificate(state, solution.winner)


def refused(changed: dict[str, Any]) -> str:
    with pytest.raises(ValueError, match=r"\.$") as refusal:
        Checker(json.loads(json.dumps(changed))).check()
    return str(refusal.value)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_certificate_holds(seed: int) -> None:
    checker = Checker(json.loads(json.dumps(certificate(7, seed))))
    checker.check()
    assert checker.followed > 10


def test_a_false_certificate_does_not_hold() -> None:
    good = certificate(7, 1)
    first = min(good["moves"], key=len)
    assert "does not win after" in refused(good | {"winner": 1 - good["winner"], "few": 18})
    assert "has no move for seat" in refused(good | {"moves": {}})
    assert "is not notation" in refused(good | {"moves": {**good["moves"], first: "castle"}})
    assert "taken" in refused(good | {"moves": {**good["moves"], first: "1@" + first[0]}})
    assert "it has no 'moves'" in refused({key: good[key] for key in good if key != "moves"})


@pytest.mark.parametrize(("empty", "count"), [(4, 20), (7, 20), (9, 6)])
def test_trying_everything_finds_the_winner_that_the_solver_finds(empty: int, count: int) -> None:
    rng, trial = np.random.default_rng(empty), Trial(1)
    for _ in range(count):
        state = random_state(rng, empty)
        solution = solve(state)
        assert solution is not None
        won = trial.wins(state)
        assert won == (solution.winner == state.mover)
    assert trial.positions > count


def test_a_certificate_tries_turned_positions_once() -> None:
    rng = np.random.default_rng(3)
    checker = Checker(certificate(7, 1))
    for _ in range(5):
        state = random_state(rng, 9)
        assert len({checker.mark(turned(state, turn)) for turn in range(6)}) == 1
    assert len({checker.mark(random_state(rng, 9)) for _ in range(20)}) == 20


def test_a_strategy_needs_a_proof() -> None:
    state = random_state(np.random.default_rng(1), 15)
    with pytest.raises(ValueError, match=f"Seat {state.mover} is not proved to win here"):
        Strategy(Proof(Ledger(), Threads(Ledger(), tables.new(1)))).certificate(state, state.mover)


# The bot


def test_the_bot_plays_perfectly_from_twelve_empty_cells_on() -> None:
    rng = np.random.default_rng(21)
    for empty in (4, 6, 8, 10, 12):
        state = random_state(rng, empty)
        solution = solve(state)
        assert solution is not None
        thought = SolverBot().think(state.view(state.mover), rng, Budget(simulations=1))
        assert thought.values[solution.winner] == 1.0
        assert thought.line[0] == state.notation(thought.action)
        after = state.after(thought.action)
        won = after.winner if after.mover == OVER else solve(after).winner  # type: ignore[union-attr]
        assert won == solution.winner


def test_the_bot_wins_from_the_first_move_on() -> None:
    rng = np.random.default_rng(24)
    for _ in range(3):
        state = GAME.new()
        while state.mover != OVER:
            if state.mover == 0:
                thought = SolverBot().think(state.view(0), rng, Budget(simulations=1))
                assert thought.values[0] == 1.0
                state = state.after(thought.action)
            else:
                state = state.after(int(rng.choice(state.actions())))
        assert state.winner == 0


def test_the_published_strategy_has_an_answer_to_everything() -> None:
    """All of its moves are followed, and ten of the positions to which they lead are tried."""
    path = Path(__file__).parents[2] / "docs" / "stonehenge.certificate.json"
    checker, trial = Checker(json.loads(path.read_text("utf-8"))), Trial(256)
    assert checker.root == GAME.new()
    ends = checker.ends()
    rng = np.random.default_rng(10)
    for i in rng.choice(len(ends), 10, replace=False):
        checker.try_out(ends[i], trial.wins)


def test_a_lost_bot_takes_what_is_hardest_to_refute() -> None:
    rng = np.random.default_rng(22)
    state = random_state(rng, 9)
    while solve(state).winner == state.mover:  # type: ignore[union-attr]
        state = random_state(rng, 9)
    ranking = SolverBot().think(state.view(state.mover), rng).ranking
    assert all(opinion.value == -1 for opinion in ranking)
    assert ranking[0].visits == max(opinion.visits for opinion in ranking)


def test_the_bot_plays_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(23)
    state = random_state(rng, 15)
    good, bad = state.actions()[3], state.actions()[5]
    ledger = Ledger()
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.bot.proved", lambda: ledger)
    ledger.add(name_of(state.after(bad)), 1 - state.mover)
    thought = SolverBot().think(state.view(state.mover), rng, Budget(simulations=300))
    assert thought.ranking[-1].action == bad
    ledger.add(name_of(state.after(good)), state.mover)
    thought = SolverBot().think(state.view(state.mover), rng, Budget(simulations=300))
    assert thought.action == good
    assert thought.values[state.mover] == 1.0


def test_the_bot_keeps_to_its_time() -> None:
    state = random_state(np.random.default_rng(24), 13)
    thought = SolverBot().think(state.view(state.mover), np.random.default_rng(1), Budget(seconds=0.01))
    assert thought.action in state.actions()


@pytest.mark.parametrize("options", [{"hidden": True}, {"claims": "manual"}])
def test_the_bot_searches_what_cannot_be_solved(options: dict[str, Any]) -> None:
    state = archipel.game("stonehenge", **options).new()
    thought = SolverBot().think(state.view(0), np.random.default_rng(1), Budget(simulations=200))
    assert thought.simulations == 200
    assert thought.action in state.actions()
