"""The hook: one command that serves coding agents, and its background process."""
