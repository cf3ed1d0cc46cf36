"""Archipel's games as PettingZoo environments: turn by turn, with action masks and seeds that reach everything."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core.state import State

from .observation import layout

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError("PettingZoo is not installed: pip install archipel[pettingzoo]") from missing

Observation: TypeAlias = dict[str, NDArray[Any]]
MODES = ("ansi", "human")


def env(name: str, /, *, render_mode: str | None = None, **options: Any) -> AECEnv:
    """A game by name with its options; an illegal action ends it with a reward of -1 for whoever tried."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(name, render_mode=render_mode, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(name: str, /, *, render_mode: str | None = None, **options: Any) -> "Environment":
    """The same without PettingZoo's guards: an illegal action raises IllegalAction and changes nothing."""
    return Environment(archipel.game(name, **options), render_mode)


class Environment(AECEnv):  # type: ignore[misc]
    """One table: agents "seat_0" and so on; chance is drawn inside, from the environment's own generator.

    An observation is a seat's view as numbers, and a mask of its legal
    actions, empty when another is to act. The view itself is in the infos.
    """

    def __init__(self, game: archipel.Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise ValueError(f"The render mode must be {' or '.join(MODES)}, not {render_mode!r}.")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": f"archipel_{game.name}_v0", "render_modes": list(MODES), "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self._layout = layout(game)
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.action_count) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def _observation_space(self) -> spaces.Dict:
        numbers = spaces.Box(0, 1, (len(self._layout.names),), np.float32)
        mask = spaces.Box(0, 1, (self.game.action_count,), np.int8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. A seed settles all that chance will do, and what the spaces sample."""
        if seed is not None:
            self._sow(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._arrive(self.game.new())

    def _sow(self, seed: int) -> None:
        source = np.random.SeedSequence(seed)
        self._rng = np.random.default_rng(source)
        own = [*self.action_spaces.values(), *self.observation_spaces.values()]
        for space, word in zip(own, source.generate_state(len(own)), strict=True):
            space.seed(int(word))

    def _arrive(self, position: State) -> None:
        """Let chance do its part, then see who acts and what everybody knows."""
        while position.mover == archipel.CHANCE:
            position = position.after(position.sample(self._rng))
        self.position = position
        self._views = {agent: position.view(seat) for seat, agent in enumerate(self.possible_agents)}
        self.infos = {agent: {"view": self._views[agent]} for agent in self.agents}
        if position.mover == archipel.OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, position.returns(), strict=True))
        self.agent_selection = self.possible_agents[max(position.mover, 0)]

    def step(self, action: Any) -> None:
        """Play the agent's action; None removes an agent when the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self.position.after(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._arrive(position)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        return {"observation": self._layout.row(self._views[agent]), "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        mask = np.zeros(self.game.action_count, np.int8)
        if self.possible_agents.index(agent) == self.position.mover:
            mask[self.position.actions()] = 1
        return mask

    def render(self) -> str | None:
        """The board as an onlooker who sees every card has it: returned with "ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is kept open."""

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_layout": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._layout = layout(self.game)
