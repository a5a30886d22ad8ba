"""The commands ``import`` and ``export``, for conversations and whole memories."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, BinaryIO, TypedDict, Unpack

import click

from reverie.durable import create, draft_of, unwritable
from reverie.errors import Conflict, InvalidExport, InvalidInput, InvalidScope
from reverie.faces.cli import exits
from reverie.faces.cli.exits import place_for
from reverie.faces.cli.invocation import Command, Invocation, busy, pass_invocation, progress
from reverie.faces.cli.screen import Column, Screen, cut, is_terminal
from reverie.faces.cli.write import piped
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.engine.imports import Brought
    from reverie.engine.transfer import Moved
    from reverie.exchange import Skipped
    from reverie.types import Scope


KINDS = ("jsonl", "claude", "chatgpt", "mem0", "memory-server")
ALL_KINDS = (*KINDS, "basic-memory", "claude-mem", "mempalace", "openclaw", "document")
"""``reverie.exchange``'s kinds, repeated so that help does not load the readers; a test holds them equal."""

OBSERVING = 3.0
"""2026-11-29, ``python -m benchmarks importing``: how much longer an import takes that observes (decision 0101)."""
NAMED = 10
"""Most broken items that are shown; the others are counted, and listed by ``--json``."""


class _Flags(TypedDict):
    """The flags of the import command."""

    dry_run: bool
    observe: bool
    merge: bool
    here: bool
    own: bool


