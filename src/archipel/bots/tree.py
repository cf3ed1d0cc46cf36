"""Search over sampled worlds: one tree over the views of the searching seat, for every game.

Each simulation resamples what the seat cannot know and walks down the tree by the actions' labels (what the seat sees
of them). From the first position that is not in the tree it plays on, until the game is over or its knowledge gives an
estimate, and adds the value to every node on the path. A node's value is that of the mover who chose it.
"""

from math import sqrt
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core.chance import Rng, below
from archipel.core.compiled import Array, compiled, kernel
from archipel.core.maths import log
from archipel.core.rules import (
    CHANCE,
    LABELS,
    OVER,
    Facts,
    Numbers,
    Raw,
    Record,
    apply,
    copy,
    draw,
    label,
    legal,
    record,
    redeal,
    value,
)

from .knowledge import Lore, Weights, estimate, playout, prior

NODE = np.dtype(
    (
        np.record,
        [
            ("label", "i4"),
            ("mover", "i4"),  # who chose it: depending on hidden information, different seats may have been to move
            ("visits", "i4"),
            ("worth", "f4"),  # the sum of the visits' values for the mover who chose this node
            ("weight", "f4"),  # its prior relative to its siblings when it was created
            ("first", "i4"),  # children are stored consecutively from here
            ("children", "i4"),
            ("room", "i4"),
        ],
    )
)
Tree = Annotated[NDArray[np.void], Array(NODE)]
Places = Annotated[NDArray[np.int32], Array("i4")]

DEPTH = 256
FULL = -1
UNKNOWN, MISSING, SHUT = -1, -2, -3
"""States of a label: no child has it; a child is to be created; none is to be created yet."""


class Settings(NamedTuple):
    """Search parameters: for which seat, from which node, how many simulations, and the knowledge's own."""

    seat: int
    seats: int
    root: int
    simulations: int
    has_prior: bool
    curiosity: float
    steps: int
    unfold: int
    wide: int


class Scratch(NamedTuple):
    """Buffers that all simulations share."""

    raw: Raw
    actions: Numbers
    nodes: Numbers
    weights: Weights
    where: Places
    path: Numbers
    mover: Numbers
    worth: Weights


def scratch(state_size: int, seats: int) -> Scratch:
    """Allocate buffers for simulations."""
    return Scratch(
        np.empty(state_size, np.uint8),
        np.empty(LABELS, np.int64),
        np.empty(LABELS, np.int64),
        np.ones(LABELS, np.float64),
        np.full(LABELS, UNKNOWN, np.int32),
        np.empty(DEPTH, np.int64),
        np.empty(DEPTH, np.int64),
        np.empty(seats, np.float64),
    )


_TABLE = 1 << 13
_INVERSE = np.concatenate([[0.0], 1 / np.arange(1, _TABLE)]).astype(np.float32)
_ROOT = np.concatenate([[0.0], 1 / np.sqrt(np.arange(1, _TABLE))]).astype(np.float32)


# Nodes


@compiled
def make_room(tree: Tree, used: Numbers, node: int, room: int) -> bool:
    """Reserve space for more children of a node; False if the tree is full."""
    first = used[0]
    if first + room > len(tree):
        return False
    old = tree[node].first
    for k in range(tree[node].children):
        tree[first + k] = tree[old + k]
    tree[node].first = first
    tree[node].room = room
    used[0] += room
    return True


@compiled
def grow(tree: Tree, node: int, who: int, seen: int) -> int:
    """Add a child with that mover and label in the reserved space."""
    made = tree[node].first + tree[node].children
    tree[node].children += 1
    tree[made].label = seen
    tree[made].mover = who
    tree[made].visits = 0
    tree[made].worth = 0
    tree[made].weight = 0
    tree[made].first = 0
    tree[made].children = 0
    tree[made].room = 0
    return made


@compiled
def outcome(tree: Tree, used: Numbers, node: int, seen: int) -> int:
    """The child for a chance outcome, created if need be; FULL if the tree is full."""
    first = tree[node].first
    for k in range(tree[node].children):
        if tree[first + k].label == seen and tree[first + k].mover == CHANCE:
            return first + k
    if tree[node].children == tree[node].room and not make_room(tree, used, node, 4 + 2 * tree[node].room):
        return FULL
    return grow(tree, node, CHANCE, seen)


