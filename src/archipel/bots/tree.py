"""Search over imagined worlds: one tree of what the searching seat would see, for every game.

Each simulation deals anew what the seat cannot know, walks down the tree by
the actions' labels (what the seat sees of them), plays on at random from the
first position that the tree does not hold, and adds the result to every node
on the way. A node's worth is counted for whoever chose to go there.
"""

from math import log, sqrt

import numba
import numpy as np
from numpy.typing import NDArray

from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled, ready
from archipel.core.rules import (
    CHANCE,
    LABELS,
    OVER,
    Facts,
    Numbers,
    Raw,
    apply,
    copy,
    draw,
    label,
    legal,
    pick,
    record,
    redeal,
    value,
)

NODE = np.dtype(
    [
        ("label", "i4"),
        ("visits", "i4"),
        ("worth", "f4"),  # the sum of what the visits were worth to whoever chose this
        ("first", "i4"),  # children lie side by side, from here
        ("children", "i4"),
        ("room", "i4"),
    ]
)
Tree = NDArray[np.void]

UNFOLD = 4
"""A position's actions enter the tree when it has been visited so often."""
DEPTH = 256
UNKNOWN, MISSING = -1, -2

_TABLE = 1 << 13
_INVERSE = np.concatenate([[0.0], 1 / np.arange(1, _TABLE)]).astype(np.float32)
_ROOT = np.concatenate([[0.0], 1 / np.sqrt(np.arange(1, _TABLE))]).astype(np.float32)


@compiled
def unfold(tree: Tree, used: NDArray[np.int64], node: int, room: int) -> bool:
    """Give the node room for more children; False if the tree is full."""
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
def grow(tree: Tree, node: int, seen: int) -> int:
    """A new child of that label, where there is room."""
    made = tree[node].first + tree[node].children
    tree[node].children += 1
    tree[made].label = seen
    tree[made].visits = 0
    tree[made].worth = 0
    tree[made].first = 0
    tree[made].children = 0
    tree[made].room = 0
    return made


@compiled
def outcome(tree: Tree, used: NDArray[np.int64], node: int, seen: int) -> int:
    """The child for an outcome of chance, made if need be; -1 if the tree is full."""
    first = tree[node].first
    for k in range(tree[node].children):
        if tree[first + k].label == seen:
            return first + k
    if tree[node].children == tree[node].room and not unfold(tree, used, node, 4 + 2 * tree[node].room):
        return -1
    return grow(tree, node, seen)


@compiled
def urge(tree: Tree, node: int, explore: float) -> float:
    """How much the search wants to go there: what it was worth, and how little it was tried."""
    visits = tree[node].visits
    if visits < _TABLE:
        return tree[node].worth * _INVERSE[visits] + explore * _ROOT[visits]
    return tree[node].worth / visits + explore / sqrt(visits)


@compiled
def simulate(
    facts: Facts,
    root: Raw,
    seat: int,
    seats: int,
    tree: Tree,
    used: NDArray[np.int64],
    rng: Rng,
    simulations: int,
    curiosity: float,
) -> None:
    """Run so many simulations."""
    raw = root.copy()
    s = record(facts[0], raw)
    actions = np.empty(LABELS, np.int64)
    nodes = np.empty(LABELS, np.int64)
    where = np.full(LABELS, UNKNOWN, np.int32)
    path = np.empty(DEPTH, np.int64)
    mover = np.empty(DEPTH, np.int64)
    for _ in range(simulations):
        copy(root, raw)
        redeal(facts[0], s, seat, rng)
        node = 0
        depth = 0
        path[0] = 0
        mover[0] = OVER
        while s.mover != OVER and depth + 1 < DEPTH and (tree[node].visits >= UNFOLD or node == 0):
            who = s.mover
            if who == CHANCE:
                action = draw(facts[0], s, rng)
                node = outcome(tree, used, node, label(facts[0], s, action, seat))
            else:
                n = legal(facts[0], s, actions)
                at = choose(facts, s, seat, tree, used, node, actions, n, nodes, where, rng, curiosity)
                action = actions[at]
                node = nodes[at]
            if node < 0:  # the tree is full: go on without it
                break
            apply(facts[0], s, action)
            depth += 1
            path[depth] = node
            mover[depth] = who
        while s.mover != OVER:
            apply(facts[0], s, draw(facts[0], s, rng) if s.mover == CHANCE else pick(facts[0], s, rng))
        for k in range(depth + 1):
            tree[path[k]].visits += 1
            if mover[k] >= 0:
                tree[path[k]].worth += value(s.winners, seats, mover[k])