@click.command("import", cls=Command, short_help="Import a conversation, or another memory.")
@click.argument("places", metavar="[KIND] PATH", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--kind", type=click.Choice(ALL_KINDS), help="The file's format; detected by its content if left out.")
@click.option("--dry-run", is_flag=True, help="Say what would come in and what would not; write nothing.")
@click.option("--observe", is_flag=True, help="Also form memories from the messages; of known ones, if none were yet.")
@click.option("--merge", is_flag=True, help="Of a lossless export that went another way: bring over what is missing.")
@click.option("--here", is_flag=True, help="Of a lossless export of one scope: take it in as the scope in force.")
@click.option(
    "--into-its-own-scopes", "own", is_flag=True, help="Of a lossless export: take in scopes other than this."
)
@pass_invocation
def import_command(invocation: Invocation, places: tuple[str, ...], kind: str | None, **flags: Unpack[_Flags]) -> None:
    """Import a conversation, another memory system's data, or a lossless export of Reverie.

    PATH is a file, an archive or a folder: JSON lines; the data export of Claude or ChatGPT; mem0's memories as
    JSON or its history.db; the file of the reference MCP memory server; a folder of Markdown (basic-memory); the
    database of claude-mem; a palace of mempalace; what OpenClaw remembers, each agent's in its own scope (`reverie
    import openclaw` finds it by itself, and imports it into OpenClaw's plugin if that is installed). "-" reads standard
    input. Importing it again adds only what is new. Broken items are named and the rest is kept.

    Everything imported is screened. A lossless export with other scopes than the one in force is first only shown; it
    is imported with --into-its-own-scopes, or, if it has one scope, with --here.
    """
    from reverie.exchange.journal import is_journal

    place, kind = _named(places, kind)
    target = _for_the_plugin(invocation, dry_run=flags["dry_run"]) if kind == "openclaw" else invocation
    with readable(place) as path:
        if kind is None and is_journal(path):
            _import_journal(invocation, path, flags)
        elif flags["merge"] or flags["here"] or flags["own"]:
            own = "--merge, --here and --into-its-own-scopes are for those alone."
            raise InvalidInput(f"{place} is no lossless export.", own)
        else:
            _import_messages(target, path, kind, flags, create=target is not invocation)


def _import_journal(invocation: Invocation, path: Path, flags: _Flags) -> None:
    dry_run, merge, own = flags["dry_run"], flags["merge"], flags["own"]
    into = None if own else invocation.scope() if flags["here"] else _own_scope(invocation, path)
    with invocation.open() as memory:
        with progress(f"importing {path.name}") as step:
            moved = memory.transfer.import_journal(
                path, into=into, into_its_own_scopes=own, merge=merge, dry_run=dry_run, progress=step
            )
        if not dry_run:
            with progress("embedding", memory.admin.missing(quick=True)) as step:
                memory.admin.embed(step, quick=True)
    _show_moved(invocation.screen, moved, dry_run=dry_run)


def _own_scope(invocation: Invocation, path: Path) -> Scope | None:
    """Return the scope in force if a lossless export contains only that scope; else None."""
    from reverie.engine.replication import checked

    with suppress(InvalidScope):  # no scope is in force, so it cannot be the export's
        ours = invocation.scope()
        return ours if checked(path).scopes == (ours,) else None
    return None


def _import_messages(
    invocation: Invocation, path: Path, kind: str | None, flags: _Flags, *, create: bool = False
) -> None:
    dry_run, observe = flags["dry_run"], flags["observe"]
    began = perf_counter()
    parts = _parts(path, invocation.scope(), kind)
    with invocation.open(model=not dry_run, create=create) as memory:
        held = _held(memory, parts, flags)
        done = [(one, *bring_in(memory, one, part, kind, dry_run=dry_run, observe=observe)) for part, one in parts]
        more = _held(memory, parts, flags) - held
    took_s = perf_counter() - began
    if invocation.as_json:
        told = [_brought_shape(scope, brought, skipped, dry_run=dry_run) for scope, brought, skipped in done]
        invocation.screen.json(told[0] if len(told) == 1 else {"parts": told})
    else:
        for (part, _), (scope, brought, skipped) in zip(parts, done, strict=True):
            show_brought(invocation.screen, scope, brought, dry_run=dry_run)
            show_skipped(invocation.screen, placed(part, brought.conflicts, kind), skipped)
        _show_formed(invocation.screen, more - sum(brought.new for _, brought, _ in done), flags)
    _offer(invocation.screen, path, [brought.new for _, brought, _ in done], took_s, flags)
    _end(done)


def _end(done: Sequence[tuple[Scope, Brought, list[Skipped]]]) -> None:
    """Exit with the code of what was not kept, if anything was not."""
    if any(brought.conflicts for _, brought, _ in done):
        click.get_current_context().exit(exits.ERRORS[Conflict])
    if any(item.broken for _, _, skipped in done for item in skipped):
        click.get_current_context().exit(exits.PARTLY)


def _show_formed(screen: Screen, count: int, flags: _Flags) -> None:
    """Show how many memories an import formed, if it was to form any."""
    if flags["observe"] and not flags["dry_run"]:
        screen.line(f"formed {count} {'memory' if count == 1 else 'memories'} from these messages")


def _held(memory: Reverie, parts: Sequence[tuple[Path, Scope]], flags: _Flags) -> int:
    """Return how many memories the scopes of an import hold; 0 where it forms none, and nobody counts."""
    return sum(memory.admin.stats(scope).memories for scope in {one for _, one in parts}) if flags["observe"] else 0


def _offer(screen: Screen, path: Path, new: Sequence[int], took_s: float, flags: _Flags) -> None:
    """Offer to form memories from what was imported, with the time that it takes: some multiple of the import's."""
    count = sum(new)
    if count and not (flags["dry_run"] or flags["observe"] or screen.as_json) and path.name != "standard input":
        screen.line(offered(path, count, took_s))


def offered(path: Path, count: int, took_s: float) -> str:
    """Return the offer to form memories from ``count`` messages, whose import took ``took_s`` seconds."""
    seconds = max(1, round(took_s * OBSERVING))
    about = f"{seconds} s" if seconds < 100 else f"{round(seconds / 60)} minutes"
    command = f"reverie import --observe {shlex.quote(str(path))}"
    return f"to form memories from these {count} messages too: `{command}` (about {about})"


@contextmanager
def readable(file: Path) -> Iterator[Path]:
    """Yield the file; for "-" a temporary file with standard input, since the form is recognised by reading twice."""
    if str(file) != "-":
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="reverie-piped-") as folder:
        path = Path(folder) / "standard input"
        with path.open("wb") as out:
            while chunk := piped(1 << 20):
                out.write(chunk)
        yield path


def placed(path: Path, ids: Sequence[str], kind: str | None) -> list[str]:
    """Return each id with the place of its message in the file, if that can be found."""
    stand: dict[str, str] = {}
    if ids and (path.is_file() or path.is_dir()):  # a pipe is read once
        from reverie.exchange.reader import places

        with suppress(InvalidExport, InvalidInput):  # a database, or a truncated file, which was reported already
            stand = places(path, frozenset(ids), kind=kind)
    return [f"{one} ({stand[one]})" if one in stand else one for one in ids]


def _parts(path: Path, scope: Scope, kind: str | None) -> list[tuple[Path, Scope]]:
    """Return the parts to import, each with its scope."""
    from reverie.exchange import parts_of
    from reverie.stores.foreign import open_tables

    return [(part, replace(scope, agent=agent)) for part, agent in parts_of(path, open_tables, scope.agent, kind)]


def _named(places: Sequence[str], kind: str | None) -> tuple[Path, str | None]:
    """Return the path and the kind; the kind may precede the path, and OpenClaw's path is known.

    A word that is a kind counts as one before a path, as does `openclaw` alone; otherwise it is a path if one exists.
    """
    first = places[0]
    is_kind = first in ALL_KINDS and kind in (None, first)
    if is_kind and len(places) == 1 and first == "openclaw" and kind is None:
        state = os.environ.get("OPENCLAW_STATE_DIR", "")
        return (Path(state) if state else Path.home() / ".openclaw"), first
    if is_kind and (len(places) == 2 or not Path(first).exists()):
        places, kind = places[1:], first
    if len(places) != 1:
        raise InvalidInput(f"{len(places)} paths are named.", "Name one, with its kind before it if need be.")
    return Path(places[0]), kind


