"""Output of the vault's commands and scripts: results as lines, a table or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.faces.cli.screen import Column, PlainScreen

if TYPE_CHECKING:
    from reverie.vault.contents import FileFault
    from reverie.vault.maintenance import Report
    from reverie.vault.search import VaultHit, VaultHits

COLUMNS = (
    Column("score", number=True),
    Column("importance", number=True),
    Column("fresh", number=True),
    Column("name", style="green"),
    Column("says", wraps=True),
)


def found(screen: PlainScreen, found: VaultHits) -> None:
    """Show the results of a search, and the files it could not read."""
    if screen.as_json:
        shape = {"searched": found.searched, "hits": [_hit(hit) for hit in found.hits]}
        screen.json({**shape, "faults": faults(found.faults)})
        return
    for fault in found.faults:
        screen.note(f"left out: {fault.text()}")
    if found.hits:
        screen.table(COLUMNS, [_row(hit) for hit in found.hits])
    else:
        screen.line(f"nothing found in {found.searched} observations")


def report(screen: PlainScreen, report: Report, *, dry_run: bool) -> None:
    """Show what maintenance did or would do, and the files it left alone."""
    if screen.as_json:
        changes = [{"name": one.name, "what": one.what, "why": one.why} for one in report.changes]
        shape = {"dry_run": dry_run, "observations": report.observations, "changes": changes}
        screen.json({**shape, "faults": faults(report.faults), "loose": faults(report.loose)})
        return
    for change in report.changes:
        screen.line(f"{change.what}: {change.name} ({change.why})")
    made = "to make" if dry_run else "made"
    screen.line(f"changes {made}: {len(report.changes)} · observations: {report.observations}")
    for fault in report.faults:
        screen.note(f"left alone: {fault.text()}")
    loose(screen, report.loose)


def loose(screen: PlainScreen, backlinks: Sequence[FileFault]) -> None:
    """Show the backlinks that lead nowhere, or to more than one observation."""
    for fault in backlinks:
        screen.note(f"no reference: {fault.text()}")


def _name(hit: VaultHit) -> str:
    name = hit.observation.name
    return f"{name.agent}/{name.id}" if name.agent else f"shared: {name.id}"


def _row(hit: VaultHit) -> tuple[str, ...]:
    return f"{hit.score:.3f}", f"{hit.observation.importance:g}", f"{hit.freshness:.2f}", _name(hit), hit.snippet


def _hit(hit: VaultHit) -> dict[str, object]:
    one = hit.observation
    numbers = {"score": hit.score, "importance": one.importance, "freshness": hit.freshness}
    where = {"agent": one.name.agent or None, "file": str(one.path), "created": one.created.isoformat()}
    return {"name": _name(hit), **numbers, **where, "tags": list(one.tags), "text": one.body, "snippet": hit.snippet}


def faults(found: Sequence[FileFault]) -> list[dict[str, object]]:
    """Return files with line and reason, as JSON data."""
    return [{"file": str(one.path), "line": one.line, "reason": one.reason} for one in found]
