"""The recipe ``openclaw``."""
