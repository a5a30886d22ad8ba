"""How much one request may bring, for who asks and for who answers."""

from __future__ import annotations

MESSAGES_MAX = 10_000
SOURCES_MAX = 100
NOTES_MAX = 100
"""So many notes at once: one batch, kept whole or not at all, and answered memory by memory."""
