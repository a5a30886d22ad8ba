"""Entry point of the command ``reverie``: start the agent hook or the command line, as the arguments say.

The hook is recognised before the command line and its libraries are loaded, because an agent waits for it. A command
that the background process can answer asks that first, too. ``python -m reverie.faces.start background`` is that
process.
"""

from __future__ import annotations

import os
import sys

from reverie.faces import READING

TYPE_CHECKING = False  # type checkers take it as true; importing typing takes as long as the hook's own process
if TYPE_CHECKING:
    from reverie.faces.hook.service import Commands

HOOK = "hook"
ELSEWHERE = {"status", "stop", "--help", "-h", "--json"}
"""Arguments of `reverie hook` that the command line answers, because a person typed them (unless they name an event).
"""
NAMED = ("--host", "--event")


def main() -> None:
    """Run the agent hook or the command line, depending on the arguments."""
    if sys.argv[1:2] == [HOOK] and not _is_for_people(sys.argv[1:]):
        if hasattr(os, "fork"):
            from reverie.faces.hook.client import main as hook
        else:
            from reverie.faces.hook.alone import main as hook

        sys.exit(hook(sys.argv[2:]))
    if hasattr(os, "fork") and not READING.isdisjoint(sys.argv):
        from reverie.faces.hook import warm

        if warm.is_reading(sys.argv[1:]) and not warm.is_off():
            _read(sys.argv[1:])
            return
    from reverie.faces.cli import main as command_line

    command_line()


def _read(typed: list[str]) -> None:
    """Have the background process answer a command; else run it here, and have that process ready for the next."""
    from reverie.faces.hook import warm

    try:
        reply = warm.ask(typed)
    except KeyboardInterrupt:
        from reverie.faces.cli.warm import interrupted

        sys.exit(interrupted(as_json="--json" in typed))
    if reply.answered:
        try:
            warm.write(reply)
        except OSError as error:
            from reverie.faces.cli.app import unwritten

            sys.exit(unwritten(error))
        return
    from reverie.faces.cli.warm import run

    run(typed, reply)


def background() -> int:
    """Run the background process; its standard input may hold a first call, as ``reverie.faces.cli.warm`` writes it."""
    from reverie.faces.hook.service import main as serve

    def commands() -> Commands:
        from reverie.faces.cli.warm import WarmCommands

        return WarmCommands()

    return serve(commands, sys.stdin.buffer.read() if sys.stdin else b"")


def _is_for_people(typed: list[str]) -> bool:
    return any(word in ELSEWHERE and before not in NAMED for before, word in zip(typed, typed[1:], strict=False))  # noqa: RUF007 - no itertools for this


if __name__ == "__main__":
    if sys.argv[1:] == ["background"]:
        sys.exit(background())
    main()
