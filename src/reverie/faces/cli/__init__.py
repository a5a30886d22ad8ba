"""The command line: ``reverie``. In: what is typed. Out: text, tables on a terminal, or JSON; and an exit code.

Nothing heavy is imported before a command needs it, so that help and completion answer at once.
"""

from __future__ import annotations

from reverie.faces.cli.app import main

__all__ = ["main"]