@compiled
def choose(
    facts: Facts,
    s: NDArray[np.void],
    seat: int,
    tree: Tree,
    used: NDArray[np.int64],
    node: int,
    actions: Numbers,
    n: int,
    nodes: Numbers,
    where: NDArray[np.int32],
    rng: Rng,
    curiosity: float,
) -> int:
    """Which of the actions to try; `nodes` tells where each of them leads, -1 if the tree is full."""
    if not meet(facts, s, seat, tree, used, node, actions, n, nodes, where):
        nodes[0] = -1
        return 0
    visits = 0
    new = 0
    for k in range(n):
        visits += tree[nodes[k]].visits
        if tree[nodes[k]].visits == 0:
            new += 1
    if new:
        skip = below(rng, new)
        for k in range(n):
            if tree[nodes[k]].visits == 0:
                if skip == 0:
                    return k
                skip -= 1
    explore = curiosity * sqrt(log(visits))
    best = 0
    most = -1e9
    alike = 1
    for k in range(n):
        wanted = urge(tree, nodes[k], explore)
        if wanted > most:
            most = wanted
            best = k
            alike = 1
        elif nodes[k] == nodes[best]:
            # The seat cannot tell these apart: any of them is as likely.
            alike += 1
            if below(rng, alike) == 0:
                best = k
    return best


@compiled
def meet(
    facts: Facts,
    s: NDArray[np.void],
    seat: int,
    tree: Tree,
    used: NDArray[np.int64],
    node: int,
    actions: Numbers,
    n: int,
    nodes: Numbers,
    where: NDArray[np.int32],
) -> bool:
    """Find the child of every action by its label, and make those that are missing; False if the tree is full."""
    mark(tree, node, where)
    missing = 0
    for k in range(n):
        nodes[k] = label(facts[0], s, actions[k], seat)
        if where[nodes[k]] == UNKNOWN:
            where[nodes[k]] = MISSING
            missing += 1
    # Room for all of them first: making room moves the children that are there.
    children = tree[node].children
    if children + missing > tree[node].room:
        if not unfold(tree, used, node, children + missing):
            for k in range(n):
                where[nodes[k]] = UNKNOWN
            unmark(tree, node, where)
            return False
        mark(tree, node, where)
    for k in range(n):
        if where[nodes[k]] == MISSING:
            where[nodes[k]] = grow(tree, node, nodes[k])
        nodes[k] = where[nodes[k]]
    unmark(tree, node, where)
    return True


@compiled
def mark(tree: Tree, node: int, where: NDArray[np.int32]) -> None:
    first = tree[node].first
    for k in range(tree[node].children):
        where[tree[first + k].label] = first + k


@compiled
def unmark(tree: Tree, node: int, where: NDArray[np.int32]) -> None:
    first = tree[node].first
    for k in range(tree[node].children):
        where[tree[first + k].label] = UNKNOWN


def warm(facts: Facts) -> None:
    """Make the search ready for one game: compiled, or loaded from the cache."""
    game = numba.typeof(facts), numba.uint8[::1]  # type: ignore[no-untyped-call]
    whole, tree = numba.int64, numba.from_dtype(NODE)[::1]
    ready(simulate, *game, whole, whole, tree, whole[::1], numba.uint64[::1], whole, numba.float64)
