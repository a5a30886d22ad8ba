"""Plots of engine values: figures, and files with the same bytes each time."""
