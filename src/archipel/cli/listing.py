"""The legal actions as a numbered list, by verb: in columns, or as a grid if there are very many."""

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

if TYPE_CHECKING:
    from archipel.core.state import State

GAP = 2
MANY = 24


class Entry(NamedTuple):
    """One action with its number in the list."""

    number: str
    notation: str
    action: dict[str, Any]


def listed(state: "State", width: int) -> Text:
    """The legal actions, numbered across all verbs."""
    actions = state.actions()
    digits = len(str(len(actions)))
    verbs: dict[str, list[Entry]] = {}
    for number, action in enumerate(actions, 1):
        entry = Entry(f"{number:>{digits}}", state.notation(action), state.decode(action))
        verbs.setdefault(entry.action["do"], []).append(entry)
    indent = max(map(len, verbs)) + GAP
    return Text("\n").join(_block(verb, entries, indent, width) for verb, entries in verbs.items())


def _block(verb: str, entries: list[Entry], indent: int, width: int) -> Text:
    """A verb, with its actions beside or below it."""
    grid = _grid(entries, width)
    if grid:
        return Text("\n").join(
            [Text.assemble((f"{verb:<{indent}}", "soft"), (f"{entries[0].notation} …", "action")), *grid]
        )
    rows = _columns(entries, width - indent)
    margins = [f"{verb:<{indent}}"] + [" " * indent] * (len(rows) - 1)
    return Text("\n").join(Text.assemble((margin, "soft"), row) for margin, row in zip(margins, rows, strict=True))


def _columns(entries: list[Entry], width: int) -> list[Text]:
    cell = max(len(entry.number) + 1 + len(entry.notation) for entry in entries)
    across = max(1, (width + GAP) // (cell + GAP))
    texts = [Text.assemble((f"{entry.number} ", "number"), (entry.notation, "action")) for entry in entries]
    rows = [texts[at : at + across] for at in range(0, len(texts), across)]
    for row in rows:
        for text in row[:-1]:
            text.pad_right(cell + GAP - len(text))
    return [Text.assemble(*row) for row in rows]


def _grid(entries: list[Entry], width: int) -> list[Text]:
    """Very many actions that combine two things as a grid, one thing down, the other across; None if that is not
    possible."""
    down, across = (list(dict.fromkeys(names)) for names in zip(*map(_pair, entries), strict=True))
    numbers = {_pair(entry): entry.number for entry in entries}
    margin = GAP + max(map(len, down))
    cell = 1 + max(map(len, [*across, entries[0].number]))
    if len(entries) <= MANY or set(numbers) != set(product(down, across)) or margin + cell * len(across) > width:
        return []
    rows = [[" ", *across]] + [[name, *(numbers[name, other] for other in across)] for name in down]
    return [
        Text.assemble(
            (f"{name:>{margin}}", "action"),
            *((f"{entry:>{cell}}", "number" if number else "action") for entry in row),
        )
        for number, (name, *row) in enumerate(rows)
    ]


def _pair(entry: Entry) -> tuple[str, str]:
    """The two things that an action names; the second is empty if there is only one."""
    first, second, *_ = [str(value) for key, value in entry.action.items() if key != "do"] + ["", ""]
    return first, second
