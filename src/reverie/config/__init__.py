"""Settings: the only reader of configuration files and of the environment."""

from __future__ import annotations

from reverie.config.loading import PROJECT_FILE, load_settings, project_file, state_folder, user_file, variable
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
