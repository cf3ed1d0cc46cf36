"""Fit the model to simulated throws: ``python -m archipel.games.krakatoa.dice.fitting FOLDER``.

The throws are those of `recipe.py`; they are stored in the folder, so that an interrupted fit continues. The fit is a
ridge regression of log odds, by Newton's method. It is evaluated on held-out turns, and all figures are written to
`model.json` with the fit.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .features import along_and_aside, features, hardness, in_frames
from .model import Chances, Drift, Fit, chances, terms
from .physics import engine
from .recipe import BLOCK, HELD_OUT, SEED, TURNS, blocks
from .shape import RING, Floats
from .thrower import HALF_INCH

RIDGE = 3.0
BINS = 10
_TARGET = Path(__file__).with_name("model.json")

Rows = np.ndarray[tuple[int], np.dtype[np.void]]
Flags = NDArray[np.bool_]


def logistic(seen: Floats, happened: Flags, ridge: float = RIDGE) -> Floats:
    """The regularised maximum-likelihood weights."""
    weights = np.zeros(seen.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (chance - happened) + ridge * weights
        bend = (seen * (chance * (1 - chance))[:, None]).T @ seen + ridge * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def drift(along: Floats, aside: Floats, hard: Floats, gone: Floats) -> Drift:
    """A least-squares fit of how far dice move."""
    inputs = terms(along, aside, hard)
    weights = np.asarray(np.linalg.lstsq(inputs, gone, rcond=None)[0], np.float64)
    return Drift(weights, (gone - inputs @ weights).std(0))


def fit(rows: Rows) -> Fit:
    """The model that fits these throws."""
    seen = features(rows["aim"], rows["before"])
    turned, moved = rows["turned"], rows["moved"] >= HALF_INCH
    turn, move = logistic(seen.reshape(-1, seen.shape[-1]), turned.ravel()), logistic(seen[~turned], moved[~turned])
    rough = Fit(turn, move, np.array([0.0, 1.0]), _rings(rows), _pushed(rows), _thrown(rows), _first(rows))
    touch = chances(rows["aim"], rows["before"], rough).touch
    odds = np.stack([np.ones_like(touch), np.log(touch / (1 - touch))], -1)
    return Fit(turn, move, logistic(odds, rows["touched"], 0.0), rough.rings, rough.pushed, rough.thrown, rough.first)


def _rings(rows: Rows) -> Floats:
    before, after = rows["faces"][rows["turned"]].T
    counts = np.bincount(RING[before, after], minlength=4)[1:]
    return counts / counts.sum()


def _pushed(rows: Rows) -> dict[str, Drift]:
    along, aside = along_and_aside(rows["aim"], rows["before"])
    hard = np.broadcast_to(hardness(rows["aim"][:, 3])[:, None], along.shape)
    gone = in_frames(rows["aim"], rows["after"][:, :6] - rows["before"])
    which = {"turned": rows["turned"], "moved": ~rows["turned"] & (rows["moved"] >= HALF_INCH)}
    return {name: drift(along[dice], aside[dice], hard[dice], gone[dice]) for name, dice in which.items()}


def _thrown(rows: Rows) -> Drift:
    lanes = rows["aim"][:, 4:5] * [-1, 0, 1]
    hard = np.broadcast_to(hardness(rows["aim"][:, 3])[:, None], lanes.shape)
    came = in_frames(rows["aim"], rows["after"][:, 6:] - rows["aim"][:, None, :2])
    gone = came - np.stack([np.zeros_like(lanes), lanes], -1)
    return drift(np.zeros(lanes.size), lanes.ravel(), hard.ravel(), gone.reshape(-1, 2))


def _first(rows: Rows) -> tuple[float, float]:
    """From the first aimed throw of each turn: the positions of the other six after all nine were thrown."""
    places = rows["before"][::4]
    middles = places.mean(1)
    within = float((places - middles[:, None]).std() * np.sqrt(6 / 5))
    return float(np.sqrt(max(0.0, middles.var() - within**2 / 6))), within


# Evaluation.


def auc(chance: Floats, happened: Flags) -> float:
    """The area under the ROC curve; NaN if there was only one class."""
    order = np.empty(len(chance))
    order[np.argsort(chance, kind="stable")] = np.arange(1, len(chance) + 1)
    count = int(happened.sum())
    if count in (0, len(happened)):
        return float("nan")
    return float((order[happened].sum() - count * (count + 1) / 2) / (count * (len(happened) - count)))


def calibration(chance: Floats, happened: Flags) -> list[dict[str, float]]:
    """In tenths of the probability: the prediction, the frequency, and the number of cases."""
    tenth = np.minimum(BINS - 1, (chance * BINS).astype(int))
    return [
        {
            "said": round(float(chance[own].mean()), 4),
            "happened": round(float(happened[own].mean()), 4),
            "cases": int(own.sum()),
        }
        for own in (tenth == k for k in range(BINS))
        if own.any()
    ]


def judged(by: Chances, rows: Rows) -> dict[str, Any]:
    """The evaluation of a model on throws."""
    turned, touched = rows["turned"].ravel(), rows["touched"]
    return {
        "throws": len(rows),
        "turn": {"auc": round(auc(by.turn.ravel(), turned), 4), "calibration": calibration(by.turn.ravel(), turned)},
        "touch": {"auc": round(auc(by.touch, touched), 4), "calibration": calibration(by.touch, touched)},
    }


def split(folder: Path, turns: int = TURNS) -> tuple[Rows, Rows]:
    """The throws for the fit and for the evaluation; prints its progress."""
    parts: tuple[list[Rows], list[Rows]] = ([], [])
    for number, block in enumerate(blocks(folder, turns), 1):
        parts[number % HELD_OUT == 0].append(block)
        print(f"\r{number * BLOCK} of {turns} turns", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    seen, unseen = (np.concatenate(rows) for rows in parts)
    return seen, unseen


def written(found: Fit) -> dict[str, Any]:
    """The fit as JSON."""
    drifts = {name: _drift_json(one) for name, one in found.pushed.items()}
    arrays = {name: _rounded(getattr(found, name)) for name in ("turn", "move", "touch", "rings", "first")}
    return arrays | {"pushed": drifts, "thrown": _drift_json(found.thrown)}


def _drift_json(one: Drift) -> dict[str, Any]:
    return {"weights": _rounded(one.weights), "spread": _rounded(one.spread)}


def _rounded(numbers: Any) -> Any:
    return np.round(np.asarray(numbers), 6).tolist()


def main(folder: str) -> None:
    seen, unseen = split(Path(folder))
    found = Fit.read(json.loads(json.dumps(written(fit(seen)))))
    data = {"engine": engine(), "seed": SEED, "turns": TURNS, "throws": len(seen)}
    held_out = judged(chances(unseen["aim"], unseen["before"], found), unseen)
    report = {"data": data, "held_out": held_out, "fit": written(found)}
    _TARGET.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(f"which dice turn: AUC {held_out['turn']['auc']}; scratch: AUC {held_out['touch']['auc']}")


if __name__ == "__main__":
    main(sys.argv[1])
