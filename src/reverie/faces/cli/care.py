"""Maintenance commands: ``stats``, ``embed``, ``backup``, ``verify``, ``replay``, ``audit``, ``log`` and ``doctor``."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import replace, unreadable, unwritable
from reverie.errors import InvalidInput, ModelError, NotFound, ReverieError, StoreCorrupt
from reverie.faces.cli import exits
from reverie.faces.cli.connect import examine_hosts, mend_hosts
from reverie.faces.cli.exits import place_for
from reverie.faces.cli.invocation import TIME, Command, CommandGroup, Invocation, busy, pass_invocation, progress
from reverie.faces.cli.look import census
from reverie.faces.cli.screen import Column, Screen, cut
from reverie.faces.cli.tend import all_scopes
from reverie.wire.logs import log_path, older_logs
from reverie.wire.shapes import shape, touched
from reverie.wire.trust import brought

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from reverie.answers import Anchor, Fault, Repaired, Stats
    from reverie.engine.core import Reverie
    from reverie.events import Event
    from reverie.ops.log import LoggedLine
    from reverie.types import Scope


_ANCHOR_MAX = 1 << 16
"""Most bytes read of an anchor file; an anchor has a few thousand."""


@click.group(
    "stats",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Count a scope's memories.",
    lazy={"health": "look.health_command", "plot": "look.plot_command"},
)
@click.option("--all", "every", is_flag=True, help="Every scope of the store, not only the one in force.")
@pass_invocation
def stats_command(invocation: Invocation, every: bool) -> None:
    """Count what a scope holds: what was said, and the states of the memories formed from it."""
    with invocation.open(model=False) as memory:
        scopes = memory.admin.scopes() if every else [invocation.scope()]
        counts = [(memory.admin.stats(scope), census(memory, scope)) for scope in scopes]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scopes": [{**shape(count), **shape(life)} for count, life in counts]})
        return
    for count, life in counts:
        screen.line(f"scope: {count.scope}")
        screen.table([Column("what", style="bold"), Column("value", number=True)], [*_rows(count), *life.rows()])


def _rows(count: Stats) -> list[tuple[str, str]]:
    return [
        ("memories", str(count.memories)),
        ("current", str(count.current)),
        ("sessions", str(count.sessions)),
        ("speakers", str(count.speakers)),
        ("accesses", str(count.accesses)),
        ("embedded", str(count.embedded)),
        ("first", f"{count.first_at:%Y-%m-%d %H:%M}" if count.first_at else ""),
        ("last", f"{count.last_at:%Y-%m-%d %H:%M}" if count.last_at else ""),
        ("events", str(count.events)),
        ("bytes on disk", str(count.disk_bytes)),
    ]


@click.group(
    "store",
    cls=CommandGroup,
    short_help="Back up, check, rebuild or encrypt the store.",
    lazy={
        "backup": "care.backup_command",
        "embed": "care.embed_command",
        "migrate": "database.migrate_command",
        "rebalance": "database.rebalance_command",
        "verify": "care.verify_command",
        "replay": "care.replay_command",
        "encrypt": "encryption.encrypt_command",
        "decrypt": "encryption.decrypt_command",
        "shred": "encryption.shred_command",
        "rotate": "encryption.rotate_command",
    },
)
def store_command() -> None:
    """Back up, check, rebuild or encrypt the store's file, all scopes of it."""


@click.command("embed", cls=Command, short_help="Embed what has no vector yet.")
@pass_invocation
def embed_command(invocation: Invocation) -> None:
    """Embed what has no vector of the current model, for example after a change of model or an endpoint's outage.

    It can be interrupted and goes on where it stopped; meanwhile recall goes by text.
    """
    with invocation.open() as memory:
        with progress("embedding", memory.admin.missing()) as step:
            embedded = memory.admin.embed(step)
        model = memory.admin.model
    screen = invocation.screen
    if screen.as_json:
        screen.json({"embedded": embedded, "model": model})
    else:
        screen.line(f"embedded {embedded} memories with {model}")


