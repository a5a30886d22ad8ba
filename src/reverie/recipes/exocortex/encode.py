"""How ``exocortex`` encodes: what its host hands over is kept as it is; document A adds nothing on the way in."""

from __future__ import annotations

from reverie.encode.settings import EncodeSettings

ENCODE = EncodeSettings(importance=0.5, utility=0.5, stability_days=1.0, accesses=0)
"""Document A has none of the four but the count; the others are the engine's neutral values."""
