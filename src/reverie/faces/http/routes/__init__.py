"""The routes, by topic: each makes one call of the engine and answers with its result."""
