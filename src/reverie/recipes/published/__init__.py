"""Recipes of the four published designs, and stages that only they use."""
