"""Entry point of the command ``reverie``: start the agent hook or the command line, as the arguments say.

The hook is recognised before the command line and its libraries are loaded, because an agent waits for it.
"""

from __future__ import annotations

import os
import sys

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
    from reverie.faces.cli import main as command_line

    command_line()


def _is_for_people(typed: list[str]) -> bool:
    return any(word in ELSEWHERE and before not in NAMED for before, word in zip(typed, typed[1:], strict=False))  # noqa: RUF007 - no itertools for this
