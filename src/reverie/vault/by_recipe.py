"""The vault's numbers out of the recipe: in, ``ocean``; out, its laws."""

from __future__ import annotations

from reverie.recall.ocean import Tfidf
from reverie.recipes.ocean.dream import DREAM
from reverie.recipes.ocean.encode import ENCODE
from reverie.recipes.ocean.recall import RECALL
from reverie.vault.laws import Laws


def ocean_laws() -> Laws:
    """What the recipe ``ocean`` says of a vault: one set of numbers for the engine and for files."""
    earning, sweep, sharing = DREAM.earning, DREAM.sweep, DREAM.sharing
    search = next(stage for stage in RECALL.stages if isinstance(stage, Tfidf))
    if earning is None or sweep is None or sharing is None:
        raise LookupError("the recipe ocean lacks a step of the vault's")
    return Laws(
        start=ENCODE.importance,
        table=earning.table,
        neglect=earning.neglect,
        extensions=sweep.extensions,
        edges=sweep.edges,
        extend_by=sweep.extend_by,
        sharing=sharing.edges,
        search_floor=search.floor,
        least_freshness=search.least,
    )
