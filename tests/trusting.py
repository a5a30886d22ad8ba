"""A user who has looked at a folder's file and agrees: in, the folder; out, settings that hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from reverie.config.trust import Trust, seek


def trusting(folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Trust the settings that lie in a folder, as they are now."""
    file = seek(folder).file
    assert file is not None
    Trust(environment).trust(file)
