"""The kernels' signatures in TypeScript, for calls into WebAssembly.

`python -m archipel.kernels.typescript` writes `web/src/kernels/signatures.ts` anew; a test keeps it current.
"""

from collections.abc import Iterator
from pathlib import Path

from archipel.bots import tree, warming
from archipel.bots.warming import Instance
from archipel.core import registry, rules
from archipel.core.compiled import FACTS, LORE, Array, Group, Kind
from archipel.core.game import Game

FILE = Path(__file__).parents[3] / "web" / "src" / "kernels" / "signatures.ts"
HEAD = """// Made from the kernels' annotations: python -m archipel.kernels.typescript.
import type { Signature } from "./kernels.ts";
import type { Place } from "./memory.ts";
"""


def text() -> str:
    """The whole module as text."""
    games = [registry.game(name) for name in registry.own()]
    found = {game.name: named(game) for game in games}
    parts = [HEAD, *_groups(found)]
    for name, kernels in found.items():
        parts.append(f"export interface {_pascal(name)} {{\n{''.join(map(_method, kernels.items()))}}}\n")
    calls = "".join(f"  {name}: {_pascal(name)};\n" for name in found)
    parts.append(f"export interface Calls {{\n{calls}}}\nexport type Game = keyof Calls;\n")
    parts.append("export interface Sizes {\n  state: number;\n  facts: number;\n  lore: number;\n  node: number;\n")
    parts[-1] += "  outcomes: number;\n  labels: number;\n  depth: number;\n}\n"
    sizes = "".join(f"  {game.name}: {_sizes(game)},\n" for game in games)
    parts.append(
        f"/** Bytes of each record, and the room that lists need. */\nexport const SIZES = {{\n{sizes}}} as const;\n"
    )
    rows = "".join(f"  {name}: {{\n{''.join(map(_row, kernels.items()))}  }},\n" for name, kernels in found.items())
    satisfied = "as const satisfies Record<Game, Record<string, Signature>>"
    parts.append(f"export const SIGNATURES = {{\n{rows}}} {satisfied};\n")
    return "\n".join(parts)


def named(game: Game) -> dict[str, tuple[str, Instance]]:
    """A game's kernels by their TypeScript names; `Plain` are those without the game's knowledge."""
    found: dict[str, tuple[str, Instance]] = {}
    for instance in warming.instances(game):
        kernel = instance.kernel
        if kernel.wide:
            continue
        name = _camel(kernel.name.removeprefix(f"{game.name}_"))
        if instance.symbol.endswith("_plain"):
            name += "Plain"
        found[name] = instance.symbol, instance
    return found


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _groups(named: dict[str, dict[str, tuple[str, Instance]]]) -> Iterator[str]:
    """The named tuples that kernels take, each as an interface."""
    groups: dict[str, Group] = {}
    for kernels in named.values():
        for _, instance in kernels.values():
            for kind in instance.kernel.signature.arguments:
                if isinstance(kind, Group):
                    groups[kind.kind.__name__] = kind
    for name, group in groups.items():
        parts = zip(group.kind._fields, group.parts, strict=True)  # type: ignore[attr-defined]
        lines = "".join(f"  {_camel(part)}: {_typed(kind)};\n" for part, kind in parts)
        yield f"export interface {name} {{\n{lines}}}\n"


def _typed(kind: Kind) -> str:
    if isinstance(kind, Group):
        return kind.kind.__name__
    if isinstance(kind, Array):
        return f'Place<"{_item(kind)}">'
    return "boolean" if kind is bool else "number"


def _item(kind: Array) -> str:
    if isinstance(kind.of, str):
        return kind.of
    return "node" if kind.of == tree.NODE else str(kind.of.str[1:])


def _method(named: tuple[str, tuple[str, Instance]]) -> str:
    name, (_, instance) = named
    signature = instance.kernel.signature
    takes = ", ".join(
        f"{_camel(argument)}: {_typed(kind)}"
        for argument, kind in zip(signature.names, signature.arguments, strict=True)
    )
    results = ["boolean" if kind is bool else "number" for kind in signature.result]
    result = "void" if not results else "number" if len(results) == 1 else f"[{', '.join(results)}]"
    name = '"new"' if name == "new" else name  # unquoted it would be a constructor
    return f"  {name}({takes}): {result};\n"


def _row(named: tuple[str, tuple[str, Instance]]) -> str:
    name, (symbol, instance) = named
    signature = instance.kernel.signature
    return f'    {name}: ["{symbol}", [{", ".join(map(_taken, signature.arguments))}], {len(signature.result)}],\n'


def _taken(kind: Kind) -> str:
    if isinstance(kind, Group):
        parts = zip(kind.kind._fields, kind.parts, strict=True)  # type: ignore[attr-defined]
        return "[" + ", ".join(f'["{_camel(name)}", {_taken(part)}]' for name, part in parts) + "]"
    return str(kind.dimensions) if isinstance(kind, Array) else '"n"'


def _sizes(game: Game) -> str:
    roles = warming.instances(game)[-1].roles
    sizes = {
        "state": game.rules.state.itemsize,
        "facts": roles[FACTS].itemsize,
        "lore": roles[LORE].itemsize,
        "node": tree.NODE.itemsize,
        "outcomes": game.rules.outcomes,
        "labels": rules.LABELS,
        "depth": tree.DEPTH,
    }
    return f"{{ {', '.join(f'{name}: {size}' for name, size in sizes.items())} }}"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
