"""The collaborators of an engine, each created on first use; and ``admin``, the list of their rarer operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial, wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from reverie.engine.context import Context
from reverie.engine.requests import caller_name
from reverie.ops.log import OpsEntry, operation
from reverie.ports import Store, info_of
from reverie.types import POLICY, Scope

if TYPE_CHECKING:
    from reverie.engine.consolidate import Consolidation
    from reverie.engine.curate import Curation
    from reverie.engine.erasure import Eraser
    from reverie.engine.governance import Governance
    from reverie.engine.grants import Grants
    from reverie.engine.ingest import Ingestion
    from reverie.engine.intentions import Intentions
    from reverie.engine.jobs import JobRunner
    from reverie.engine.maintain import Maintenance
    from reverie.engine.retention import Retaining
    from reverie.engine.retrieve import Retrieval
    from reverie.engine.skills import SkillMemory
    from reverie.engine.transfer import Transfer

Method = TypeVar("Method", bound=Callable[..., Any])
T = TypeVar("T")


class Rare(Generic[Method]):
    """Descriptor of a collaborator's method; creates the collaborator when the method is first accessed."""

    def __init__(self, find: Callable[[Collaborators], Method]) -> None:
        self._find = find

    def __get__(self, admin: Admin, owner: type[Admin] | None = None) -> Method:
        """Return the collaborator's bound method."""
        return self._find(admin._parts)


