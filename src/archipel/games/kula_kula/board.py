"""The facts of Kula Kula: a ring of islands and sea spaces, the oracle's cards, the shells; or a board of one's own.

  12 -- Kiriwina -- 1 -- Kitava -- 2 -- Iwa -- 3 -- Gawa
   |                                                  |
Vakuta                                                4
   |                                                  |
  11                                              Woodlark
   |                                                  |
Amphlett                                              5
   |                                                  |
  10                                               Misima
   |                                                  |
 Dobu                                                 6
   |                                                  |
   9 -- Normanby -- 8 -- Tube Tube -- 7 -- Koyagaugau
"""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from archipel.core.errors import quoted

PLAYERS = (3, 4, 5)
KINDS = ("boat", "fish", "idol")

# The maximum sizes of a board: a record has fixed arrays.
MAX_SPACES = 64
MAX_ON_SPACE = 99
MAX_CARDS = 120
MAX_SHELLS = 9999
MAX_NUMBER = 999

BOARD: dict[str, Any] = {
    "note": (
        "The printed board is lost. The named islands, the start islands, three Kauri at Woodlark, the 42 cards, the "
        "goals and the price come from the rules. Iwa, Gawa, Misima, Dobu, the other Kauri, one numbered sea space "
        "between neighbours, the split of the deck and the number of Pukas are a reconstruction."
    ),
    "ring": [
        {"space": 0, "island": "Kiriwina", "kauri": 2},
        {"space": 1, "number": 1},
        {"space": 2, "island": "Kitava", "kauri": 1},
        {"space": 3, "number": 2},
        {"space": 4, "island": "Iwa", "kauri": 1},
        {"space": 5, "number": 3},
        {"space": 6, "island": "Gawa", "kauri": 1},
        {"space": 7, "number": 4},
        {"space": 8, "island": "Woodlark", "kauri": 3},
        {"space": 9, "number": 5},
        {"space": 10, "island": "Misima", "kauri": 2},
        {"space": 11, "number": 6},
        {"space": 12, "island": "Koyagaugau", "kauri": 1},
        {"space": 13, "number": 7},
        {"space": 14, "island": "Tube Tube", "kauri": 2},
        {"space": 15, "number": 8},
        {"space": 16, "island": "Normanby", "kauri": 2},
        {"space": 17, "number": 9},
        {"space": 18, "island": "Dobu", "kauri": 1},
        {"space": 19, "number": 10},
        {"space": 20, "island": "Amphlett", "kauri": 1},
        {"space": 21, "number": 11},
        {"space": 22, "island": "Vakuta", "kauri": 2},
        {"space": 23, "number": 12},
    ],
    "players": [3, 4, 5],
    "goal_kauri": {"3": 6, "4": 5, "5": 4},
    "starts": {
        "3": ["Kiriwina", "Woodlark", "Normanby"],
        "4": ["Kitava", "Woodlark", "Tube Tube", "Amphlett"],
        "5": ["Kitava", "Woodlark", "Koyagaugau", "Normanby", "Vakuta"],
    },
    "oracle": {"boat": 18, "fish": 12, "idol": 12},
    "puka_supply": 70,
    "price": 3,
    "puka_limit_per_space": 3,
}
"""The default board."""


class Board(NamedTuple):
    """A board as it is used for one number of players."""

    ring: list[str | int]
    """Clockwise, an island's name or the number of a sea space."""
    island_numbers: dict[str, int]
    """The numbers of numbered islands."""
    kauri: dict[str, int]
    """The number of Kauri on each island at the start."""
    goal: int
    starts: list[str]
    oracle: list[int]
    """The number of cards of each kind, in the order of KINDS."""
    supply: int
    """The total number of Pukas."""
    price: int
    limit: int

    @property
    def numbered(self) -> dict[int, int]:
        """The numbers that the dolphin can point at, in the order of the ring, with the space of each."""
        numbers = [self.island_numbers.get(place) if isinstance(place, str) else place for place in self.ring]
        return {number: space for space, number in enumerate(numbers) if number is not None}

    @property
    def numbers(self) -> list[int]:
        """The numbers that the dolphin can point at, in the order of the ring."""
        return list(self.numbered)


def read(given: dict[str, Any] | None, players: int) -> Board:
    """Read a board, with defaults for missing keys; ValueError names the key and what is wrong with it."""
    whole = BOARD | (given or {})
    for key in whole:
        if key not in BOARD:
            raise ValueError(f"kula_kula: the board has no key {quoted(key)}; its keys are {', '.join(BOARD)}.")
    if not isinstance(whole["note"], str):
        _wrong("note", "must be text", whole["note"])
    _check_players(whole["players"], players)
    kauri = _ring(whole["ring"])
    ring = [space.get("island", space.get("number")) for space in whole["ring"]]
    supply = _number(whole["puka_supply"], 0, MAX_SHELLS, "puka_supply")
    odd = sum(space.get("number", 0) % 2 for space in whole["ring"])
    if supply < odd:
        _wrong("puka_supply", f"must be at least {odd}, a Puka for each odd space", supply)
    return Board(
        ring=ring,
        island_numbers={
            space["island"]: space["number"] for space in whole["ring"] if {"island", "number"} <= set(space)
        },
        kauri=kauri,
        goal=_by_players("goal_kauri", whole["goal_kauri"], players, _check_goal),
        starts=_starts(whole["starts"], players, kauri),
        oracle=_oracle(whole["oracle"]),
        supply=supply,
        price=_number(whole["price"], 1, MAX_SHELLS, "price"),
        limit=_number(whole["puka_limit_per_space"], 1, MAX_ON_SPACE, "puka_limit_per_space"),
    )