def _for_the_plugin(invocation: Invocation, *, dry_run: bool) -> Invocation:
    """Return an invocation for the OpenClaw plugin's store and scope, if installed and no other is named; else this
    one.
    """
    from reverie.faces.cli.timers import program
    from reverie.hosts.host import HostEnvironment
    from reverie.hosts.openclaw import kept

    parts = ("store", "agent", "user", "project")
    named = any(part in invocation.given or f"REVERIE_{part.upper()}" in os.environ for part in parts)
    own = None if named else kept(HostEnvironment(os.environ, Path.cwd(), "", program()))
    if own is None:
        return invocation
    place = Path(own.store)
    if not dry_run:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not invocation.as_json:
        invocation.screen.line(f"into the memory of OpenClaw's plugin: {place}")
    store = ":memory:" if dry_run and not place.exists() else own.store
    given = {"store": store, "agent": own.agent, "user": own.user, "project": own.project, "recipe": own.recipe}
    return Invocation({**given, **invocation.given}, invocation.as_json)


def bring_in(
    memory: Reverie,
    scope: Scope,
    path: Path,
    kind: str | None = None,
    *,
    dry_run: bool = False,
    observe: bool = False,
) -> tuple[Brought, list[Skipped]]:
    """Import a file with a progress bar; return the counts and the skipped items."""
    skipped: list[Skipped] = []
    counts = is_terminal(sys.stderr) and not path.is_fifo() and not dry_run
    total = count_messages(path, kind) if counts else None
    with progress(f"importing {path.name}", total) as step:
        brought = memory.transfer.import_from(
            path, scope, kind=kind, dry_run=dry_run, observe=observe, report=skipped.append, progress=step
        )
    return brought, skipped


def count_messages(path: Path, kind: str | None) -> int:
    """Count the messages for the progress bar; reading them is quick compared with embedding them."""
    from reverie.exchange import bring
    from reverie.stores.foreign import open_tables
    from reverie.types import Message

    with busy(f"reading {path.name}"):
        return sum(isinstance(item, Message) for item in bring(path, open_tables, kind=kind))


def _brought_shape(scope: Scope, brought: Brought, skipped: Sequence[Skipped], *, dry_run: bool) -> dict[str, object]:
    first = [{"text": one.text, "speaker": one.speaker, "session": one.session} for one in brought.first]
    foreseen = {"dry_run": True, "first": first} if dry_run else {}
    return {"scope": scope, **shape(brought), **foreseen, **skipped_shape(skipped)}


def show_brought(screen: Screen, scope: Scope, brought: Brought, *, dry_run: bool = False) -> None:
    """Show the counts of an import: what is new, held back and masked."""
    verb = "would import" if dry_run else "imported"
    screen.line(f"{verb} {brought.new} new messages, {brought.known} known already")
    if brought.linked or brought.ended:
        screen.line(f"{brought.linked} links between them, {brought.ended} of them no longer so")
    if brought.held:
        are = "would be" if dry_run else "are"
        screen.line(
            f"{brought.held} of them {are} held back, since they give orders to a model: `reverie memory quarantined`"
        )
    if brought.masked:
        screen.line(f"in {brought.masked} of them secrets {'would be' if dry_run else 'were'} masked")
    screen.line(f"scope: {scope}")
    for one in brought.first:
        screen.line(f"  {one.session} · {one.speaker}: {cut(one.text)}")


def _show_moved(screen: Screen, moved: Moved, *, dry_run: bool) -> None:
    if screen.as_json:
        counts = shape(moved)
        scopes, actions = counts.pop("scopes"), counts.pop("actions")
        screen.json({"scopes": scopes, "dry_run": dry_run, **counts, "actions": actions})
        return
    verb = "would import" if dry_run else "imported"
    said = {
        f"{verb} {moved.new} new events, {moved.known} known already": True,
        **{f"scope: {scope}": True for scope in moved.scopes},
        f"merged {moved.merged} memories; {moved.erased} were erased here and stay so": moved.merged or moved.erased,
        f"{moved.tombstones} tombstones were left out: what they stood for is gone": moved.tombstones,
        f"{moved.held} memories give orders to a model and are held back: `reverie memory quarantined`": moved.held,
        f"in {moved.masked} memories secrets were masked": moved.masked,
        f"{moved.unshared} grants ended, because only a scope itself shares its memories": moved.unshared,
        "the journal is the file's, hash by hash": moved.identical,
    }
    for line in (line for line, holds in said.items() if holds):
        screen.line(line)
    if dry_run:
        screen.table([Column("events", number=True), Column("kind")], [(str(n), kind) for kind, n in moved.actions])


