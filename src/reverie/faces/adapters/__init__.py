"""Reverie as the memory of agent frameworks: one file a framework."""
