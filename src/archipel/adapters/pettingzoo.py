"""Archipel's games as PettingZoo environments, turn by turn or parallel, over the kernels of `archipel.vector`."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core.state import State
from archipel.vector import Vector, seeds

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError("PettingZoo is not installed: pip install archipel[pettingzoo]") from missing

Observation: TypeAlias = dict[str, NDArray[Any]]
MODES = ("ansi", "human")
ILLEGAL = -1.0
"""The reward for an illegal action, if illegal actions end the game."""


def env(name: str, /, *, render_mode: str | None = None, views: bool = False, **options: Any) -> AECEnv:
    """A game by name with its options; an illegal action ends it with a reward of -1 for the player who tried it."""
    table = raw_env(name, render_mode=render_mode, views=views, **options)
    wrapped = wrappers.TerminateIllegalWrapper(table, illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(name: str, /, *, render_mode: str | None = None, views: bool = False, **options: Any) -> "Environment":
    """The same without PettingZoo's guards: an illegal action raises IllegalAction and changes nothing."""
    return Environment(archipel.game(name, **options), render_mode, views)


def parallel_env(
    name: str, /, *, render_mode: str | None = None, views: bool = False, **options: Any
) -> "ParallelEnvironment":
    """A game in PettingZoo's parallel form: every seat acts in every step, and only the mover's action counts."""
    return ParallelEnvironment(archipel.game(name, **options), render_mode, views)


class Environment(AECEnv):  # type: ignore[misc]
    """One table with agents "seat_0" and so on; chance is drawn inside, from the environment's own seed.

    An observation is a seat's view as numbers, and a mask of its legal actions, empty when another seat is to act. With
    `views`, the infos contain the view itself.
    """

    def __init__(self, game: archipel.Game, render_mode: str | None = None, views: bool = False) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise ValueError(f"The render mode must be {' or '.join(MODES)}, not {render_mode!r}.")
        self.game = game
        self.render_mode = render_mode
        self.views = views
        self.metadata = {"name": f"archipel_{game.name}_v0", "render_modes": list(MODES), "is_parallelizable": True}
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._games = Vector(game, 1, auto_reset=False)
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.action_count) for agent in self.possible_agents}
        self._no_mask = np.zeros(game.action_count, np.int8)

    def _observation_space(self) -> spaces.Dict:
        numbers = spaces.Box(0, 1, (len(self._games.names),), np.float32)
        mask = spaces.Box(0, 1, (self.game.action_count,), np.int8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        return self.action_spaces[agent]

    @property
    def position(self) -> State:
        """The game's state."""
        return self._games.state(0)

    @property
    def mover(self) -> int:
        """The seat to act, or OVER."""
        return int(self._games.movers[0])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. A seed determines all chance outcomes, and what the spaces sample."""
        if seed is not None:
            seeds(seed, 1)  # refuses what is no seed before anything changes
            self._sow(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._games.reset(seed)
        self._arrive()

    def _sow(self, seed: int) -> None:
        own = [*self.action_spaces.values(), *self.observation_spaces.values()]
        for space, number in zip(own, np.random.SeedSequence(seed).generate_state(len(own)), strict=True):
            space.seed(int(number))

    def _arrive(self) -> None:
        """Update agents and rewards after a move."""
        mover = self.mover
        if self.views:
            position = self.position
            self.infos = {agent: {"view": position.view(self._seats[agent])} for agent in self.agents}
        if mover == archipel.OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self._games.rewards[0].tolist(), strict=True))
        self.agent_selection = self.possible_agents[max(mover, 0)]

    def step(self, action: Any) -> None:
        """Play the agent's action; None removes an agent when the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._arrive()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def play(self, action: Any) -> None:
        """Play the mover's action in the game itself; IllegalAction if the rules do not allow it."""
        if not self.allows(action):
            self.position.after(action)
        self._games.step(np.array([action], np.int64))

    def allows(self, action: Any) -> bool:
        """True if the mover may do this."""
        whole = isinstance(action, int | np.integer) and not isinstance(action, bool)
        return whole and 0 <= action < self.game.action_count and bool(self._games.masks[0, action])

    def observe(self, agent: str) -> Observation:
        seat = self._seats[agent]
        if seat == self.mover:
            mask = self._games.masks[0].astype(np.int8)
            return {"observation": self._games.observations[0].copy(), "action_mask": mask}
        return {"observation": self._games.observe(seat)[0], "action_mask": self._no_mask.copy()}

    def render(self) -> str | None:
        """The board with every card face up: returned with "ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: no resources are held."""


class ParallelEnvironment(ParallelEnv):  # type: ignore[misc]
    """One table where all seats act in every step: actions of seats that are not to move are ignored.

    An illegal action of the mover, or none at all, ends the game with a reward of -1 for it.
    """

    def __init__(self, game: archipel.Game, render_mode: str | None = None, views: bool = False) -> None:
        self._table = Environment(game, render_mode, views)
        self.game = game
        self.render_mode = render_mode
        self.metadata = self._table.metadata
        self.possible_agents = self._table.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._table.observation_space(agent)

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        return self._table.action_space(agent)

    @property
    def position(self) -> State:
        """The game's state."""
        return self._table.position

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a new game. A seed determines all chance outcomes, and what the spaces sample."""
        self._table.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self._table.infos

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._table.observe(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the mover's action."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        mover = self._table.agent_selection
        if self._table.allows(actions.get(mover)):
            self._table.step(actions[mover])
            rewards, over = self._table.rewards, self._table.mover == archipel.OVER
        else:
            rewards, over = dict.fromkeys(self.agents, 0.0) | {mover: ILLEGAL}, True
        results = self._observations(), rewards, dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False)
        infos = {agent: self._table.infos[agent] for agent in self.agents}
        if over:
            self.agents = []
        return *results, infos

    def render(self) -> str | None:
        return self._table.render()

    def close(self) -> None:
        """Does nothing: no resources are held."""
