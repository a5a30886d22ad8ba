"""The command line ``reverie``: answers with text, with tables on a terminal, or with JSON, and an exit code.

Nothing heavy is imported before a command needs it, so that help and completion answer at once.
"""

from __future__ import annotations

from reverie.faces.cli.app import main

__all__ = ["main"]
