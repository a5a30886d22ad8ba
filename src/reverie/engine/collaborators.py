"""The collaborators of an engine: each is made, and its room loaded, by the first call that needs it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from reverie.engine.context import Context

if TYPE_CHECKING:
    from reverie.engine.consolidate import Consolidation
    from reverie.engine.curate import Curation
    from reverie.engine.erasure import Eraser
    from reverie.engine.ingest import Ingestion
    from reverie.engine.maintain import Maintenance
    from reverie.engine.retrieve import Retrieval
    from reverie.engine.transfer import Transfer


class Collaborators:
    """What an engine delegates to, over one context."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def ingestion(self) -> Ingestion:
        """Takes in what is said."""
        from reverie.engine.ingest import Ingestion

        return Ingestion(self._context)

    @cached_property
    def curation(self) -> Curation:
        """Changes single memories."""
        from reverie.engine.curate import Curation

        return Curation(self._context, self.ingestion)

    @cached_property
    def eraser(self) -> Eraser:
        """Erases for good."""
        from reverie.engine.erasure import Eraser

        return Eraser(self._context)

    @cached_property
    def retrieval(self) -> Retrieval:
        """Reads and recalls."""
        from reverie.engine.retrieve import Retrieval

        return Retrieval(self._context)

    @cached_property
    def consolidation(self) -> Consolidation:
        """Dreams."""
        from reverie.engine.consolidate import Consolidation

        return Consolidation(self._context)

    @cached_property
    def maintenance(self) -> Maintenance:
        """Looks after the store."""
        from reverie.engine.maintain import Maintenance

        return Maintenance(self._context)

    @cached_property
    def transfer(self) -> Transfer:
        """Moves memories out and in."""
        from reverie.engine.transfer import Transfer

        return Transfer(self._context, self.ingestion)