@click.command("backup", cls=Command, short_help="Copy the store while it is in use.")
@click.argument("file", type=click.Path(path_type=Path))
@pass_invocation
def backup_command(invocation: Invocation, file: Path) -> None:
    """Copy the whole store, every scope of it, to a new FILE while others read and write."""
    with invocation.open(model=False) as memory, busy("copying"):
        memory.admin.backup(file)
    size = file.stat().st_size
    screen = invocation.screen
    if screen.as_json:
        screen.json({"file": str(file), "bytes": size})
    else:
        screen.line(f"backed up to {file} ({size} bytes)")


@click.group(
    "audit",
    cls=CommandGroup,
    short_help="Show, export and prove what was done.",
    lazy={
        "log": "care.log_command",
        "anchor": "care.anchor_command",
        "seal": "care.seal_command",
        "export": "care.export_command",
        "subject": "tend.subject_command",
        "policy": "governing.policy_command",
        "retention": "governing.retention_command",
        "requests": "team.requests_command",
    },
)
def audit_command() -> None:
    """Show what was done, prove what the journal held, find what is kept about a person, and set who may do what."""


@click.command("anchor", cls=Command, short_help="Write an anchor: each journal's last hash.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over an anchor that is there.")
@pass_invocation
def anchor_command(invocation: Invocation, file: Path, force: bool) -> None:
    """Write the end of each scope's journal to FILE: its last event's number and hash, and the time.

    Keep FILE where whoever can write to the store cannot change it. `reverie store verify --anchor FILE` then finds
    whether the journal was cut, rolled back or rewritten since. FILE holds no content, and stays valid when something
    is erased.
    """
    place = place_for(file, invocation.settings(), force=force)
    with invocation.open(model=False) as memory:
        anchor = memory.admin.anchor()
    _put(place, json.dumps(shape(anchor), indent=1) + "\n", file)
    if invocation.screen.as_json:
        invocation.screen.json({"file": str(file), "events": anchor.events, "scopes": len(anchor.scopes)})
    else:
        invocation.screen.line(f"anchored {anchor.events} events of {len(anchor.scopes)} scopes in {file}")


@click.command("seal", cls=Command, short_help="Seal all journals in the store.")
@click.option("--anew", is_flag=True, help="Begin anew with the journals as they are, as after a restore.")
@pass_invocation
def seal_command(invocation: Invocation, anew: bool) -> None:
    """Chain the ends of all journals to the seal before, in the store; nothing is written if no journal changed.

    `reverie store verify` then reports a scope that vanished, and a journal that is shorter or another than it was.
    `reverie serve` seals after its nightly dreams. Whoever can write to the store can remove its seals: note the hash
    elsewhere, or keep an anchor.
    """
    with invocation.open(model=False) as memory:
        seal = memory.admin.seal(anew=anew)
    if invocation.screen.as_json:
        invocation.screen.json(shape(seal))
    else:
        invocation.screen.line(f"seal {seal.number} over {seal.events} events of {seal.scopes} scopes: {seal.hash}")