class Admin:
    """The rarer operations of an engine; each is a collaborator's own method, with its signature and docstring."""

    def __init__(self, parts: Collaborators) -> None:
        self._parts = parts

    note = Rare(lambda parts: parts.curation.note)
    amend = Rare(lambda parts: parts.curation.amend)
    pin = Rare(lambda parts: parts.curation.pin)
    protect = Rare(lambda parts: parts.curation.protect)
    quarantine = Rare(lambda parts: parts.curation.quarantine)
    release = Rare(lambda parts: parts.curation.release)
    revive = Rare(lambda parts: parts.curation.revive)
    reopen = Rare(lambda parts: parts.curation.reopen)
    quarantined = Rare(lambda parts: parts.curation.quarantined)
    relations = Rare(lambda parts: parts.curation.relations)
    graph = Rare(lambda parts: parts.curation.graph)
    about = Rare(lambda parts: parts.curation.about)
    working = Rare(lambda parts: parts.curation.working)
    end_session = Rare(lambda parts: parts.curation.end_session)
    erase = Rare(lambda parts: parts.eraser.erase)
    erase_all = Rare(lambda parts: parts.eraser.erase_all)
    shred = Rare(lambda parts: parts.eraser.shred)
    held_of = Rare(lambda parts: parts.eraser.held_of)
    grant = Rare(lambda parts: parts.grants.grant)
    revoke = Rare(lambda parts: parts.grants.revoke)
    grants = Rare(lambda parts: parts.grants.grants)
    latest = Rare(lambda parts: parts.retrieval.latest)
    formed = Rare(lambda parts: parts.retrieval.formed)
    stats = Rare(lambda parts: parts.retrieval.stats)
    scopes = Rare(lambda parts: parts.retrieval.scopes)
    events = Rare(lambda parts: parts.retrieval.events)
    injected = Rare(lambda parts: parts.retrieval.injected)
    history = Rare(lambda parts: parts.retrieval.history)
    provenance = Rare(lambda parts: parts.retrieval.provenance)
    expand = Rare(lambda parts: parts.retrieval.expand)
    condense = Rare(lambda parts: parts.retrieval.condense)
    dreams = Rare(lambda parts: parts.retrieval.dreams)
    health = Rare(lambda parts: parts.retrieval.health)
    forgetting_curve = Rare(lambda parts: parts.retrieval.forgetting_curve)
    decay = Rare(lambda parts: parts.consolidation.decay)
    compact = Rare(lambda parts: parts.consolidation.compact)
    hot = Rare(lambda parts: parts.consolidation.hot)
    policies = Rare(lambda parts: parts.governance.policies)
    set_policy = Rare(lambda parts: parts.governance.set_policy)
    drop_policy = Rare(lambda parts: parts.governance.drop_policy)
    retentions = Rare(lambda parts: parts.retaining.retentions)
    set_retention = Rare(lambda parts: parts.retaining.set_retention)
    drop_retention = Rare(lambda parts: parts.retaining.drop_retention)
    intend = Rare(lambda parts: parts.prospects.intend)
    intentions = Rare(lambda parts: parts.prospects.intentions)
    due = Rare(lambda parts: parts.prospects.due)
    hand_over = Rare(lambda parts: parts.prospects.hand_over)
    settle = Rare(lambda parts: parts.prospects.settle)
    calendar = Rare(lambda parts: parts.prospects.calendar)
    use_model = Rare(lambda parts: parts.maintenance.use_model)
    use_reranker = Rare(lambda parts: parts.maintenance.use_reranker)
    missing = Rare(lambda parts: parts.maintenance.missing)
    embed = Rare(lambda parts: parts.maintenance.embed)
    head = Rare(lambda parts: parts.maintenance.head)
    anchor = Rare(lambda parts: parts.maintenance.anchor)
    seal = Rare(lambda parts: parts.maintenance.seal)
    verify = Rare(lambda parts: parts.maintenance.verify)
    doctor = Rare(lambda parts: parts.maintenance.doctor)
    backup = Rare(lambda parts: parts.maintenance.backup)
    copies = Rare(lambda parts: parts.maintenance.copies)
    replay = Rare(lambda parts: parts.maintenance.replay)
    repair = Rare(lambda parts: parts.maintenance.repair)
    rotate = Rare(lambda parts: parts.maintenance.rotate)
    digest = Rare(lambda parts: parts.maintenance.digest)
    record_run = Rare(lambda parts: parts.skill_memory.record_run)
    runs = Rare(lambda parts: parts.skill_memory.runs)
    skills = Rare(lambda parts: parts.skill_memory.skills)
    what_worked = Rare(lambda parts: parts.skill_memory.what_worked)

    @property
    def model(self) -> str:
        """Return the key of the embedding model; "none" without one, "unavailable" until its endpoint answers."""
        return self._parts.maintenance.model

    @property
    def reranker(self) -> str:
        """Return the name of the reranker; "none" without one."""
        return self._parts.maintenance.reranker

    @property
    def recipe(self) -> str:
        """Return the name of the recipe."""
        return self._parts.maintenance.recipe


_STORE_WIDE = frozenset(
    ("export_journal", "import_journal", "backup", "replay", "held_of", "erase_all", "bundle", "accept")
)
"""Verbs that reach every scope of the store where they name none alone: each scope with policies is asked."""
_AHEAD = {"recall": False, "remember": True}
"""Verbs whose first questions a store with its server far away may answer together; and whether they write."""


class Administrative(NamedTuple):
    """How an administrative verb is written into the ops log.

    Attributes:
        op: its name there.
        how_many: returns how many it was about, of the verb's result, and the store.
        file: name of the verb's first argument if that is a file or its path, which is logged; other arguments are not.
    """

    op: str
    how_many: Callable[[Any, Store], int]
    file: str = ""


def _one(_done: object, _store: Store) -> int:
    return 1


def _events(_done: object, store: Store) -> int:
    return store.mark()


def _itself(done: int, _store: Store) -> int:
    return done


