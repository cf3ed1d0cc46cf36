"""The sentences of notices, in every language."""

from collections.abc import Mapping
from typing import Any

_TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "turn": "It is your turn in {game}.",
        "turn_against": "It is your turn in {game} against {name}.",
        "remind": "Your time in {game} runs out soon: {hours} h left.",
        "digest_one": "One game waits for you.",
        "digest": "{n} games wait for you.",
        "test": "Notices from Archipel arrive here.",
        "confirm": "Your code: {code}. Enter it in Archipel’s settings so that notices arrive at this address. "
        "If you did not ask for it, ignore this mail.",
        "open": "Play",
        "stop": "Stop these notices",
    },
    "fr": {
        "turn": "C’est à vous de jouer à {game}.",
        "turn_against": "C’est à vous de jouer à {game} contre {name}.",
        "remind": "Votre temps à {game} s’achève bientôt : il reste {hours} h.",
        "digest_one": "Une partie vous attend.",
        "digest": "{n} parties vous attendent.",
        "test": "Les notifications d’Archipel arrivent bien ici.",
        "confirm": "Votre code : {code}. Saisissez-le dans les réglages d’Archipel pour recevoir les notifications à "
        "cette adresse. Si vous n’avez rien demandé, ignorez ce message.",
        "open": "Jouer",
        "stop": "Arrêter ces notifications",
    },
}


def text(language: str, name: str, gaps: Mapping[str, Any] | None = None) -> str:
    """A sentence with its gaps filled."""
    return _TEXTS.get(language, _TEXTS["en"])[name].format_map(gaps or {})


def sentence_of(language: str, kind: str, facts: Mapping[str, Any]) -> str:
    """What a notice of this kind says."""
    if kind == "turn":
        return text(language, "turn_against" if facts.get("name") else "turn", facts)
    if kind == "digest":
        return text(language, "digest_one" if facts.get("n") == 1 else "digest", facts)
    return text(language, kind, facts)
