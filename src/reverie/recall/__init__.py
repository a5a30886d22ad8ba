"""The read path: one file a stage, spelled out in ``pipeline``."""