ADMINISTRATION = {
    "backup": Administrative("backup", _events, "path"),
    "replay": Administrative("replay", _events, "path"),
    "repair": Administrative("repair", _events, "backup"),
    "seal": Administrative("seal", lambda done, _: done.events),
    "embed": Administrative("embed", _itself),
    "rotate": Administrative("rotate", _itself, "key_file"),
    "erase": Administrative("erase", lambda done, _: len(done.memories)),
    "erase_all": Administrative("erase", lambda done, _: sum(len(one.memories) for one in done)),
    "shred": Administrative("shred", lambda done, _: len(done.memories)),
    "held_of": Administrative("subject", lambda done, _: sum(map(len, done.values()))),
    "set_policy": Administrative("policy", _one),
    "drop_policy": Administrative("policy", _one),
    "set_retention": Administrative("retention", _one),
    "drop_retention": Administrative("retention", _one),
    "grant": Administrative("grant", _one),
    "revoke": Administrative("revoke", _one),
    "export_memories": Administrative("export", _itself, "out"),
    "export_journal": Administrative("export", lambda done, _: done.events, "out"),
    "export_markdown": Administrative("export", lambda done, _: done.files, "folder"),
    "import_from": Administrative("import", lambda done, _: done.new, "path"),
    "import_journal": Administrative("import", lambda done, _: done.new, "path"),
    "bundle": Administrative("bundle", lambda done, _: done.memories, "path"),
    "accept": Administrative("accept", lambda done, _: done.new, "path"),
    "sync": Administrative("sync", lambda done, _: done.new + done.changed + done.removed + done.erased),
}
"""The verbs that copy, move, empty, encrypt or share memories, by name: each call is a line of the ops log."""


class Guarded:
    """A collaborator whose methods ask the policies of the scope that a call names (``engine.governance``)."""

    def __init__(self, inner: object, context: Context) -> None:
        self._inner = inner
        self._context = context

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        if name.startswith("_") or not callable(method):
            return method

        @wraps(method)
        def call(*args: Any, **given: Any) -> Any:
            distant = self._context.distant if name in _AHEAD else None
            named = [] if distant is None else list(_scopes(args, given))
            run = partial(self._asked, name, method, args, given)
            if name in ADMINISTRATION:
                return self._logged(ADMINISTRATION[name], run, args, given)
            if distant is None or len(named) != 1:
                return run()
            return distant.ahead(named[0], info_of(self._context.embedder), run, _AHEAD[name])

        setattr(self, name, call)
        return call

    def _logged(self, verb: Administrative, run: Callable[[], T], args: Sequence[Any], given: Mapping[str, Any]) -> T:
        """Call an administrative verb, and write who did it into the ops log; a dry run does nothing to write."""
        if given.get("dry_run"):
            return run()
        scopes = list(_scopes(args, given))
        scope = scopes[0] if len(scopes) == 1 else None
        file = (args[0] if args else given.get(verb.file)) if verb.file else None
        entry = OpsEntry(verb.op, _file_name(file), who=caller_name(scope), scope=scope)
        with operation(self._context.logged, entry) as line:
            done = run()
            line.changed = verb.how_many(done, self._context.store)
        return done

    def _asked(self, name: str, method: Callable[..., Any], args: Sequence[Any], given: dict[str, Any]) -> Any:
        """Call a method if the policies of the scopes it names allow it."""
        store = self._context.store
        if (first := self._context.at_first_use) is not None:
            for scope in _scopes(args, given):
                first(scope)
        if name in _STORE_WIDE and not any(isinstance(one, Scope) for one in (*args, *given.values())):
            governed = [record.scope for record in store.records(POLICY)]
        else:
            governed = [scope for scope in _scopes(args, given) if store.records(POLICY, scope=scope)]
        if not governed:
            return method(*args, **given)
        from reverie.engine.governance import guarded

        return guarded(self._context, governed, method, args, given)


def _file_name(file: object) -> str:
    """Return the path of a file that a call names or has opened; "" for another value."""
    named = file if isinstance(file, str | PurePath) else getattr(file, "name", "")
    return str(named) if isinstance(named, str | PurePath) else ""


def _scopes(args: Sequence[Any], given: Mapping[str, Any]) -> Iterator[Scope]:
    """Yield the scopes that a call names, also those in a list, as keys of a mapping, or as the giver of a grant."""
    for one in (*args, *given.values()):
        if isinstance(one, Scope):
            yield one
        elif isinstance(giver := getattr(one, "giver", None), Scope):
            yield giver
        elif isinstance(one, list | tuple | dict):
            yield from (inner for inner in one if isinstance(inner, Scope))


