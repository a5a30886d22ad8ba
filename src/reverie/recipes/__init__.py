"""Recipes: frozen settings over the same stages. What each number is and who chose it."""
