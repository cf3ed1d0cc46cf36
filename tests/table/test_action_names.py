"""The words of a table's actions: both ways between numbers and JSON, and no more of them than fit."""

import numpy as np

from archipel.core.rules import CHANCE
from archipel.table.log import action_names as module
from archipel.table.log.action_names import ActionNames, action_names

LANDINGS = module._MOST + 500


def test_the_last_of_countless_actions_are_remembered_and_no_more() -> None:
    known = ActionNames(action_names("krakatoa", {}).game)
    rng = np.random.default_rng(4)
    state = known.game.new()
    while not (state.mover == CHANCE and len(known.game.vocabulary(state)) > LANDINGS):
        state = state.after(state.sample(rng) if state.mover == CHANCE else state.actions()[0])
    vocabulary = known.game.vocabulary(state)
    for action in range(LANDINGS):
        told = known.of(state, action)
        assert bytes(told.action) in known._numbers[vocabulary], "its number was to be found without reading its JSON"
        assert known.number(state, told.action) == action
    assert len(known._known[vocabulary]) == len(known._numbers[vocabulary]) == module._MOST
    assert known.number(state, known.of(state, 0).action) == 0  # forgotten meanwhile, and learned again
