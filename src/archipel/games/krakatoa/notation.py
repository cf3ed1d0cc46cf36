"""The JSON and notation of Krakatoa's throws and landings."""

import re
from typing import Any

from archipel.core.errors import InvalidAction, quoted, sentence
from archipel.core.vocabulary import IsLegal, Json, Table, tidy, verb

from .board import DICE, FALLS, SETS, WRITTEN

_TARGETS = [[die for die in DICE if not die.startswith(name)] for name in SETS]
AIMS = [(name, die) for name, targets in zip(SETS, _TARGETS, strict=True) for die in targets]
"""The set thrown and the die aimed at, in the order of the actions."""
ENDINGS = ("scratch", "touched")


class Throws(Table):
    """The actions of a seat. A die alone is enough as notation where only one set is possible."""

    def __init__(self) -> None:
        actions: list[tuple[Json, str]] = [({"do": "keep"}, "keep"), ({"do": "reroll"}, "reroll")]
        throws = [({"do": "throw", "set": name, "at": die}, f"{name}>{die}") for name, die in AIMS]
        super().__init__(actions + throws, [(die, i) for i, (_, die) in enumerate(AIMS, len(actions))])


class Landings:
    """The landings of a number of sets; after an aimed throw a landing also says whether it touched."""

    def __init__(self, sets: int, aimed: bool) -> None:
        self._sets = sets
        self._aimed = aimed
        self._keys = ["do", "faces", "touched"] if aimed else ["do", "faces"]
        self._example = " ".join(("YYB", "YRR", "RRR")[:sets])

    def __len__(self) -> int:
        return int(FALLS**self._sets * (1 + self._aimed))

    def encode(self, action: Any) -> int:
        """Return the landing's number; InvalidAction if there is no such landing."""
        verb(action, ("land",))
        if sorted(action, key=str) != self._keys:
            takes = " and ".join(self._keys[1:])
            raise InvalidAction(sentence("This landing takes {takes}, and nothing else.", takes=takes))
        faces = read(action["faces"], self._sets)
        if faces is None:
            like, given = repr(self._example), quoted(action["faces"])
            raise InvalidAction(sentence("Faces are written like {like}, not {faces}.", like=like, faces=given))
        if self._aimed and not isinstance(action["touched"], bool):
            touched = quoted(action["touched"])
            raise InvalidAction(sentence("Whether the throw touched is true or false, not {touched}.", touched=touched))
        return self._number(faces, self._aimed and action["touched"])

    def _number(self, faces: int, touched: bool) -> int:
        return 2 * faces + touched if self._aimed else faces

    def decode(self, action: int) -> Json:
        """Return the landing as JSON."""
        if not self._aimed:
            return {"do": "land", "faces": write(action, self._sets)}
        return {"do": "land", "faces": write(action // 2, self._sets), "touched": action % 2 == 1}

    def notation(self, action: int) -> str:
        """The landing in notation: the faces, and the result of an aimed throw."""
        if not self._aimed:
            return write(action, self._sets)
        return f"{write(action // 2, self._sets)} {ENDINGS[action % 2]}"

    def parse(self, text: str, is_legal: IsLegal) -> int:
        """Return the landing that a notation means; spaces between the letters do not matter."""
        tidied = tidy(text)
        ending = next((name for name in ENDINGS if self._aimed and tidied.endswith(name)), "")
        letters = tidied.removesuffix(ending).replace(" ", "").upper()
        faces = read(" ".join(re.findall(".{1,3}", letters)), self._sets)
        if faces is None or (self._aimed and not ending):
            template = "{text} is not how these dice land; write it like {like}."
            raise InvalidAction(sentence(template, text=quoted(text), like=self._like()))
        return self._number(faces, ending == "touched")

    def _like(self) -> list[str]:
        return [f"'{self._example} {ending}'" for ending in ENDINGS] if self._aimed else [repr(self._example)]


def read(faces: Any, sets: int) -> int | None:
    """The number of the letters of some sets, written set by set; None if they are not valid."""
    parts = faces.split(" ") if isinstance(faces, str) else []
    if len(parts) != sets or not all(part in WRITTEN for part in parts):
        return None
    number = 0
    for part in parts:
        number = number * FALLS + WRITTEN.index(part)
    return number


def write(number: int, sets: int = len(SETS)) -> str:
    """The letters of some sets, set by set."""
    return " ".join(WRITTEN[number // FALLS**k % FALLS] for k in reversed(range(sets)))


THROWS = Throws()
THROWN_OFF = Landings(1, aimed=False)
ALL_NINE = Landings(3, aimed=False)
AIMED = Landings(3, aimed=True)