def _wrong(key: str, what: str, value: Any) -> NoReturn:
    raise ValueError(f"kula_kula: the board's {key!r} {what}, not {quoted(value)}.")


def _number(value: Any, low: int, high: int, key: str, of: str = "") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        _wrong(key, f"must be a whole number from {low} to {high}{of}", value)
    return value


def _object(value: Any, keys: tuple[str, ...], key: str, of: str = "") -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(keys):
        _wrong(key, f"must be an object with {' and '.join(keys)}{of}", value)
    return value


def _check_players(counts: Any, players: int) -> None:
    """ValueError unless the board is for this number of players."""
    if not isinstance(counts, list) or not counts:
        _wrong("players", "must be a list of the numbers of players it is for", counts)
    for n, count in enumerate(counts):
        if type(count) is not int or count not in PLAYERS or count in counts[:n]:
            _wrong("players", "must name 3, 4 or 5, each once", count)
    if players not in counts:
        offered = " or ".join(map(str, counts))
        raise ValueError(f"kula_kula: option 'players' is {players}, but the board's 'players' offers {offered}.")


def _ring(ring: Any) -> dict[str, int]:
    """Check the whole ring; return the Kauri of each island."""
    if not isinstance(ring, list):
        _wrong("ring", "must be a list of spaces", ring)
    if not 2 <= len(ring) <= MAX_SPACES:
        _wrong("ring", f"must have 2 to {MAX_SPACES} spaces", len(ring))
    kauri: dict[str, int] = {}
    numbers: set[int] = set()
    for i, space in enumerate(ring):
        if isinstance(space, dict) and "number" in space and "island" not in space:
            _check_sea_space(i, space, numbers)
        else:
            _check_island(i, space, kauri, numbers)
    if not kauri:
        raise ValueError("kula_kula: the board's 'ring' must have an island.")
    if not numbers:
        raise ValueError("kula_kula: the board's 'ring' must have a numbered space, where the dolphin may point.")
    return kauri


def _check_space(i: int, space: dict[str, Any]) -> None:
    if type(space["space"]) is not int or space["space"] != i:
        _wrong("ring", f"must number its spaces in order: 'space' must be {i} at place {i}", space["space"])


def _check_sea_space(i: int, space: Any, numbers: set[int]) -> None:
    _object(space, ("space", "number"), "ring", f" at space {i}")
    _check_space(i, space)
    _check_space_number(i, space, numbers)


def _check_space_number(i: int, space: dict[str, Any], numbers: set[int]) -> None:
    number = _number(space["number"], 1, MAX_NUMBER, "ring", f" as the 'number' of space {i}")
    if number in numbers:
        raise ValueError(f"kula_kula: the board's 'ring' has two spaces of number {number}.")
    numbers.add(number)


def _check_island(i: int, space: Any, kauri: dict[str, int], numbers: set[int]) -> None:
    numbered = isinstance(space, dict) and "number" in space
    keys = ("space", "island", "kauri", *(("number",) if numbered else ()))
    _object(space, keys, "ring", f", or space and number, at space {i}")
    _check_space(i, space)
    if numbered:
        _check_space_number(i, space, numbers)
    name = space["island"]
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        _wrong("ring", f"must have a name as the 'island' of space {i}", name)
    if name in kauri:
        raise ValueError(f"kula_kula: the board's 'ring' has two islands of the name {quoted(name)}.")
    kauri[name] = _number(space["kauri"], 0, MAX_ON_SPACE, "ring", f" as the 'kauri' of {name}")


def _by_players(key: str, values: Any, players: int, check: Callable[[Any, int], None]) -> Any:
    """The value for this number of players; the values for others must be valid too."""
    if not isinstance(values, dict):
        _wrong(key, "must be an object with an entry for each number of players", values)
    for count, value in values.items():
        if count not in map(str, PLAYERS):
            _wrong(key, 'must have entries for "3", "4" or "5" players', count)
        check(value, int(count))
    if str(players) not in values:
        raise ValueError(f"kula_kula: the board's {key!r} has no entry for {players} players.")
    return values[str(players)]


def _check_goal(goal: Any, count: int) -> None:
    _number(goal, 1, MAX_SHELLS, "goal_kauri", f" for {count} players")


def _check_starts(names: Any, count: int) -> None:
    if not isinstance(names, list) or len(names) != count or not all(isinstance(name, str) for name in names):
        _wrong("starts", f"must be a list of {count} islands for {count} players", names)


def _starts(starts: Any, players: int, islands: dict[str, int]) -> list[str]:
    names: list[str] = _by_players("starts", starts, players, _check_starts)
    for name in names:
        if name not in islands:
            _wrong("starts", f"for {players} players must be islands of the ring", name)
    return names


def _oracle(cards: Any) -> list[int]:
    _object(cards, KINDS, "oracle")
    counts = [_number(cards[kind], 0, MAX_CARDS, "oracle", f" for {kind}") for kind in KINDS]
    if not any(counts):
        _wrong("oracle", "must have a card", cards)
    return counts
