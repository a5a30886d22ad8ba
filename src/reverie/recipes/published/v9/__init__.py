"""The recipe ``v9``."""
