"""Reverie as the memory of agent frameworks: one module a framework, each an extra, none imported by another."""