@compiled
def mark(tree: Tree, node: int, who: int, where: Places) -> None:
    """Write into the table of labels where the mover's child of each label is."""
    first = tree[node].first
    for k in range(tree[node].children):
        if tree[first + k].mover == who:
            where[tree[first + k].label] = first + k


@compiled
def unmark(tree: Tree, node: int, where: Places) -> None:
    first = tree[node].first
    for k in range(tree[node].children):
        where[tree[first + k].label] = UNKNOWN


# Which children a position has


@compiled
def weigh(lore: Lore, facts: Facts, s: Record, actions: Numbers, n: int, weights: Weights, rng: Rng) -> None:
    """Write the priors of the actions; without knowledge they are nearly equal, so that chance decides the order."""
    if not prior(lore[0], facts[0], s, actions, n, weights):
        for k in range(n):
            weights[k] = 1 + below(rng, 1024) / 65536


@compiled
def let_in(where: Places, nodes: Numbers, n: int, weights: Weights, most: int) -> int:
    """Keep only the most promising of the missing labels, up to a number, and shut out the rest; return how many are
    kept."""
    for k in range(n):
        if where[nodes[k]] == MISSING:
            where[nodes[k]] = SHUT
    for count in range(most):
        best = -1
        for k in range(n):
            if where[nodes[k]] == SHUT and (best < 0 or weights[k] > weights[best]):
                best = k
        if best < 0:
            return count
        where[nodes[best]] = MISSING
    return most


@compiled
def meet(
    lore: Lore,
    facts: Facts,
    s: Record,
    tree: Tree,
    used: Numbers,
    node: int,
    n: int,
    rng: Rng,
    settings: Settings,
    scratch: Scratch,
) -> bool:
    """Find the child of every action by its label, and create those that are missing; False if the tree is full.

    If there are very many actions, some have no child yet: their entry in `nodes` is SHUT.
    """
    actions, nodes, where, weights = scratch.actions, scratch.nodes, scratch.where, scratch.weights
    mark(tree, node, s.mover, where)
    missing = 0
    present = 0
    for k in range(n):
        nodes[k] = label(facts[0], s, actions[k], settings.seat)
        if where[nodes[k]] == UNKNOWN:
            where[nodes[k]] = MISSING
            missing += 1
        elif where[nodes[k]] >= 0:
            present += 1
    if missing:
        most = max(0, max(settings.wide, int(2 * sqrt(tree[node].visits)), 1) - present)
        if most > 0 and (settings.has_prior or missing > most):
            weigh(lore, facts, s, actions, n, weights, rng)
        if missing > most:
            missing = let_in(where, nodes, n, weights, most)
    # Reserve space for all of them first, because that moves the existing children.
    born = tree[node].children
    if born + missing > tree[node].room:
        if not make_room(tree, used, node, born + missing):
            for k in range(n):
                where[nodes[k]] = UNKNOWN
            unmark(tree, node, where)
            return False
        mark(tree, node, s.mover, where)
    born += tree[node].first
    for k in range(n):
        seen = nodes[k]
        if where[seen] == MISSING:
            where[seen] = grow(tree, node, s.mover, seen)
        nodes[k] = where[seen]
        if nodes[k] >= born:
            tree[nodes[k]].weight += weights[k]
        elif nodes[k] == SHUT:
            where[seen] = UNKNOWN
    unmark(tree, node, where)
    return True


# Selecting an action


@compiled
def urge(tree: Tree, node: int, explore: float) -> float:
    """The selection score of a child: its value, plus a bonus for few visits."""
    visits = tree[node].visits
    if visits < _TABLE:
        return tree[node].worth * _INVERSE[visits] + explore * _ROOT[visits]
    return tree[node].worth / visits + explore / sqrt(visits)


@compiled
def untried(tree: Tree, nodes: Numbers, n: int, rng: Rng) -> int:
    """A random one of the actions that were never tried; -1 if there is none."""
    new = 0
    for k in range(n):
        if nodes[k] >= 0 and tree[nodes[k]].visits == 0:
            new += 1
    skip = below(rng, new) if new else -1
    for k in range(n):
        if nodes[k] >= 0 and tree[nodes[k]].visits == 0:
            if skip == 0:
                return k
            skip -= 1
    return -1


