"""The read path, which answers a cue: one module for each stage, run in order by ``pipeline``."""
