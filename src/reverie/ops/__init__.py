"""How Reverie tells what it does: the ops log, and metrics and traces. Nothing in here can fail its caller."""
