"""Settings: the only reader of configuration files and of the environment."""

from __future__ import annotations

from reverie.config.loading import PROJECT_FILE, load_settings, project_file, user_file, variable
from reverie.config.sections import (
    DEFAULTS,
    SECTIONS,
    Format,
    HookSettings,
    LlmSettings,
    McpSettings,
    OpsSettings,
    PlotSettings,
    ServeSettings,
    Settings,
    flat,
    shown,
)
from reverie.durable import state_folder

__all__ = [
    "DEFAULTS",
    "PROJECT_FILE",
    "SECTIONS",
    "Format",
    "HookSettings",
    "LlmSettings",
    "McpSettings",
    "OpsSettings",
    "PlotSettings",
    "ServeSettings",
    "Settings",
    "flat",
    "load_settings",
    "project_file",
    "state_folder",
    "shown",
    "user_file",
    "variable",
]