class Collaborators:
    """The objects that an engine delegates to, over one context; each is created, and imported, on first use."""

    def __init__(self, context: Context) -> None:
        self._context = context
        context.owner = self._owner

    def _owner(self, memory_id: str, scope: Scope) -> Scope | None:
        """Return the scope of a memory that was granted to ``scope``, else None."""
        from reverie.engine.grants import owner

        return owner(self._context.store, scope, memory_id, self._context.clock.now())

    def _asking(self, collaborator: T) -> T:
        """Return a collaborator whose methods ask the policies of a scope first."""
        return cast("T", Guarded(collaborator, self._context))

    @cached_property
    def _ingestion(self) -> Ingestion:
        from reverie.engine.ingest import Ingestion

        return Ingestion(self._context)

    @cached_property
    def ingestion(self) -> Ingestion:
        """The collaborator that stores messages."""
        return self._asking(self._ingestion)

    @cached_property
    def governance(self) -> Governance:
        """Return the collaborator that sets and drops policies."""
        from reverie.engine.governance import Governance

        return self._asking(Governance(self._context))

    @cached_property
    def curation(self) -> Curation:
        """Return the collaborator that changes single memories."""
        from reverie.engine.curate import Curation

        return self._asking(Curation(self._context, self._ingestion))

    @cached_property
    def eraser(self) -> Eraser:
        """Return the collaborator that erases memories for good."""
        from reverie.engine.erasure import Eraser

        return self._asking(Eraser(self._context))

    @cached_property
    def retaining(self) -> Retaining:
        """Return the collaborator that sets and drops retention rules."""
        from reverie.engine.retention import Retaining

        return self._asking(Retaining(self._context))

    @cached_property
    def grants(self) -> Grants:
        """Return the collaborator that shares memories with other scopes."""
        from reverie.engine.grants import Grants

        return self._asking(Grants(self._context))

    @cached_property
    def prospects(self) -> Intentions:
        """Return the collaborator for intentions."""
        from reverie.engine.intentions import Intentions

        return self._asking(Intentions(self._context))

    @cached_property
    def retrieval(self) -> Retrieval:
        """Return the collaborator that recalls and reads memories."""
        from reverie.engine.retrieve import Retrieval

        return self._asking(Retrieval(self._context))

    @cached_property
    def consolidation(self) -> Consolidation:
        """Return the collaborator that consolidates memories (dreams)."""
        from reverie.engine.consolidate import Consolidation

        return self._asking(Consolidation(self._context))

    @cached_property
    def maintenance(self) -> Maintenance:
        """Return the collaborator that checks, copies and maintains the store."""
        from reverie.engine.maintain import Maintenance

        return self._asking(Maintenance(self._context, self.catch_up))

    @cached_property
    def skill_memory(self) -> SkillMemory:
        """Return the collaborator that records runs of skills and says how skills perform."""
        from reverie.engine.skills import SkillMemory

        return self._asking(SkillMemory(self._context))

    @cached_property
    def transfer(self) -> Transfer:
        """Return the collaborator that exports and imports memories."""
        from reverie.engine.transfer import Transfer

        return self._asking(Transfer(self._context, self._ingestion))

    @cached_property
    def _runner(self) -> JobRunner:
        from reverie.engine.jobs import JobRunner

        runner = JobRunner(self._context, self)
        self._context.stop_jobs = runner.stop
        return runner

    @cached_property
    def jobs(self) -> JobRunner:
        """Return the collaborator that enqueues and runs jobs."""
        return self._asking(self._runner)

    def catch_up(self, pause_s: float) -> None:
        """Make missing vectors in the background, once nothing was written for so many seconds."""
        self._runner.catch_up(pause_s)
