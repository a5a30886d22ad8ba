"""``reverie``, the default recipe: each part was chosen by measurement."""
