"""The recipe ``ocean``."""
