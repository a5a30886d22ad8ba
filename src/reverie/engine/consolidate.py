"""Consolidation of a scope: the dream, its undo, and those of its steps that can be run alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from reverie.engine.context import Context
from reverie.engine.requests import require_flag, require_progress, require_scope
from reverie.errors import InvalidInput
from reverie.ops.log import OpsEntry
from reverie.types import KIND_CODES, RETENTION, STATE_CODES, Memory, Scope, State

if TYPE_CHECKING:
    from reverie.consolidate.history import Compacted, DreamReport
    from reverie.consolidate.settings import DreamSettings, Hot
    from reverie.engine.dreams import DreamContext, Progress
    from reverie.engine.undo import UndoReport
    from reverie.ports import Store


class Consolidation:
    """Collaborator for dreams (consolidation): runs and undoes them, or runs single steps as decay and compaction."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def dream(self, scope: Scope, *, dry_run: bool = False, progress: Progress | None = None) -> DreamReport:
        """Consolidate a scope once, by the recipe's steps, in small batches; others can recall meanwhile."""
        require_flag("dry_run", dry_run)
        require_progress(progress)
        report = self._dream(scope, self._context.recipe.dream, "dream", dry_run=dry_run, progress=progress)
        return self._retained(report, scope)

    def _retained(self, report: DreamReport, scope: Scope) -> DreamReport:
        """Erase what the scope's retention rules name, after the dream, and add that to its report."""
        if not self._context.store.records(RETENTION, scope=scope):
            return report
        from reverie.engine.retention import retain

        return replace(report, steps=(*report.steps, retain(self._context, scope, dry_run=report.dry_run)))

    def decay(self, scope: Scope, *, dry_run: bool = False) -> DreamReport:
        """Run only the dream's steps that let memories fade and become dormant, at once and in any period.

        Raises:
            InvalidInput: the recipe has no such step.
        """
        if not self._fading().order:
            raise InvalidInput(
                f"In the recipe {self._context.recipe.name} nothing fades.",
                "It does in v9 and ocean, and in openclaw where its decay is on; `dream` runs what a recipe has.",
            )
        return self._dream(scope, self._fading(), "decay", dry_run=dry_run)

    def decay_at_open(self, scope: Scope) -> DreamReport:
        """Run ``decay`` when a store is opened: writes no event if nothing changes; no error without such a step."""
        return self._dream(scope, self._fading(), "decay", quiet=True)

    def compact(self, scope: Scope) -> Compacted:
        """Run only the dream's deduplication steps, then shrink the store's file and index."""
        from reverie.consolidate.history import Compacted

        report = self._dream(scope, self._only("redundancy", "deduplication"), "compact")
        with self._context.locks.whole:
            return Compacted(report, self._context.store.compact())

    def undo(self, scope: Scope, *, cycle: str | None = None) -> UndoReport:
        """Undo the newest dream that changed something and is not undone, or the dream ``cycle``, as a whole.

        Raises:
            NotFound: there is no such dream.
            Conflict: it was undone already, changed what has since been erased, or a dream is running.
        """
        from reverie.engine.undo import undo

        require_scope(scope)
        with self._context.line("undo", scope, cycle or "") as line, self._context.store.alone(scope):
            report = undo(
                self._context.store, scope, self._context.clock, self._context.ids, self._context.locks.of(scope), cycle
            )
            line.did(f"dream {report.cycle} taken back", report.changed + report.unmade + report.unrelated)
        self._context.embed_again(scope, report.reworded)
        return report

    def hot(self, scope: Scope) -> list[Memory]:
        """Return the hot tier: the scope's most useful memories, best first. The recipe says if recalls inject it.

        Only memories that are accessed often, or of a kind that may join regardless, are considered. The result is
        cached for five minutes, or until anything is written.
        """
        from reverie.consolidate.settings import StepName

        settings = self._context.recipe.dream
        law = settings.hot if StepName.HOT in settings.order else None
        now = self._context.clock.now()
        with self._context.locks.of(scope):
            if law is None:
                return []
            head = self._context.store.head(require_scope(scope))[0]
            names = self._context.hot_now.get(scope, head, now, lambda: hot_now(self._context.store, scope, law, now))
            found = {memory.id: memory for memory in self._context.store.named(scope, list(names))}
            return [found[name] for name in names if name in found and found[name].holds_at(now)]

    def has_slept(self, scope: Scope, hours: float) -> bool:
        """Whether a dream, or one of its steps, began in the last ``hours``; one undone since counts too."""
        from reverie.consolidate.history import cycles

        now = self._context.clock.now()
        with self._context.locks.of(scope):
            return any(now - timedelta(hours=hours) < cycle.at <= now for cycle in cycles(self._context.store, scope))

    def _fading(self) -> DreamSettings:
        return self._only("tier decay", "falling asleep", "decay sweep")

    def _only(self, *names: str) -> DreamSettings:
        """Return the recipe's dream settings with these steps only, and each run as a period of its own."""
        settings = self._context.recipe.dream
        return replace(settings, period_hours=None, order=tuple(name for name in settings.order if name in names))

    def _dream(
        self,
        scope: Scope,
        settings: DreamSettings,
        op: str,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
        quiet: bool = False,
    ) -> DreamReport:
        from reverie.engine.dreams import dream

        started = perf_counter()
        with self._context.parts.telemetry.span("dream") as span:
            means = replace(self._means(scope), quiet=quiet)
            means = means if progress is None else replace(means, progress=progress)
            report = dream(means, require_scope(scope), settings, dry_run=dry_run)
            self._context.embed_later()
            span.set("changed", report.changed)
        took = (perf_counter() - started) * 1000.0
        self._context.measured("dream", took, changed=report.changed)
        for step in report.steps:
            counts = f"{step.changed} changed, {step.formed} formed, {step.related} linked, {step.left} left"
            self._context.logged(
                OpsEntry(
                    f"{op}: {step.name}",
                    input=str(scope),
                    output=counts,
                    latency_ms=step.took_ms,
                    result_count=step.done,
                    scope=scope,
                )
            )
        lines = report.lines()
        self._context.logged(
            OpsEntry(
                op,
                input=lines[0],
                output="; ".join(lines[1:]),
                latency_ms=took,
                result_count=report.changed,
                scope=scope,
            )
        )
        return report

    def _means(self, scope: Scope) -> DreamContext:
        from reverie.engine.dreams import DreamContext

        parts = self._context.parts
        means = DreamContext(
            self._context.store,
            self._context.clock,
            self._context.ids,
            self._context.locks.of(scope),
            self._context.embedder,
            parts.mind,
            self._context.guests,
        )
        return replace(means, unembedded=self._context.unembedded)


def hot_now(store: Store, scope: Scope, law: Hot, now: datetime) -> tuple[str, ...]:
    """Compute the hot tier's ids, most useful first, from only those memories that can be in it."""
    from reverie.consolidate.snapshot import Columns
    from reverie.consolidate.tiers import hottest

    memories = {memory.id: memory for memory in store.often(scope, int(law.edges.accesses))}
    if law.standing:
        corpus = store.corpus(scope, None)
        kinds = [KIND_CODES[kind] for kind in law.standing]
        standing = np.isin(corpus.kinds, kinds) & (corpus.states == STATE_CODES[State.ACTIVE])
        memories |= {memory.id: memory for memory in corpus.fetch(np.flatnonzero(standing).tolist())}
    ordered = sorted(memories.values(), key=lambda memory: (memory.recorded_at, memory.id))
    return tuple(ordered[row].id for row in hottest(Columns.of(ordered, now, now), law))
