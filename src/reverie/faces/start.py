"""Where the command ``reverie`` begins: in, what is typed; out, the face that answers it.

An agent waits for its hook, so the hook is told apart before the command line and its libraries are loaded.
"""

from __future__ import annotations

import sys

HOOK = "hook"
ELSEWHERE = {"status", "stop", "--help", "-h", "--json"}
"""With these the command line answers `reverie hook`: they are for people, but for an event of such a name."""
NAMED = ("--host", "--event")


def main() -> None:
    """Hand what was typed to the hook or to the command line."""
    if sys.argv[1:2] == [HOOK] and not _is_for_people(sys.argv[1:]):
        from reverie.faces.hook.client import main as hook

        sys.exit(hook(sys.argv[2:]))
    from reverie.faces.cli import main as command_line

    command_line()


def _is_for_people(typed: list[str]) -> bool:
    return any(word in ELSEWHERE and before not in NAMED for before, word in zip(typed, typed[1:], strict=False))  # noqa: RUF007 - no itertools for this
