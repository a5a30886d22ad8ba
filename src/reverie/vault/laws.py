"""The numbers that govern a vault, taken from the recipe ``ocean`` and passed around as one value."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.formulas.freshness import Extension
from reverie.formulas.vault import EventTable, NeglectLaw, SweepEdges, VaultPromotionEdges
from reverie.recipes.published import ocean_numbers


@dataclass(frozen=True, slots=True)
class Laws:
    """The importance an observation starts with, what changes it, how long it stays, and what search considers.

    Attributes:
        start: importance of a new observation.
        extend_by: factor for the maximum age of an important observation that has passed it.
        search_floor: an observation is found only with importance above it.
        least_freshness: freshness at the end of the maximum age.
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


def ocean_laws() -> Laws:
    """Return the vault's numbers from the recipe ``ocean``: the same for the engine and for files."""
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
