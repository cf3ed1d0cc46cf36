"""Archipel's games in Gymnasium: import this module, then ``gymnasium.make("archipel/Kahuna-v0")`` or `make_vec`.

Gymnasium has a single agent: it plays one seat, and an opponent plays the others. An observation is what that seat
sees; ``info["action_mask"]`` has its legal actions.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core import registry
from archipel.vector import OVER, SKIP, Vector

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
except ImportError as missing:
    raise ImportError("Gymnasium is not installed: pip install archipel[gymnasium]") from missing

Rows: TypeAlias = NDArray[np.float32]
Masks: TypeAlias = NDArray[np.bool_]
Policy: TypeAlias = Callable[[Rows, Masks], NDArray[Any]]
"""A function from observations and masks, one row per game, to actions."""
RANDOM = "random"
MODES = ("ansi", "human")


class VectorEnvironment(gymnasium.vector.VectorEnv[Rows, Any, Any]):
    """Many games in which one seat learns; a finished game starts again in the same step.

    `seat` is the learner's; without it, the games are spread evenly over the seats. `opponent` is "random", or a
    `Policy` for all other seats. Arrays are copies, unless `copy=False`.
    """

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        *,
        seat: int | None = None,
        opponent: str | Policy = RANDOM,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.game = archipel.game(name, **options)
        self.num_envs = num_envs
        self.opponent = _checked(opponent)
        self.copy = copy
        if seat is not None and seat not in range(self.game.seats):
            raise ValueError(f"{name} has seats 0 to {self.game.seats - 1}, not {seat!r}.")
        learners = np.arange(num_envs) % self.game.seats if seat is None else np.full(num_envs, seat, np.int64)
        self.games = Vector(
            self.game,
            num_envs,
            threads=threads,
            auto_reset=opponent == RANDOM,
            learner=learners if opponent == RANDOM else None,
        )
        self.seats = learners
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space = spaces.Box(0, 1, (len(self.games.names),), np.float32)
        self.single_action_space = spaces.Discrete(self.game.action_count)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._all = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, dict[str, Any]]:
        """Start new games. A seed, or one per game, determines all chance outcomes and random opponents."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.games.reset(seed)  # type: ignore[arg-type]
        self._answer(np.zeros(self.num_envs, np.float64), np.zeros(self.num_envs, np.bool_))
        return self._seen()

    def step(self, actions: Any) -> tuple[Rows, NDArray[np.float64], Masks, Masks, dict[str, Any]]:
        """Play the learner's action in every game, then the opponent's, up to the learner's next turn."""
        self.games.step(actions)
        rewards = self.games.rewards[self._all, self.seats].astype(np.float64)
        over = self.games.over.copy()
        finals = self.games.finals
        if callable(self.opponent):
            finals = self._answer(rewards, over)
        rows, infos = self._seen()
        if over.any():
            infos |= {"final_obs": finals.copy(), "_final_obs": over.copy()}
        return rows, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _answer(self, rewards: NDArray[np.float64], over: Masks) -> Rows:
        """Let the opponent's policy play until the learner is to act in every game; return the learner's last
        observations."""
        finals = self.games.finals
        while callable(self.opponent):
            ended = self.games.movers == OVER
            if ended.any():
                rewards[ended] = self.games.rewards[self._all, self.seats][ended]
                over |= ended
                finals[ended] = self.games.observe(self.seats)[ended]
                self.games.reset(which=ended)
            others = np.flatnonzero(self.games.movers != self.seats)
            if not len(others):
                break
            actions = np.full(self.num_envs, SKIP, np.int64)
            actions[others] = self.opponent(self.games.observations[others], self.games.masks[others])
            self.games.step(actions)
        return finals

    def _seen(self) -> tuple[Rows, dict[str, Any]]:
        rows, masks = self.games.observations, self.games.masks
        if self.copy:
            rows, masks = rows.copy(), masks.copy()
        return rows, {"action_mask": masks}

    def action_masks(self) -> Masks:
        """The learner's legal actions, for sb3-contrib's MaskablePPO."""
        return self.games.masks.copy()

    def close_extras(self, **kwargs: Any) -> None:
        self.games.close()


class Environment(gymnasium.Env[Rows, Any]):
    """One game in which one seat learns."""

    def __init__(
        self,
        name: str,
        *,
        seat: int = 0,
        opponent: str | Policy = RANDOM,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *MODES):
            raise ValueError(f"The render mode must be {' or '.join(MODES)}, not {render_mode!r}.")
        self._one = VectorEnvironment(name, 1, seat=seat, opponent=opponent, **options)
        self.game = self._one.game
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(MODES)}
        self.observation_space = self._one.single_observation_space
        self.action_space = self._one.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Rows, dict[str, Any]]:
        """Start a new game."""
        super().reset(seed=seed)
        rows, infos = self._one.reset(seed=seed)
        return rows[0], {"action_mask": infos["action_mask"][0]}

    def step(self, action: Any) -> tuple[Rows, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponent's, up to the learner's next turn."""
        rows, rewards, over, _, infos = self._one.step(np.array([action]))
        seen = infos["final_obs"] if over[0] else rows
        mask = np.zeros_like(infos["action_mask"]) if over[0] else infos["action_mask"]
        if self.render_mode == "human":
            self.render()
        return seen[0], float(rewards[0]), bool(over[0]), False, {"action_mask": mask[0]}

    def action_masks(self) -> Masks:
        """The learner's legal actions, for sb3-contrib's MaskablePPO."""
        masks: Masks = self._one.action_masks()[0]
        return masks

    def render(self) -> str | None:
        """What the learner sees: returned with "ansi", printed with "human"."""
        state = self._one.games.state(0)
        text = self.game.text(state.view(int(self._one.seats[0])))
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None


def _checked(opponent: Any) -> str | Policy:
    if opponent != RANDOM and not callable(opponent):
        raise ValueError(f"The opponent must be {RANDOM!r} or a function of observations and masks, not {opponent!r}.")
    return opponent  # type: ignore[no-any-return]


def identity(name: str) -> str:
    """The id of a game: ``archipel/KulaKula-v0``."""
    return f"archipel/{''.join(part.capitalize() for part in name.split('_'))}-v0"


for _name in registry.names():
    gymnasium.register(
        identity(_name),
        entry_point="archipel.adapters.gymnasium:Environment",
        vector_entry_point="archipel.adapters.gymnasium:VectorEnvironment",
        kwargs={"name": _name},
    )
