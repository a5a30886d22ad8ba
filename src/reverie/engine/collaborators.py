"""The collaborators of an engine, each created on first use; and ``admin``, the list of their rarer operations."""

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


class Admin:
    """The rarer operations of an engine; each is a collaborator's own method, with its signature and docstring."""

    def __init__(self, parts: Collaborators) -> None:
        curation = parts.curation
        self.note = curation.note
        self.amend = curation.amend
        self.pin = curation.pin
        self.protect = curation.protect
        self.release = curation.release
        self.revive = curation.revive
        self.reopen = curation.reopen
        self.quarantined = curation.quarantined
        self.relations = curation.relations
        self.graph = curation.graph
        self.about = curation.about
        self.working = curation.working
        self.end_session = curation.end_session
        eraser = parts.eraser
        self.erase = eraser.erase
        self.erase_all = eraser.erase_all
        self.held_of = eraser.held_of
        retrieval = parts.retrieval
        self.latest = retrieval.latest
        self.formed = retrieval.formed
        self.stats = retrieval.stats
        self.scopes = retrieval.scopes
        self.events = retrieval.events
        self.history = retrieval.history
        self.provenance = retrieval.provenance
        self.dreams = retrieval.dreams
        self.health = retrieval.health
        self.forgetting_curve = retrieval.forgetting_curve
        consolidation = parts.consolidation
        self.decay = consolidation.decay
        self.compact = consolidation.compact
        self.hot = consolidation.hot
        maintenance = parts.maintenance
        self.use_model = maintenance.use_model
        self.use_reranker = maintenance.use_reranker
        self.missing = maintenance.missing
        self.embed = maintenance.embed
        self.head = maintenance.head
        self.anchor = maintenance.anchor
        self.verify = maintenance.verify
        self.doctor = maintenance.doctor
        self.backup = maintenance.backup
        self.copies = maintenance.copies
        self.replay = maintenance.replay
        self.digest = maintenance.digest
        self._maintenance = maintenance

    @property
    def model(self) -> str:
        """Return the key of the embedding model; "none" without one, "unavailable" until its endpoint answers."""
        return self._maintenance.model

    @property
    def reranker(self) -> str:
        """Return the name of the reranker; "none" without one."""
        return self._maintenance.reranker

    @property
    def recipe(self) -> str:
        """Return the name of the recipe."""
        return self._maintenance.recipe


class Collaborators:
    """The objects that an engine delegates to, over one context; each is created, and imported, on first use."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def ingestion(self) -> Ingestion:
        """Return the collaborator that stores messages and forms memories."""
        from reverie.engine.ingest import Ingestion

        return Ingestion(self._context)

    @cached_property
    def curation(self) -> Curation:
        """Return the collaborator that changes single memories."""
        from reverie.engine.curate import Curation

        return Curation(self._context, self.ingestion)

    @cached_property
    def eraser(self) -> Eraser:
        """Return the collaborator that erases memories for good."""
        from reverie.engine.erasure import Eraser

        return Eraser(self._context)

    @cached_property
    def retrieval(self) -> Retrieval:
        """Return the collaborator that recalls and reads memories."""
        from reverie.engine.retrieve import Retrieval

        return Retrieval(self._context)

    @cached_property
    def consolidation(self) -> Consolidation:
        """Return the collaborator that consolidates memories (dreams)."""
        from reverie.engine.consolidate import Consolidation

        return Consolidation(self._context)

    @cached_property
    def maintenance(self) -> Maintenance:
        """Return the collaborator that checks, copies and maintains the store."""
        from reverie.engine.maintain import Maintenance

        return Maintenance(self._context)

    @cached_property
    def transfer(self) -> Transfer:
        """Return the collaborator that exports and imports memories."""
        from reverie.engine.transfer import Transfer

        return Transfer(self._context, self.ingestion)
