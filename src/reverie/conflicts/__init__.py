"""Conflicts: whether what was said later replaces or takes back what was said earlier."""
