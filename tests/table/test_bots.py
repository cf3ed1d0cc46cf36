"""Bots think elsewhere: fairly between tables, from views alone, and whatever happens to them the game goes on."""

import asyncio
import threading
from typing import Any, cast

import numpy as np
import pytest

import archipel
from archipel.bots import levels
from archipel.games.stonehenge.bot.solver import solve
from archipel.table.net.conversation import PACES
from archipel.table.play import thinking, workers
from archipel.table.play.bot_pool import BotPool
from archipel.table.play.presence import Presence
from archipel.table.play.sockets import Socket
from archipel.table.play.thinking import ADVISER, Question, think
from archipel.table.play.workers import FairQueue
from archipel.table.protocol import NewChair
from tests.patience import PATIENCE

from .room import Room


def question(number: int, advice: bool = False) -> Question:
    return Question("random", {}, number, advice)


def taken(queue: FairQueue, count: int) -> list[int]:
    return [asked[0].seed for asked in (queue.take() for _ in range(count)) if asked]


def test_tables_take_turns() -> None:
    queue = FairQueue()
    for number in range(3):
        assert queue.put("busy", question(number), print)
    queue.put("quiet", question(10), print)
    queue.put("other", question(20), print)
    assert taken(queue, 5) == [0, 10, 20, 1, 2]


def test_bots_come_before_the_curious() -> None:
    queue = FairQueue()
    queue.put("a", question(1, advice=True), print, later=True)
    queue.put("b", question(2), print)
    assert taken(queue, 2) == [2, 1]


def test_people_take_turns_however_many_tables_they_have() -> None:
    queue = FairQueue()
    for number in range(30):
        assert queue.put(f"table {number}", question(number), print, whose="hog")
    queue.put("quiet", question(100), print, whose="somebody")
    queue.put("other", question(200), print, whose="another")
    assert taken(queue, 5) == [0, 100, 200, 1, 2]


def test_the_curious_do_not_wait_for_ever() -> None:
    queue = FairQueue()
    for number in range(30):
        queue.put(f"table {number}", question(number), print, whose="hog")
    queue.put("quiet", question(100, advice=True), print, later=True, whose="somebody")
    assert 100 in taken(queue, workers.URGENT + 1)


def test_only_levels_take_seats_unless_the_house_says_otherwise() -> None:
    assert all(BotPool(1).knows(level) for level in levels.NAMES)
    for name in ("expert", "mcts", "random", "greedy", "solver"):
        assert not BotPool(1).knows(name)
    assert BotPool(1, any_bot=True).knows("expert")


def test_a_table_does_not_fill_the_queue() -> None:
    queue = FairQueue()
    assert [queue.put("a", question(n), print) for n in range(workers.WAITING + 1)] == [True] * workers.WAITING + [
        False
    ]
    assert queue.put("b", question(0), print)


def test_a_closed_queue_gives_nothing() -> None:
    queue = FairQueue()
    threading.Timer(0.05, queue.close).start()
    assert queue.take() is None
    assert not queue.put("a", question(1), print)


def test_thinking_takes_a_view_and_gives_a_legal_action() -> None:
    state = archipel.game("stonehenge", hidden=True).new()
    asked = Question("random", state.view(0), 7)
    action, aim = think(asked)
    assert action in state.actions()
    assert aim is None
    assert think(asked) == think(asked)
    assert think(Question("nobody", state.view(0), 7)) is None
    assert think(Question("random", {"game": "stonehenge"}, 7)) is None


def test_an_adviser_judges_what_was_done_even_if_he_had_found_something_better() -> None:
    rng, state = np.random.default_rng(3), archipel.game("stonehenge").new()
    while len(state.snapshot()["cells"]) < 10:
        state = state.after(int(rng.choice(state.actions())))
    for action in state.actions():
        thought = think(Question(ADVISER, state.view(state.mover), 7, advice=True, done=action))
        worth = {opinion.action: opinion.value for opinion in thought.ranking}
        after = state.after(action)
        found = solve(after)
        assert found
        assert worth[action] == (1.0 if found.winner == state.mover else -1.0)
        assert thought.ranking[0].value == max(worth.values())


@pytest.mark.parametrize("name", archipel.GAMES)
def test_every_game_has_its_levels(name: str) -> None:
    pool = BotPool(1)
    assert pool.levels(name) == list(levels.NAMES)
    assert all(pool.knows(level) for level in pool.levels(name))
    assert not pool.knows("mcts:1000s")


def test_levels_take_their_time_and_others_do_not() -> None:
    state = archipel.game("stonehenge").new()
    assert thinking.seconds("sailor", state) > 0.5
    assert thinking.seconds("random", state) == 0


def test_bots_answer_at_the_pace_that_players_wish() -> None:
    state, pool = archipel.game("stonehenge").new(), BotPool(1)
    human, quick, instant = (pool.delay("sailor", state, PACES[wish]) for wish in ("human", "quick", "instant"))
    assert human > quick > instant == 0


def test_the_slowest_wish_of_those_who_play_counts() -> None:
    room = Room("stonehenge", chairs=[NewChair("me"), NewChair("open")])
    presence = Presence(cast(Any, None), room.table)
    assert presence.pace() == 1
    player, tab, spectator = (_socket(who, pace) for who, pace in (("Ada", 0.0), ("Ada", 0.35), ("Zoe", 1.0)))
    presence.sockets.update({player, spectator})
    assert presence.pace() == 0
    presence.sockets.add(tab)
    assert presence.pace() == 0.35


def _socket(who: str, pace: float) -> Socket:
    socket = Socket("", who, who, lambda *_: [])
    socket.pace = pace
    return socket


def test_a_process_that_is_lost_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question over which it was lost is answered with nothing; the next one is thought about again."""

    async def evening() -> None:
        pool = BotPool(1)
        pool.start()
        try:
            state = archipel.game("stonehenge").new()
            (leader,) = pool._leaders
            assert (await ask(pool, state.view(0)))[0] in state.actions()
            assert leader._worker
            leader._worker.process.kill()
            leader._worker.process.join()
            answers = [await ask(pool, state.view(0)) for _ in range(2)]
            assert answers[-1][0] in state.actions()
        finally:
            pool.close()

    async def ask(pool: BotPool, view: dict[str, Any]) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        assert pool.queue.put("table", Question("random", view, 1), answer.set_result)
        return await asyncio.wait_for(answer, PATIENCE)

    asyncio.run(evening())
