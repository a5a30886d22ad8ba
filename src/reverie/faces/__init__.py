"""The faces: the programs and protocols by which Reverie is used, and what the start needs to know of them."""

READING = frozenset({"recall", "explain"})
"""Commands that the background process answers where it can."""
