"""Pictures of what a memory does: in, the engine's values; out, figures, and files of the same bytes each time."""
