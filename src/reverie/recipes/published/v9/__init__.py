"""The recipe ``v9``; and where the word lists lie that its stages alone ask for."""

from pathlib import Path

WORDS = Path(__file__).with_name("words")
