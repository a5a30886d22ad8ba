"""The write path: one file a stage, spelled out in ``pipeline``."""
