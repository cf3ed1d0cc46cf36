"""`archipel completion bash`: print a script with which your shell completes commands, games and options.

It is generated from the commands' own parsers and runs nothing when you press Tab, so it answers at once.
"""

import argparse

import archipel

ABOUT = "print a script for shell completion: bash, zsh or fish"
SHELLS = ("bash", "zsh", "fish")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=" or ".join(SHELLS))


def run(args: argparse.Namespace) -> int:
    print(_fish() if args.shell == "fish" else _bash(args.shell), end="")
    return 0


def words(command: str) -> list[str]:
    """What may follow a command: its options and their choices, and the games if it takes one."""
    from . import parser

    found: list[str] = []
    for action in parser(command)._actions:
        found += [option for option in action.option_strings if option.startswith("--")]
        if action.choices:
            found += map(str, action.choices)
        elif action.metavar in ("GAME", "GAMES"):
            found += [name.replace("_", "-") for name in archipel.GAMES]
    return list(dict.fromkeys(found))


def _commands() -> list[str]:
    from . import COMMANDS

    return ["help", *COMMANDS]


def _bash(shell: str) -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(words(name))}" ;;' for name in _commands() if name != "help")
    intro = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return f"""{intro}_archipel() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words
    case "${{COMP_WORDS[1]}}" in
{cases}
        *) words="{" ".join(_commands())} --help --version" ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(_commands())} --help --version"; fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [ -z "${{COMPREPLY[*]}}" ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}}
complete -F _archipel archipel
"""


def _fish() -> str:
    names = _commands()
    lines = [f"complete -c archipel -n __fish_use_subcommand -a '{' '.join(names)}'"]
    lines += [
        f"complete -c archipel -n '__fish_seen_subcommand_from {name}' -a '{' '.join(words(name))}'"
        for name in names
        if name != "help"
    ]
    return "\n".join(lines) + "\n"
