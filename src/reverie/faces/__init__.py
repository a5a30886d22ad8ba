READING = frozenset({"recall", "explain"})
"""Commands that the background process answers where it can."""
