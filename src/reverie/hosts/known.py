"""The hosts by name; a host's module is imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.hosts.host import Host

NAMES = ("claude-code", "codex", "gemini", "cursor", "vscode", "openclaw", "openclaw-mcp")
PLACED = ("agent-zero", "agent-zero-docker")
"""Hosts installed in a folder of the user's choice, which is given as a further argument."""


def host(name: str) -> Host:
    """Return the host with one of the names above."""
    found: Host = import_module(f"reverie.hosts.{name.replace('-', '_')}").HOST
    return found