@click.command("export", cls=Command, short_help="Export the journal's events without texts.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--since", type=TIME, metavar="TIME", help="From then on.")
@click.option("--until", type=TIME, metavar="TIME", help="Before then.")
@click.option("--all-scopes", "every", is_flag=True, help="Every scope of the store, for its owner.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@pass_invocation
def export_command(
    invocation: Invocation, file: Path, since: datetime | None, until: datetime | None, *, every: bool, force: bool
) -> None:
    """Write the journal's events to FILE as JSON lines: number, time, scope, actor, action, ids of memories, hash.

    No text of a memory is in it, and no reason that somebody wrote. The hashes are those of the journal's chain, so
    that `reverie store verify` can be held against it.
    """
    place = place_for(file, invocation.settings(), force=force)
    lines: list[str] = []
    with invocation.open(model=False) as memory, busy("exporting"):
        for scope in all_scopes(invocation, memory) if every else [invocation.scope()]:
            events = (one for one in memory.admin.events(scope) if _is_within(one.at, since, until))
            lines += [json.dumps(_audited(one)) for one in events]
    _put(place, "".join(f"{line}\n" for line in lines), file)
    if invocation.screen.as_json:
        invocation.screen.json({"file": str(file), "events": len(lines)})
    else:
        invocation.screen.line(f"exported {len(lines)} events to {file}")


def _put(place: Path, text: str, file: Path) -> None:
    """Write ASCII text as a whole file; an error names ``file``, as the user wrote it."""
    try:
        replace(place, text.encode("ascii"))
    except OSError as error:
        raise unwritable(error, file) from None


def _is_within(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or since <= at) and (until is None or at < until)


def _audited(event: Event) -> dict[str, object]:
    """An event without a word of anybody's."""
    from reverie.events import is_wordless

    return {
        "seq": event.seq,
        "at": event.at.isoformat(),
        "scope": shape(event.scope),
        "actor": event.actor,
        "action": str(event.action),
        "memories": list(touched(event.payload)),
        "why": event.why if is_wordless(event.why) else "",
        "erased": event.payload is None,
        "hash": event.hash,
    }


def _anchor_in(file: Path) -> Anchor:
    """Read an anchor from a file. Raises InvalidInput, StoreError."""
    from reverie.answers import Anchor
    from reverie.wire.values import value

    try:
        with file.open("rb") as stream:
            shape = json.loads(stream.read(_ANCHOR_MAX))
    except OSError as error:
        raise unreadable(error, file) from None
    except ValueError as error:
        raise _no_anchor(file, error) from None
    if isinstance(shape, dict) and "store" in shape:
        raise InvalidInput(
            f"{file} is an anchor of a journal over all scopes; each scope has one of its own now.",
            "Take a new one: `reverie audit anchor`.",
        )
    try:
        return value(shape, Anchor)
    except ValueError as error:
        raise _no_anchor(file, error) from None


def _no_anchor(file: Path, error: ValueError) -> InvalidInput:
    return InvalidInput(f"{file} is no anchor ({error}).", "Give a file that `reverie audit anchor` wrote.")


@click.command("verify", cls=Command, short_help="Check the store for damage.")
@click.option("--anchor", "file", type=click.Path(path_type=Path), help="Also compare with what `audit anchor` wrote.")
@pass_invocation
def verify_command(invocation: Invocation, file: Path | None) -> None:
    """Check the store: the file, the search index, the journal's chain, and what derives from it."""
    anchor = None if file is None else _anchor_in(file)
    with invocation.open(model=False) as memory, busy("checking"):
        faults = memory.admin.verify(anchor)
        digest = _digest(memory)
    show_faults(invocation.screen, faults, {"digest": digest}, f"no fault; digest {digest}")


@click.command("replay", cls=Command, short_help="Rebuild the store from its journal.")
@click.argument("file", type=click.Path(path_type=Path))
@pass_invocation
def replay_command(invocation: Invocation, file: Path) -> None:
    """Rebuild the store in a new FILE from the journal alone, and compare the two.

    Vectors are not in the journal: run `reverie store embed --store FILE` to compute them again.
    """
    from reverie.answers import Fault

    with invocation.open(model=False) as memory:
        expected = _digest(memory)
        with progress("replaying", memory.admin.head()) as step:
            digest = memory.admin.replay(file, step)
    faults = []
    if digest != expected:
        what = f"{file} has digest {digest}, the store {expected}"
        mend = (
            f"Run `reverie store verify`: where it names faults, {file} is the store as the journal has it, to use "
            "instead. Where it names none, somebody wrote meanwhile: replay once more into another file."
        )
        faults.append(Fault("replay-differs", what, mend))
    show_faults(invocation.screen, faults, {"digest": digest, "file": str(file)}, f"rebuilt in {file}; digest {digest}")


def _digest(memory: Reverie) -> str:
    """Return the store's digest, or why it has none: damaged tables must not prevent the replay that mends them."""
    try:
        return memory.admin.digest()
    except StoreCorrupt as error:
        return f"none: {error.message}"


def show_faults(screen: Screen, faults: Sequence[Fault], more: dict[str, object], fine: str) -> None:
    """Show each fault with its remedy and exit with the code for faults; show ``fine`` if there are none."""
    if screen.as_json:
        screen.json({"faults": faults, **more})
    elif faults:
        columns = [Column("fault", style="bold red"), Column("what", wraps=True), Column("mend", wraps=True)]
        screen.table(columns, [(fault.name, fault.what, fault.mend) for fault in faults])
    else:
        screen.line(fine)
    if faults:
        click.get_current_context().exit(exits.FAULTS)


_RESTORE = "Restore the last backup."


@click.command("doctor", cls=Command, short_help="Find faults and say how to mend them.")
@click.option(
    "--repair", is_flag=True, help="Rebuild what derives from the journal, after a copy of the store was made."
)
@click.option("--backup", type=click.Path(path_type=Path), metavar="FILE", help="Where --repair puts that copy.")
@click.option("--replay", is_flag=True, help="Compare a large store with its journal, too; a small one always is.")
@click.option("--fix", is_flag=True, help="Mend what hosts' settings lack: show each change, ask, and write it.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask; needed where nobody can be asked.")
@pass_invocation
def doctor_command(
    invocation: Invocation, repair: bool, backup: Path | None, *, replay: bool, fix: bool, yes: bool
) -> None:
    """Look for faults in the settings, the scope, the models, the store, the log and the hosts, and say how to mend
    each.

    Hosts are the coding agents and editors that `reverie install` gave this memory: whether their files and the program
    they call are there, whether somebody took out or replaced what was put in, and which version they call. With --fix
    they are installed again; one that is gone from this machine is taken back.

    A store of more than 5,000 events is compared with its journal only with --replay: it takes some seconds for every
    ten thousand. Without it doctor says what it did not look at.

    With --repair the store's tables, search index, counters and missing vectors are made anew from its journal. The
    journal is never changed; if it is broken, nothing is. The copy lies beside the store, named after the time.
    """
    if backup is not None and not repair:
        raise click.UsageError("--backup belongs to --repair.")
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix.")
    if repair:
        _show_repaired(invocation.screen, _repaired(invocation, backup))
        return
    with busy("examining"):
        faults, checked, left = examine(invocation, replay=replay)
        hosts = examine_hosts(invocation)
    fixed = mend_hosts(invocation, hosts, yes=yes) if fix else []
    if fixed:
        hosts = examine_hosts(invocation)
    faults += [fault for fault, _ in hosts]
    more: dict[str, object] = {"checked": [*checked, "hosts"], "left_out": left, **({"fixed": fixed} if fix else {})}
    mended = f"mended: {', '.join(fixed)}; " if fixed else ""
    _note_left_out(invocation, left)
    show_faults(invocation.screen, faults, more, f"{mended}no fault; looked at {', '.join([*checked, 'hosts'])}")


def _note_left_out(invocation: Invocation, left: Sequence[str]) -> None:
    if left and not invocation.as_json:
        invocation.screen.note(f"not looked at: {', '.join(left)}; `reverie doctor --replay` does")


def _repaired(invocation: Invocation, backup: Path | None) -> Repaired:
    """Repair the store in force, with its model if that can be loaded."""
    if (empty := _empty(invocation.settings().store)) is not None:
        raise StoreCorrupt(empty.what, empty.mend)
    try:
        opened = invocation.open()
    except ModelError:
        opened = invocation.open(model=False)
    with opened as memory, progress("repairing", memory.admin.head()) as step:
        return memory.admin.repair(backup, step)


def _show_repaired(screen: Screen, done: Repaired) -> None:
    more: dict[str, object] = {
        "backup": done.backup or None,
        "rebuilt": done.rebuilt,
        "vectors_kept": done.kept,
        "vectors_made": done.embedded,
        "digest": done.digest,
    }
    if not screen.as_json:
        if done.backup:
            screen.line(f"copied the store as it was to {done.backup}")
            screen.line(f"rebuilt from the journal: {', '.join(done.rebuilt)}")
        else:
            screen.line("nothing to rebuild: all is as the journal has it")
        screen.line(f"vectors: {done.kept} kept, {done.embedded} made")
    show_faults(screen, done.faults, more, f"no fault; digest {done.digest}, that of a replay of the journal")


def examine(invocation: Invocation, *, replay: bool = False) -> tuple[list[Fault], list[str], list[str]]:
    """Return every fault, the names of what could be checked, and what was left out since the store is large."""
    try:
        invocation.settings()
    except ReverieError as error:
        return [as_fault(error)], ["settings"], []
    faults: list[Fault] = []
    try:
        invocation.scope()
    except ReverieError as error:
        faults.append(as_fault(error))
    checked = ["settings", "scope", "model", "store", "ops log"]
    try:
        found, left = _store_faults(invocation, model=True, replay=replay)
    except ModelError as error:
        faults.append(as_fault(error))
        found, left = _store_faults(invocation, model=False, replay=replay)
    return [*faults, *found], checked, left


def _store_faults(invocation: Invocation, *, model: bool, replay: bool) -> tuple[list[Fault], list[str]]:
    """Return the faults the engine finds in the store, and what was left out; one that cannot be opened is a fault."""
    from reverie.engine.maintain import REPLAYED_MAX

    if (empty := _empty(invocation.settings().store)) is not None:
        return [empty], []
    try:
        with invocation.open(model=model, reads=model) as memory:
            faults = memory.admin.doctor(None if replay else REPLAYED_MAX)
            events = 0 if replay else _events(memory)
            return [*faults, *_log_faults(invocation)], _left_out(events) if events > REPLAYED_MAX else []
    except ModelError:
        raise
    except ReverieError as error:
        return [as_fault(error)], []


def _events(memory: Reverie) -> int:
    """Return how many events the store has; 0 if that cannot be read, since then all was looked at."""
    try:
        return memory.admin.head()
    except StoreCorrupt:
        return 0


def _left_out(events: int) -> list[str]:
    return [f"the chain of the {events} events", "whether memories and search index are as these say", "dreams' losses"]


def _empty(store: str) -> Fault | None:
    """Return the fault of an empty file in the store's place: opened, it would pass for a new store."""
    from reverie.answers import Fault
    from reverie.engine.logs import STORE_FILE

    path = Path(store)
    try:
        file = path / STORE_FILE if path.is_dir() else path
        if not file.is_file() or file.stat().st_size:
            return None
    except OSError:  # opening it will say why
        return None
    what = f"{file} is empty: there is no store in it. A copy that was broken off leaves such a file, or a full disk."
    mend = "Restore the last backup. If nothing was ever kept here, delete the file and run `reverie init`."
    return Fault("store-empty", what, mend)


def _log_faults(invocation: Invocation) -> list[Fault]:
    """Return a fault if the ops log cannot be written, which is not reported where it happens."""
    from reverie.answers import Fault
    from reverie.ops.log import OpsEntry

    log = invocation.log
    if log is None:
        return []
    log.write(OpsEntry("doctor"))
    log.flush()
    if not log.counts.dropped:
        return []
    what = f"The ops log dropped {log.counts.dropped} of this command's lines."
    mend = f"Check that {log_path(invocation.settings())} can be written, or set ops.log to another file or to none."
    return [Fault("ops-log-dropped", what, mend)]


def as_fault(error: ReverieError) -> Fault:
    """Convert an error to a fault: StoreTooNew becomes store-too-new; its remedy is never to run ``doctor`` again."""
    from reverie.answers import Fault

    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    mend = _RESTORE if isinstance(error, StoreCorrupt) and "`reverie doctor`" in error.mend else error.mend
    return Fault(name, error.message, mend)


TAIL = 20
_HEAD = 120


@click.command("log", cls=Command, short_help="Show the latest operations.")
@click.option("--op", metavar="NAME", help="Only this operation: remember, recall, dream, merge, route …")
@click.option("--failed", is_flag=True, help="Only what failed, or what the heuristic did instead of a model.")
@click.option("--tail", type=click.IntRange(1), metavar="N", default=TAIL, show_default=True, help="The last N.")
@click.option("--all-scopes", is_flag=True, help="Of every scope, and the texts of lines that name none.")
@pass_invocation
def log_command(invocation: Invocation, op: str | None, failed: bool, tail: int, all_scopes: bool) -> None:
    """Show the end of the ops log: what was done, by whom, how long it took, and what a language model cost.

    It names who copied, restored, encrypted, moved, imported, exported, shared or erased, and how many memories or
    events. Messages that `remember` only keeps are not in it: they are in the journal, see `reverie audit export`.

    Only the scope in force is shown. Operations without a scope (a language model's calls, a backup) are shown without
    texts. Older log files are read too, the oldest first.
    """
    scope = None if all_scopes else invocation.scope()
    settings = invocation.settings()
    path = log_path(settings)
    if path is None:
        raise NotFound("Nothing is logged here: ops.log is none, or there is no HOME.", "Set ops.log, or leave it out.")
    try:
        older = () if brought(invocation.loaded()) else older_logs(settings)
        found = deque(_wanted([*older, path], op, scope, failed=failed), maxlen=tail)
    except OSError as error:
        raise unreadable(error, path) from None
    screen = invocation.screen
    if screen.as_json:
        screen.json({"file": str(path), "lines": [dict(line.fields) for line in found]})
        return
    if not found:
        screen.line(f"nothing of that in {path}")
        return
    columns = [
        Column("when (UTC)", style="green"),
        Column("operation", style="bold"),
        Column("who", style="cyan", under=True),
        Column("ms", number=True),
        Column("tokens", number=True),
        Column("count", number=True),
        Column("what", wraps=True),
        Column("outcome", style="magenta", under=True),
    ]
    screen.table(columns, [_row(line) for line in found])


def _wanted(paths: Sequence[Path], op: str | None, scope: Scope | None, *, failed: bool) -> Iterator[LoggedLine]:
    """Yield the lines asked for; with a scope its own lines, and those without a scope but without their texts."""
    from reverie.ops.log import read_log

    for line in (line for path in paths for line in read_log(path)):
        is_sound = line.success and not line.fallback
        if (op is None or line.op == op) and not (failed and is_sound):
            if scope is None or line.scope == scope:
                yield line
            elif line.scope is None:
                yield _without_texts(line)


def _without_texts(line: LoggedLine) -> LoggedLine:
    """Return the line without what may quote a memory of any scope; the reason of a failure quotes none."""
    hidden = ("input",) if not line.success else ("input", "output")
    return line._replace(fields=tuple((name, "" if name in hidden else value) for name, value in line.fields))


def _row(line: LoggedLine) -> tuple[str, ...]:
    fields = dict(line.fields)
    took = fields.get("latencyMs")
    how = [] if line.success else ["failed"]
    how += ["by the heuristic"] if line.fallback else []
    outcome = ": ".join([*how, cut(str(fields.get("output") or ""), _HEAD)])
    return (
        line.ts.replace("T", " ").removesuffix("Z"),
        line.op,
        str(fields.get("who") or ""),
        "" if took is None else f"{took:.1f}" if isinstance(took, float) else str(took),
        str(line.tokens or ""),
        str(count) if isinstance(count := fields.get("resultCount"), int) else "",
        cut(str(fields.get("input") or ""), _HEAD),
        outcome,
    )