@compiled
def curious(tree: Tree, nodes: Numbers, n: int, rng: Rng, curiosity: float) -> int:
    """Select without priors: every action once, then by UCB1."""
    new = untried(tree, nodes, n, rng)
    if new >= 0:
        return new
    visits = 0
    for k in range(n):
        if nodes[k] >= 0:
            visits += tree[nodes[k]].visits
    explore = curiosity * sqrt(log(visits))
    best = -1
    most = -1e9
    alike = 1
    for k in range(n):
        if nodes[k] < 0:
            continue
        wanted = urge(tree, nodes[k], explore)
        if wanted > most:
            most = wanted
            best = k
            alike = 1
        elif nodes[k] == nodes[best]:
            # The seat cannot tell these apart, so each is equally likely.
            alike += 1
            if below(rng, alike) == 0:
                best = k
    return best


@compiled
def guided(tree: Tree, nodes: Numbers, n: int, rng: Rng, curiosity: float) -> int:
    """Select with priors, by PUCT; untried actions have the mean value."""
    visits = 0
    worth = 0.0
    total = 0.0
    for k in range(n):
        if nodes[k] >= 0 and (k == 0 or nodes[k] != nodes[k - 1]):
            visits += tree[nodes[k]].visits
            worth += tree[nodes[k]].worth
            total += tree[nodes[k]].weight
    hope = worth / visits if visits else 0.0
    explore = curiosity * sqrt(visits + 1) / total
    best = -1
    most = -1e9
    alike = 1
    for k in range(n):
        if nodes[k] < 0:
            continue
        tried = tree[nodes[k]].visits
        wanted = (tree[nodes[k]].worth / tried if tried else hope) + explore * tree[nodes[k]].weight / (1 + tried)
        if wanted > most:
            most = wanted
            best = k
            alike = 1
        elif nodes[k] == nodes[best]:
            alike += 1
            if below(rng, alike) == 0:
                best = k
    return best


@compiled
def play_on(lore: Lore, facts: Facts, s: Record, seats: int, rng: Rng, steps: int, worth: Weights) -> None:
    """Play on below the tree to an estimate, after a minimum number of steps, or to the end; writes the value for every
    seat."""
    while s.mover != OVER:
        if steps <= 0 and estimate(lore[0], facts[0], s, worth):
            return
        steps -= 1
        apply(facts[0], s, draw(facts[0], s, rng) if s.mover == CHANCE else playout(lore[0], facts[0], s, rng))
    for seat in range(seats):
        worth[seat] = value(s.winners, seats, seat)


@kernel()
def simulate(
    lore: Lore, facts: Facts, start: Raw, tree: Tree, used: Numbers, rng: Rng, settings: Settings, scratch: Scratch
) -> None:
    """Run simulations from the start position, whose node is the root."""
    seat, raw, actions, nodes = settings.seat, scratch.raw, scratch.actions, scratch.nodes
    path, mover, worth = scratch.path, scratch.mover, scratch.worth
    s = record(facts[0], raw)
    for _ in range(settings.simulations):
        copy(start, raw)
        redeal(facts[0], s, seat, rng)
        node = settings.root
        depth = 0
        path[0] = node
        mover[0] = OVER
        while s.mover != OVER and depth + 1 < DEPTH and (tree[node].visits >= settings.unfold or node == settings.root):
            who = s.mover
            if who == CHANCE:
                action = draw(facts[0], s, rng)
                node = outcome(tree, used, node, label(facts[0], s, action, seat))
                if node == FULL:
                    break
            else:
                n = legal(facts[0], s, actions)
                if not meet(lore, facts, s, tree, used, node, n, rng, settings, scratch):
                    break
                if settings.has_prior:
                    at = guided(tree, nodes, n, rng, settings.curiosity)
                else:
                    at = curious(tree, nodes, n, rng, settings.curiosity)
                action = actions[at]
                node = nodes[at]
            apply(facts[0], s, action)
            depth += 1
            path[depth] = node
            mover[depth] = who
        play_on(lore, facts, s, settings.seats, rng, settings.steps, worth)
        for k in range(depth + 1):
            tree[path[k]].visits += 1
            if mover[k] >= 0:
                tree[path[k]].worth += worth[mover[k]]


@kernel(brief=True)
def seen(facts: Facts, raw: Raw, action: int, seat: int) -> int:
    """The label of an action or outcome, as the seat sees it."""
    return label(facts[0], record(facts[0], raw), action, seat)
