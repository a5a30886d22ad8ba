"""The vault's numbers out of the recipe: in, ``ocean``; out, its laws."""

from __future__ import annotations

from reverie.recipes.published import ocean_numbers
from reverie.vault.laws import Laws


def ocean_laws() -> Laws:
    """What the recipe ``ocean`` says of a vault: one set of numbers for the engine and for files."""
    return Laws(
        start=ocean_numbers.START,
        table=ocean_numbers.TABLE,
        neglect=ocean_numbers.NEGLECT,
        extensions=ocean_numbers.EXTENSIONS,
        edges=ocean_numbers.EDGES,
        extend_by=ocean_numbers.EXTEND_BY,
        sharing=ocean_numbers.SHARED_FROM,
        search_floor=ocean_numbers.SEARCH_FLOOR,
        least_freshness=ocean_numbers.LEAST_FRESHNESS,
    )
