"""The link between a vault and the engine: edits in files reach the engine, and what it learns becomes a file."""
