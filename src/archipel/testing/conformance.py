"""Check the whole contract on random games of any game."""

import json
import pickle
from typing import Any
from xml.etree import ElementTree

import numpy as np

from archipel.core.errors import IllegalAction, InvalidAction
from archipel.core.game import Game
from archipel.core.record import Record
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State

from .belief import Belief, limit
from .report import Report

Rng = np.random.Generator
DRAWS = 100


def check_game(game: Game, plays: int = 20, seed: int = 0, thorough: float = 0.1) -> Report:
    """Play random games and check the whole contract; AssertionError describes the first violation.

    Every state gets the cheap checks; a share of them, `thorough`, gets all.
    """
    report = Report()
    rng = np.random.default_rng(seed)
    check_options(game)
    for play in range(plays):
        watcher = play % (game.seats + 1)
        seat = None if watcher == game.seats else watcher
        report.played.clear()
        try:
            _check_play(game, seat, rng, thorough, report)
        except Exception as error:
            where = f"in play {play} of {game!r} with seed {seed}, after: {', '.join(report.played) or 'nothing'}"
            raise AssertionError(f"{_what(error)}\n{where}") from error
        report.plays += 1
    assert not report.hides or report.varied, "imagine never differs from the truth, though the views hide something"
    assert report.luck < limit(report.freedom), "sample does not draw by the chances"
    return report


def _what(error: Exception) -> str:
    return str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"


def check_options(game: Game) -> None:
    """Options are complete and JSON-able, and create the same game again."""
    assert json.loads(json.dumps(game.options)) == game.options, "the options are not JSON"
    assert type(game)(**game.options) == game, "the options do not make the same game again"
    again = pickle.loads(pickle.dumps(game))
    assert again == game and hash(again) == hash(game), "the game does not survive pickling"


def _check_play(game: Game, seat: int | None, rng: Rng, thorough: float, report: Report) -> None:
    states, actions = [game.new()], []
    belief = Belief(states[0], seat)
    while states[-1].mover != OVER:
        state = states[-1]
        check_state(state, report)
        check_sample(state, rng, report)
        if len(states) < 12 or rng.random() < thorough:
            check_words(state, rng, report)
            check_refusals(state, rng, report)
            check_shapes(state)
            for watcher in (*range(game.seats), None):
                check_imagine(state, watcher, rng, report)
        belief.check(state, rng, report)
        action = choose(state, rng)
        states.append(state.after(action))
        actions.append(action)
        report.played.append(state.notation(action))
        belief.follow(state, action, states[-1])
    check_state(states[-1], report)
    check_shapes(states[-1])
    check_refusals(states[-1], rng, report)
    check_length(states)
    check_record(states, actions)


def choose(state: State, rng: Rng) -> int:
    """A random action of the mover, or a chance outcome."""
    if state.mover == CHANCE:
        return state.sample(rng)
    actions = state.actions()
    return actions[int(rng.integers(len(actions)))]


def check_state(state: State, report: Report) -> None:
    """Mover, actions, chances, scores, winner and returns agree with each other."""
    report.states += 1
    game = state.game
    returns, winner = state.returns(), state.winner
    assert len(returns) == len(state.scores) == game.seats, "there must be a score and a return for each seat"
    assert abs(sum(returns)) < 1e-9, f"the returns {returns} do not sum to 0"
    if state.mover == OVER:
        assert state.actions() == [], "a finished game still has actions"
        sharing = winner if isinstance(winner, list) else [winner]
        k, n = len(sharing), game.seats
        wanted = [(n - k) / (k * (n - 1)) if seat in sharing else -1 / (n - 1) for seat in range(n)]
        assert np.allclose(returns, wanted), f"winner {winner} returns {returns}, not {wanted}"
        return
    assert winner is None and returns == [0.0] * game.seats, "a running game has a winner or returns"
    actions = _actions(state)
    if actions is not None:
        assert actions and actions == sorted(set(actions)), "the actions are not ascending, or there are none"
        if state.mover >= 0:
            assert actions[0] >= 0 and actions[-1] < game.action_count, "an action is out of range"
        else:
            chances = state.chances()
            assert [outcome for outcome, _ in chances] == actions, "chances and actions differ"
            assert abs(sum(p for _, p in chances) - 1) < 1e-9, "the chances do not sum to 1"
            assert all(p > 0 for _, p in chances), "what cannot happen has no place among the chances"


def _actions(state: State) -> list[int] | None:
    """The actions, or None where there are too many to list."""
    try:
        return state.actions()
    except NotImplementedError:
        assert state.mover == CHANCE, "only chance may have too many outcomes"
        return None


def check_sample(state: State, rng: Rng, report: Report) -> None:
    """Draw many samples: their deviation from the probabilities adds up over all games."""
    if state.mover != CHANCE or _actions(state) is None:
        return
    counts = dict.fromkeys(state.actions(), 0)
    for _ in range(DRAWS):
        outcome = state.sample(rng)
        assert outcome in counts, f"chance brought {outcome}, which cannot be"
        counts[outcome] += 1
    report.luck += sum((counts[outcome] - DRAWS * p) ** 2 / (DRAWS * p) for outcome, p in state.chances())
    report.freedom += len(counts) - 1


