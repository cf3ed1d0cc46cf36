"""What a lobby tells of a game: options, numbers of players, levels, and who may compute its chance outcomes."""

from archipel.core import registry

from .. import protocol


def game_info(name: str, levels: list[str], drawn: bool = False) -> protocol.GameInfo:
    """The game of that name, with bots of these levels. `drawn`: all chance is drawn at once, nothing is simulated."""
    kind = registry.kind(name)
    options = [
        protocol.OptionInfo(option.name, option.default, option.about, option.wanted, list(option.values))
        for option in kind.OPTIONS
    ]
    players = next((option.values for option in kind.OPTIONS if option.name == "players"), None)
    slow = None if drawn else registry.slow_chance(name)
    return protocol.GameInfo(
        name, kind.title, options, list(players or [kind().seats]), levels, list(slow.modes) if slow else []
    )