def skipped_shape(skipped: Sequence[Skipped]) -> dict[str, object]:
    """Return skipped items counted by reason; broken ones, and those read in a way worth telling, by place; as JSON."""
    told = [(item, {"where": item.where, "reason": item.reason, "detail": item.detail}) for item in skipped]
    kept = [shown for item, shown in told if item.kept and not item.broken]
    left = Counter(item.reason for item in skipped if not item.kept)
    return {"skipped": dict(left), "broken": [shown for item, shown in told if item.broken], "noted": kept}


def show_skipped(screen: Screen, conflicts: Sequence[str], skipped: Sequence[Skipped]) -> None:
    """Show what of a conversation was not kept, and why."""
    reasons = Counter(item.reason for item in skipped if not item.kept)
    if conflicts:
        named = ", ".join(conflicts[:NAMED])
        what = "known with other words, speaker or session"
        screen.note(f"{len(conflicts)} messages are {what} and were not kept: {named}")
    if reasons:
        screen.table([Column("left out", number=True), Column("because", wraps=True)], _counted(reasons))
    name_broken(screen, skipped)


def name_broken(screen: Screen, skipped: Sequence[Skipped]) -> None:
    """Show the first items that are broken, or read in a way worth telling, each with its place."""
    broken = [item for item in skipped if item.broken or item.kept]
    for item in broken[:NAMED]:
        screen.note(f"{item.where}: {item.reason}: {item.detail}")
    if len(broken) > NAMED:
        screen.note(f"… and {len(broken) - NAMED} more; --json lists them all")


def _counted(reasons: Counter[str]) -> list[tuple[str, str]]:
    return [(str(count), reason) for reason, count in reasons.most_common()]


@click.command("export", cls=Command, short_help="Write memories as JSON lines or Markdown.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@click.option("--lossless", is_flag=True, help="Everything: standings, links, history, down to the hashes.")
@click.option("--all-scopes", is_flag=True, help="Lossless, and of every scope in the store.")
@click.option("--markdown", is_flag=True, help="A folder of Markdown files, to be read.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@pass_invocation
def export_command(
    invocation: Invocation, file: Path, lossless: bool, all_scopes: bool, markdown: bool, force: bool
) -> None:
    """Write the scope's memories to FILE as JSON lines, forgotten ones too.

    Without FILE they go to standard output. `reverie import` reads the file back: the messages of a plain export,
    and everything of a lossless one. With --markdown, FILE is a new folder.
    """
    from reverie.engine.logs import note_copy

    scope = None if all_scopes else invocation.scope()
    if markdown:
        if lossless or scope is None or str(file) == "-":
            raise InvalidInput("Markdown is for reading.", "Name a folder, without --lossless and --all-scopes.")
        _export_markdown(invocation, file, scope)
        return
    whose = f"scope {scope}" if scope else "every scope"
    with invocation.open(model=False) as memory:
        if str(file) == "-":
            sys.stdout.flush()
            count, what = _write(memory, scope, sys.stdout.buffer, lossless=lossless)
            sys.stdout.buffer.flush()  # a full disk must fail before success is reported
            invocation.screen.note(f"exported {count} {what} of {whose}")
            return
        place = place_for(file, invocation.settings(), force=force)
        note_copy(invocation.settings().store, place)
        count, what = _write_file(memory, scope, place, lossless=lossless)
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "file": str(file), what: count})
    else:
        invocation.screen.line(f"exported {count} {what} of {whose} to {file}")


def _write(memory: Reverie, scope: Scope | None, out: BinaryIO, *, lossless: bool) -> tuple[int, str]:
    """Write the export; return the count and what was counted."""
    if lossless or scope is None:
        return memory.transfer.export_journal(out, scope).events, "events"
    return memory.transfer.export_memories(out, scope), "memories"


def _write_file(memory: Reverie, scope: Scope | None, file: Path, *, lossless: bool) -> tuple[int, str]:
    # Written to a draft and then moved, so that a full disk does not cost the earlier export.
    draft = draft_of(file)
    try:
        with create(draft, like=file) as out:
            done = _write(memory, scope, out, lossless=lossless)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    except OSError as error:
        raise unwritable(error, file) from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return done


def _export_markdown(invocation: Invocation, folder: Path, scope: Scope) -> None:
    with invocation.open(model=False) as memory:
        written = memory.transfer.export_markdown(folder, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "folder": str(folder), **shape(written)})
    else:
        screen.line(f"exported {written.sessions} sessions and {written.formed} formed memories to {folder}")
        screen.line(f"scope: {scope}")
