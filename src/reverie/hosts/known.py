"""The hosts by name: in, what one types; out, the host. A host's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.hosts.host import Host

NAMES = ("claude-code", "codex", "gemini", "cursor", "vscode", "openclaw", "openclaw-mcp")
PLACED = ("agent-zero",)
"""Hosts that lie in a folder of their owner's choice, which is named beside them."""


def host(name: str) -> Host:
    """The host of one of the names above."""
    found: Host = import_module(f"reverie.hosts.{name.replace('-', '_')}").HOST
    return found
