"""The recipe ``exocortex``."""
