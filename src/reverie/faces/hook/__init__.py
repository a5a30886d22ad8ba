"""The hook: one command that serves coding agents, and the warm process behind it."""
