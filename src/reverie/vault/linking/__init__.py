"""The link between a vault and the engine: what is edited in files is known to the engine, what it learns is a file."""
