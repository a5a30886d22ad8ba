"""The vault's numbers out of the recipe: in, ``ocean``; out, its laws."""

from __future__ import annotations

from reverie.recipes.ocean import numbers
from reverie.vault.laws import Laws


def ocean_laws() -> Laws:
    """What the recipe ``ocean`` says of a vault: one set of numbers for the engine and for files."""
    return Laws(
        start=numbers.START,
        table=numbers.TABLE,
        neglect=numbers.NEGLECT,
        extensions=numbers.EXTENSIONS,
        edges=numbers.EDGES,
        extend_by=numbers.EXTEND_BY,
        sharing=numbers.SHARED_FROM,
        search_floor=numbers.SEARCH_FLOOR,
        least_freshness=numbers.LEAST_FRESHNESS,
    )
