"""Reverie inside Agent Zero: the logic behind the two extension files that `reverie install agent-zero` puts there.

The hooks take Agent Zero's agent and the data of its loop; they improve the block of memories in its prompt, and keep
its memory store in order. Nothing here imports Agent Zero or its libraries by itself.
"""

from __future__ import annotations

from reverie.faces.agent_zero.hooks import enhance, maintain, settled

__all__ = ["enhance", "maintain", "settled"]
