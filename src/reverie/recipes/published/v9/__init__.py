"""The recipe ``v9`` of document D, and the folder of word lists that only its stages use."""

from pathlib import Path

WORDS = Path(__file__).with_name("words")
