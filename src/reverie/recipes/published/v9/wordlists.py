"""Where the word lists lie that document D's stages alone ask for."""

from __future__ import annotations

from pathlib import Path

WORDS = Path(__file__).with_name("words")
