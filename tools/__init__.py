"""Scripts of the repository: what the make targets run beside pytest and the linters. Not part of the package."""
