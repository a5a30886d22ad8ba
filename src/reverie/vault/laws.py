"""The numbers of the vault: what the recipe ``ocean`` says, handed to everything here as one value."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.formulas.freshness import Extension
from reverie.formulas.vault import EventTable, NeglectLaw, SweepEdges, VaultPromotionEdges
from reverie.recipes.published import ocean_numbers

# The numbers of the vault: what the recipe ``ocean`` says, handed to everything here as one value.


@dataclass(frozen=True, slots=True)
class Laws:
    """What importance starts at, what moves it, how long an observation stays, and what search looks at.

    Attributes:
        start: importance of a new observation.
        extend_by: by what a maximum age is multiplied that an important observation has passed.
        search_floor: importance must lie above it to be found.
        least_freshness: freshness at the end of the time.
    """

    start: float
    table: EventTable
    neglect: NeglectLaw
    extensions: tuple[Extension, ...]
    edges: SweepEdges
    extend_by: float
    sharing: VaultPromotionEdges
    search_floor: float
    least_freshness: float


# The vault's numbers out of the recipe: in, ``ocean``; out, its laws.


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
