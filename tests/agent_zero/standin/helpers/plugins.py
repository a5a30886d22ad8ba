"""The stand-in's configuration of plugins, in the newer layout's place: config.json, else the plugin's defaults."""

from __future__ import annotations

import json
from typing import Any

from helpers import files


def get_enabled_plugins(agent: Any) -> list[str]:
    """Every plugin is on, unless a file in its folder, or in the user's of its name, says no."""
    off = any(files.exists(f"{where}/_memory/.toggle-0") for where in ("usr/plugins", "plugins"))
    return [] if off else ["_memory"]


def get_plugin_config(plugin_name: str, agent: Any = None) -> dict[str, Any] | None:
    for where in (f"usr/plugins/{plugin_name}/config.json", f"plugins/{plugin_name}/default_config.yaml"):
        if files.exists(where):
            held: dict[str, Any] = json.loads(files.read_file(where))
            return held
    return None
