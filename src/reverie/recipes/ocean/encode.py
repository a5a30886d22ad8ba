"""How ``ocean`` encodes: document B, everything starts equal, importance is earned."""

from __future__ import annotations

from reverie.encode.settings import EncodeSettings
from reverie.recipes.ocean import numbers

ENCODE = EncodeSettings(importance=numbers.START, utility=0.5, stability_days=1.0, accesses=0)
"""B3: importance starts at .5, never higher; utility and stability are the engine's neutral values."""
