"""The bot that searches: what it finds, and what it tells of it."""

import numpy as np
import pytest

import archipel
from archipel.bots import Budget, bot
from archipel.bots.mcts import SearchBot
from archipel.bots.thought import belief
from archipel.core.state import State


def play(state: State, notation: str) -> State:
    for text in notation.split():
        state = state.after(state.parse(text))
    return state


def test_it_sees_what_the_opponent_will_answer() -> None:
    """Two cells are left: the search plays them out, and agrees with looking at every line of play."""
    state = play(archipel.game("stonehenge").new(), "6@A 1@B 5@C 2@D 4@E 1@F 3@G 3@H 3@I 6@J 2@K 4@L 1@M 2@N")
    while len(state.snapshot()["cells"]) < 16 and state.mover >= 0:
        state = state.after(state.actions()[0])
    seat = state.mover
    truth = {a: _worth(state.after(a), seat) for a in state.actions()}
    thought = SearchBot().think(state.view(seat), np.random.default_rng(1), Budget(simulations=3000))
    assert truth[thought.action] == max(truth.values())
    assert sum(opinion.visits for opinion in thought.ranking) == 3000


def _worth(state: State, seat: int) -> float:
    """By looking at everything."""
    if state.mover == archipel.OVER:
        return state.returns()[seat]
    values = [_worth(state.after(action), seat) for action in state.actions()]
    return max(values) if state.mover == seat else min(values)


def test_it_tells_what_it_thought() -> None:
    state = archipel.game("kahuna").new()
    rng = np.random.default_rng(3)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    thought = SearchBot().think(state.view(0), rng, Budget(simulations=500))
    assert thought.simulations == 500
    assert {opinion.action for opinion in thought.ranking} == set(state.actions())
    visits = [opinion.visits for opinion in thought.ranking]
    assert visits == sorted(visits, reverse=True)
    assert thought.line[0] == state.notation(thought.action)
    assert thought.values == [-thought.values[1], thought.values[1]]
    assert all(-1 <= opinion.value <= 1 for opinion in thought.ranking)


def test_it_tells_what_it_believes() -> None:
    state = archipel.game("kahuna").new()
    for card in ["ALOA", "ALOA", "BARI", "COCO", "COCO", "DUDA", "ELAI", "FAAA", "GOLA"]:
        state = state.after(state.parse(f"deal {card}"))
    believed = belief(state.view(0), np.random.default_rng(1), worlds=600)
    _, theirs = believed["hands"]
    assert "ALOA" not in theirs  # both are mine
    assert sum(theirs.values()) == pytest.approx(3)
    assert theirs["LALE"] > theirs["BARI"] > 0  # two are unseen, or one


def test_a_tree_that_is_full_still_answers() -> None:
    state = archipel.game("stonehenge").new()
    thought = SearchBot(nodes=200).think(state.view(0), np.random.default_rng(1), Budget(simulations=2000))
    assert thought.action in state.actions()


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 5, "return_home": True}])
def test_it_plays_with_more_than_two(options: dict[str, object]) -> None:
    game = archipel.game("kula_kula", turn_limit=3, **options)
    rng = np.random.default_rng(2)
    state, searching = game.new(), SearchBot(Budget(simulations=40))
    while state.mover != archipel.OVER:
        chance = state.mover == archipel.CHANCE
        state = state.after(state.sample(rng) if chance else searching.choose(state.view(state.mover), rng))
    assert state.winner is not None


def test_budgets() -> None:
    assert Budget.parse("1000") == Budget(simulations=1000)
    assert Budget.parse("1.5s") == Budget(seconds=1.5)
    assert Budget.parse("200ms") == Budget(seconds=0.2)
    assert str(Budget.parse("1.5s")) == "1.5s"
    for wrong in ("", "fast", "1m", "-3", "1e3"):
        with pytest.raises(ValueError, match="is no budget"):
            Budget.parse(wrong)
    for nothing in ("0", "0s", "0.0ms"):
        with pytest.raises(ValueError, match="more than nothing"):
            bot(f"mcts:{nothing}")
    with pytest.raises(ValueError, match="There is no bot 'chess'"):
        bot("chess:1s")


def test_a_budget_of_time_is_kept_within_reason() -> None:
    state = archipel.game("stonehenge").new()
    thought = bot("mcts:50ms").think(state.view(0), np.random.default_rng(1))  # type: ignore[attr-defined]
    assert thought.simulations > 0
    assert thought.seconds >= 0.05


def test_a_tree_kept_between_moves_never_mixes_movers() -> None:
    # What a opponent hides decides whether he trades or the next seat moves: one node then has children of two movers.
    game = archipel.game("kula_kula", players=4)
    rng = np.random.default_rng(5)
    bots = [SearchBot(Budget(simulations=200)) for _ in range(4)]
    state = game.new()
    for _ in range(150):
        if state.mover == archipel.OVER:
            break
        if state.mover == archipel.CHANCE:
            state = state.after(state.sample(rng))
        else:
            thought = bots[state.mover].think(state.view(state.mover), rng)
            assert {opinion.action for opinion in thought.ranking} == set(state.actions())
            state = state.after(thought.action)
