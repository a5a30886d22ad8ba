"""``reverie``, the default recipe: what measurement chose."""
