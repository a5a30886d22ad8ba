"""Settings: the only package that reads configuration files and environment variables."""

from __future__ import annotations

from reverie.config.loader import Loaded, load, load_settings, user_file, variable
from reverie.config.sections import (
    DEFAULTS,
    PROJECT_FILE,
    SECTIONS,
    Format,
    HookSettings,
    LlmSettings,
    McpSettings,
    OpsSettings,
    PlotSettings,
    ProxySettings,
    RerankerSettings,
    ServeSettings,
    Settings,
    SkillSettings,
    TeamSettings,
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
    "Loaded",
    "McpSettings",
    "ProxySettings",
    "OpsSettings",
    "PlotSettings",
    "RerankerSettings",
    "ServeSettings",
    "Settings",
    "SkillSettings",
    "TeamSettings",
    "flat",
    "load",
    "load_settings",
    "shown",
    "state_folder",
    "user_file",
    "variable",
]
