"""The stand-in's search path for an agent's files: its profile, the user's own, plugins, then the program's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from layout import OLD, ROOT


def get_paths(agent: Any, *parts: str, default_root: str = "") -> list[str]:
    profile = agent.config.profile if agent else ""
    homes = [ROOT / "usr" / "agents" / profile, ROOT / "agents" / profile] if profile else []
    homes += [ROOT / "usr", *_plugins(), ROOT / default_root]
    return [str(home.joinpath(*parts)) for home in homes if home.joinpath(*parts).exists()]


def _plugins() -> list[Path]:
    if OLD:
        return []
    roots = (ROOT / "usr" / "plugins", ROOT / "plugins")
    found = [
        one for root in roots if root.is_dir() for one in sorted(root.iterdir()) if (one / "plugin.yaml").is_file()
    ]
    return [one for one in found if not (one / ".toggle-0").exists()]
