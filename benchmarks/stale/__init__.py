"""Stale facts and contradictions: what changed stands first, what was overtaken or denied is marked."""
