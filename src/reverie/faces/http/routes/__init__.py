"""The routes, by topic: in, what is asked; out, one call of the engine each, and its shape."""
