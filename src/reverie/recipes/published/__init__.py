"""Recipes after the four published designs, and the stages that only they use."""
