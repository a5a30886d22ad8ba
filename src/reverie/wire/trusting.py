"""What a folder may decide: in, the settings in force there and the user's own; out, those to serve an agent with.

Agents start hooks and servers in whatever folder was cloned, and nobody has read the ``reverie.toml`` in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from reverie.config import Settings, load_settings, project_file

REMOTE = "openai:"
_NO_FOLDER = Path("/")


def trusted_settings(
    folder: Path, environment: Mapping[str, str] | None = None, given: Mapping[str, object] | None = None
) -> Settings:
    """The settings in force in a folder that nobody need have looked at. Raises InvalidSetting."""
    settings = load_settings(folder, environment, given)
    if project_file(folder) is None:
        return settings
    return trusted(settings, load_settings(_NO_FOLDER, environment, given))


def trusted(settings: Settings, own: Settings) -> Settings:
    """The settings of a folder, as far as a folder is believed.

    What leaves this machine, what is masked, where logs go and how long an agent may wait, the user's ``own`` settings
    say.
    """
    remote = settings.embedder.strip().lower().startswith(REMOTE)
    embedder = own.embedder if remote else settings.embedder
    patience = {name: getattr(own.hook, name) for name in ("deadline_ms", "start_ms", "idle_minutes")}
    return replace(
        settings,
        embedder=embedder,
        api_key=own.api_key,
        llm=own.llm,
        ops=own.ops,
        screen=own.screen,
        hook=replace(settings.hook, **patience),
    )
