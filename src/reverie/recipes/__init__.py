"""Recipes: named settings for recall, encoding and dreams; each number cites who chose it."""