def check_words(state: State, rng: Rng, report: Report) -> None:
    """JSON and notation can be converted both ways; playing an action does not change the old state."""
    before, drawn = pickle.dumps(state), state.snapshot()
    actions = _actions(state)
    for action in actions if actions is not None else [state.sample(rng) for _ in range(10)]:
        plain = state.decode(action)
        report.kinds.add(plain["do"])
        assert json.loads(json.dumps(plain)) == plain and state.encode(plain) == action, (
            f"{plain} does not go both ways"
        )
        text = state.notation(action)
        assert state.parse(text) == action, f"{text!r} does not go both ways"
        state.after(action)
    assert pickle.dumps(state) == before and state.snapshot() == drawn, "playing on changed the state"


def check_refusals(state: State, rng: Rng, report: Report) -> None:
    """Every illegal action is refused with a reason and a rule, and changes nothing."""
    before = pickle.dumps(state)
    legal = _actions(state)
    if legal is not None:
        for action in [*range(-1, state.game.action_count + 1), 1 << 40, 1 << 80]:
            if action not in legal:
                _check_refused(state, action)
                report.refused += 1
    not_numbers: tuple[Any, ...] = (None, "1", 1.5, [1])
    for wrong in not_numbers:
        _check_refused(state, wrong)
    for nonsense in _nonsense(state, rng):
        try:
            state.encode(nonsense)
        except InvalidAction as error:
            assert str(error)
        else:
            raise AssertionError(f"{nonsense!r} was taken for an action")
    assert pickle.dumps(state) == before, "a refusal changed the state"


def _check_refused(state: State, action: Any) -> None:
    try:
        state.after(action)
    except IllegalAction as error:
        assert error.reason.endswith(".") and error.rule.startswith(f"{state.game.name}."), f"{action}: {error!r}"
    else:
        raise AssertionError(f"action {action!r} was not legal but was played")


def _nonsense(state: State, rng: Rng) -> list[Any]:
    """Values that are not actions, some of them nearly."""
    wrongs: tuple[Any, ...] = (None, {}, -1, "no such thing")
    nonsense: list[Any] = [None, 7, "pass", [], {}, {"do": "fly"}, {"do": None}, {"do": ["pass"]}]
    if state.mover != OVER:
        plain = state.decode(choose(state, rng))
        nonsense.append(plain | {"more": 1})
        nonsense += [{k: v for k, v in plain.items() if k != key} | {"x": 0} for key in plain if key != "do"]
        nonsense += [plain | {key: wrong} for key in plain if key != "do" for wrong in wrongs]
    return nonsense


def check_shapes(state: State) -> None:
    """Snapshot, repr, pickle, text and picture are complete."""
    game = state.game
    drawn = state.snapshot()
    assert json.loads(json.dumps(drawn)) == drawn, "the snapshot is not JSON"
    public = [drawn[key] for key in ("game", "options", "mover", "scores", "winner")]
    assert public == [game.name, game.options, state.mover, state.scores, state.winner], (
        "the snapshot says otherwise than the state"
    )
    again = game.restore(json.loads(json.dumps(drawn)))
    assert again == state and again.snapshot() == drawn and hash(again) == hash(state), "restore gives another state"
    assert pickle.loads(pickle.dumps(state)) == state, "the state does not survive pickling"
    assert repr(state) == repr(again) and str(state).strip(), "the state has no text"
    ElementTree.fromstring(state._repr_svg_())
    for seat in (*range(game.seats), None):
        view = state.view(seat)
        assert json.loads(json.dumps(view)) == view and view["seat"] == seat, "a view is JSON, and says whose it is"
        assert set(drawn) <= set(view), "a view has all of a snapshot's keys"
        assert game.text(view).strip(), "the view has no text"
        ElementTree.fromstring(game.svg(view))


def check_imagine(state: State, seat: int | None, rng: Rng, report: Report) -> None:
    """A sampled state looks the same to the seat, and depends on its view alone."""
    view = _bytes(state.view(seat))
    hidden = any(value != state.snapshot().get(key, value) for key, value in state.view(seat).items())
    report.hides |= hidden
    open_to_all = state.game.perfect_information and seat is not None
    assert not (open_to_all and hidden), "a view hides something in a game that says it has perfect information"
    for _ in range(3):
        seed = int(rng.integers(1 << 32))
        world = state.imagine(seat, np.random.default_rng(seed))
        report.imagined += 1
        report.varied += world != state
        assert _bytes(world.view(seat)) == view, f"seat {seat} imagines what it knows to be otherwise"
        assert world.mover == state.mover and (hidden or world == state), "a seat imagines another state than it sees"
        if state.mover == seat:
            assert world.actions() == state.actions(), "the seat's actions depend on what it cannot know"
        assert world.imagine(seat, np.random.default_rng(seed)) == world, "imagine depends on what the seat cannot know"


def _bytes(view: dict[str, Any]) -> bytes:
    return json.dumps(view).encode()


def check_length(states: list[State]) -> None:
    """The game took no longer than it says it can, and chance acted only if it says so."""
    game = states[0].game
    chances = sum(state.mover == CHANCE for state in states)
    decisions = len(states) - 1 - chances
    assert not game.deterministic or chances == 0, "chance acted in a game that says it is deterministic"
    for kind, count, most in zip(("decisions", "outcomes of chance"), (decisions, chances), game.longest, strict=True):
        assert most is None or count <= most, f"a game took {count} {kind}, where it says that {most} are the most"


def check_record(states: list[State], actions: list[int]) -> None:
    """A game's record replays to the same states."""
    record = Record.of(states, actions)
    again = Record.read(json.loads(json.dumps(record.json())))
    assert again == record and list(again.states()) == states, "the record replays to another game"
