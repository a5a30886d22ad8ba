"""The vault: agents' observations as Markdown files that people and agents edit; no engine and no index needed."""
