"""A turn of Agent Zero: put memories into its prompt before it; count a loop and maybe run maintenance after it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, cast

from reverie.exchange.co_retrieval_log import MAX_ENTRIES, CoRetrieval, CoRetrievalLog
from reverie.faces.agent_zero import maintenance, records, review, shelves
from reverie.faces.agent_zero import records as faiss_index
from reverie.faces.agent_zero import settings as configured
from reverie.faces.agent_zero import settings as profiles
from reverie.faces.agent_zero.house import HostLogLine, House, cue, failed, said, told
from reverie.faces.agent_zero.maintenance import Copy, PassOutcome, Planning
from reverie.faces.agent_zero.records import HERE, DocumentRecord, is_knowledge, may_come, record
from reverie.faces.agent_zero.settings import HostSettings, Profile
from reverie.faces.agent_zero.shelves import StoreShelf, shelf
from reverie.formulas.similarity_scales import cosine_to_a0
from reverie.ports import Corpus
from reverie.recall.pipeline import ReadPath
from reverie.recall.state import Candidate, RecallContext, RecallState, Request, Stage, ordered
from reverie.recipes.published.candidates import Nearest
from reverie.recipes.published.exocortex import read_path
from reverie.screen.fences import fence
from reverie.screen.injection import addresses_model
from reverie.types import Cue, Relation, RelationKind

# Choosing the memories of a turn (A1 to A6).


MAX_INJECTED = 5


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """A turn's query: the user's words, the domain if known, and the time."""

    text: str
    domain: str
    now: datetime


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """A turn's search: the queries for the index, and the stages for its results.

    ``ended`` says why nothing is searched; ``faults`` names stages that failed and were skipped.
    """

    quest: RecallState
    after: tuple[Stage, ...]
    each: int
    most_related: int
    ended: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexHits:
    """A document found in the index: as a memory, its position in the index, and its cosine."""

    record: DocumentRecord
    place: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The memories for the prompt, best first; the number of candidates; and the stages that were skipped."""

    records: tuple[DocumentRecord, ...]
    among: int
    faults: tuple[str, ...]


def path(settings: HostSettings, profile: Profile, host_threshold: float | None) -> ReadPath:
    """Return the recipe's read path, adjusted by the configuration and the model's profile.

    If the profile has no threshold, the host's own is used: what the host would not recall is not recalled here.
    """
    most = MAX_INJECTED if profile.max_injected is None else profile.max_injected
    least = profile.similarity_threshold
    how = replace(
        settings.enhancement,
        max_injected=most if settings.most_injected is None else min(most, settings.most_injected),
        similarity_threshold=host_threshold if least is None else least,
        disabled_domains=profile.disabled,
    )
    return read_path(how)


def begin(asked: TurnQuery, settings: HostSettings, profile: Profile, stages: ReadPath) -> IndexSearch:
    """Make the queries to search for; none in a domain that is switched off."""
    helpful = asked.domain in profile.disabled or asked.domain not in profile.unscoped
    domain = asked.domain if helpful else ""
    request = Request(asked.text, HERE, asked.now, None, None, domain=domain)
    quest = RecallState(
        request, _world({}, 0, asked.now), Cue(asked.text, (), "en"), stages.limit, (asked.text,), stages.page
    )
    at = next(place for place, stage in enumerate(stages.stages) if isinstance(stage, Nearest))
    quest, faults = _through(quest, stages.stages[:at])
    return IndexSearch(
        quest, stages.stages[at + 1 :], settings.enhancement.each, settings.most_related, quest.ended, tuple(faults)
    )


def choose(search: IndexSearch, found: Sequence[IndexHits]) -> Chosen:
    """Choose the best of the index's results, as many as the profile allows."""
    records = {one.record.memory.id: one.record for one in found}
    world = _world(records, search.most_related, search.quest.request.now)
    quest = replace(search.quest, world=world, candidates=ordered(_candidate(one) for one in found))
    quest, faults = _through(quest, search.after)
    top = list(quest.candidates)[: quest.limit]
    return Chosen(tuple(records[c.memory.id] for c in top), len(found), (*search.faults, *faults))


def _through(quest: RecallState, stages: Iterable[Stage]) -> tuple[RecallState, list[str]]:
    faults: list[str] = []
    for stage in stages:
        try:
            quest = stage(quest)
        except Exception as error:  # noqa: BLE001 - a component that fails is skipped, the others go on (A13)
            faults.append(f"{stage.name} skipped: {type(error).__name__}")
        if quest.ended:
            break
    return quest, faults


def _candidate(one: IndexHits) -> Candidate:
    candidate = Candidate(one.place, one.record.memory, 0.0, cosine=one.cosine)
    similarity = float(cosine_to_a0(one.cosine))
    return candidate.rescored("similarity", similarity, similarity)


def _world(records: Mapping[str, DocumentRecord], most_related: int, now: datetime) -> RecallContext:
    """Return the context for the stages after the search: only the links in the documents' lineage."""

    def relations(ids: Sequence[str]) -> list[Relation]:
        return [
            Relation(name, other, RelationKind.RELATED_TO, 1.0, now)
            for name in ids
            for other in (records[name].related[:most_related] if name in records else ())
        ]

    return RecallContext(
        corpus=cast("Corpus", None),  # only the search reads it, and that is the host's
        embed=lambda _: None,
        relations=relations,
        companions=lambda _: [],
        memory=lambda _: None,
        often=lambda _: [],
    )


RECALL_PREFIX = "[MEM-ENHANCE]"
LOG_FILE = "co_retrieval_log.json"
_KEY = "memories"
_TURN = "_reverie_turn"
"""Key of an agent's data; because of its leading underscore it is not saved with the chat."""
_SHOWN_CHARS = 20_000
"""Most characters of one memory that a model is shown."""


@dataclass(slots=True)
class Turn:
    """A turn's block in the prompt, and beside it what the stock recall found in the knowledge base."""

    loop_data: object
    key: object = None
    block: str = ""
    beside: str = ""
    whole: str = ""
    injected: set[str] = field(default_factory=set)


class Injecting:
    """One call of the hook that injects memories."""

    def __init__(self, house: House, loop_data: Any, now: datetime) -> None:
        self._house, self._loop_data, self._now = house, loop_data, now

    async def __call__(self) -> HostLogLine | None:
        """Write the block; return a line for the log, if there is something to report."""
        text = said(self._loop_data.user_message)
        memory = await self._house.memory() if text.strip() else None
        if memory is None:
            return None
        settings = configured.load(self._house.path("usr", "memory", configured.FILE))
        if settings.engine == "exocortex" and not memory.db.get_all_docs():
            return None
        profile = profiles.load_profile(self._house.path("usr", "model_profiles"), self._house.model())
        domain, turn = self._house.domain(self._loop_data), self._turn()
        key = text, domain, settings, profile, int(memory.db.index.ntotal)
        if turn.key == key:
            await self._stock_is_done(turn, memory.db)
            self._write(turn, memory.db)
            return None
        own = shelf(memory.db, self._house.folder(memory))
        asked = TurnQuery(cue(text), domain, self._now)
        work = self._by_engine if settings.engine == "reverie" else self._by_store
        summary, faults = await work(turn, memory, own, _How(asked, settings, profile))
        turn.key = key
        return told(RECALL_PREFIX, summary, (*faults, *own.complaints(settings.complaints, profile.complaints)))

    async def _by_store(self, turn: Turn, memory: Any, own: StoreShelf, how: _How) -> tuple[str, tuple[str, ...]]:
        """Inject from Agent Zero's own store, with the recipe ``exocortex``."""
        search = begin(how.asked, how.settings, how.profile, self._stages(how))
        chosen = await self._chosen(search, memory.db, own)
        await self._stock_is_done(turn, memory.db)
        docs = memory.db.get_all_docs()  # a document may have been deleted meanwhile
        records = [one for one in chosen.records if one.memory.id in docs]
        turn.block = block([one.memory.text for one in records])
        self._write(turn, memory.db)
        if not search.ended:
            self._track(turn, [one.memory.id for one in records], memory, own, how)
        summary = f"{len(records)} of {chosen.among} memories injected ({len(search.quest.queries)} queries)"
        return search.ended or summary, chosen.faults

    async def _by_engine(self, turn: Turn, memory: Any, _: StoreShelf, how: _How) -> tuple[str, tuple[str, ...]]:
        """Inject from the whole engine beside it, which counts its own injections."""
        from reverie.faces.agent_zero.whole import Asking, Beside

        chosen, most, domain = how.settings.whole, how.profile.max_injected, how.asked.domain
        found: list[tuple[str, str]] = []
        if domain not in how.profile.disabled and most != 0:
            here = Beside(self._house.path("usr", "memory"), str(memory.memory_subdir), chosen)
            asking = Asking(how.asked.text, self._house.session(), domain, most, self._now)
            found = await asyncio.to_thread(here.recall, asking)
        await self._stock_is_done(turn, memory.db)
        turn.block = block([text for text, _ in found], [label for _, label in found])
        self._write(turn, memory.db)
        return f"{len(found)} memories injected by the whole engine", ()

    def _turn(self) -> Turn:
        turn = self._house.agent.get_data(_TURN)
        if not isinstance(turn, Turn) or turn.loop_data is not self._loop_data:
            turn = Turn(self._loop_data)
            self._house.agent.set_data(_TURN, turn)
        return turn

    def _stages(self, how: _How) -> ReadPath:
        """Return the recipe's stages, with the host's own threshold if the profile has none."""
        own = self._house.setting("memory_recall_similarity_threshold") if how.needs_threshold else None
        least = float(own) if isinstance(own, int | float) and not isinstance(own, bool) else None
        return path(how.settings, how.profile, least)

    async def _chosen(self, search: IndexSearch, store: Any, own: StoreShelf) -> Chosen:
        if search.ended or not search.quest.limit:
            return Chosen((), 0, search.faults)
        queries = await own.vectors(store, search.quest.queries)
        docs = store.get_all_docs()
        near = faiss_index.nearest(store, queries, search.each, may_come)
        own.notice({name: docs[name] for name in near}, self._now)
        found = [
            IndexHits(record(name, docs[name].page_content, docs[name].metadata, self._now), place, cosine)
            for name, (place, cosine) in near.items()
        ]
        return choose(search, found)

    async def _stock_is_done(self, turn: Turn, store: Any) -> None:
        """Wait until the stock recall has written its block, so that it does not replace this one."""
        task = self._house.stock_recall()
        if task is not None and self._house.setting("memory_recall_delayed") is True:
            # In this mode the host does not wait for it either; what it writes later is then replaced.
            task.add_done_callback(lambda _: self._write_again(turn, store))
        elif task is not None:
            await asyncio.wait({task})

    def _write_again(self, turn: Turn, store: Any) -> None:
        try:
            self._write(turn, store)
        except Exception as error:  # noqa: BLE001 - a host's edge: nothing of ours may break the agent's loop (A13)
            self._failed(error)

    def _write(self, turn: Turn, store: Any) -> None:
        extras: MutableMapping[str, Any] = self._loop_data.extras_persistent
        there = extras.get(_KEY)
        if there != turn.whole:  # somebody else wrote it, or took it away
            turn.beside = _knowledge(store, there) if isinstance(there, str) else ""
        turn.whole = "\n\n".join(part for part in (turn.block, turn.beside) if part)
        if turn.whole:
            extras[_KEY] = turn.whole
        else:
            extras.pop(_KEY, None)

    def _track(self, turn: Turn, ids: Sequence[str], memory: Any, own: StoreShelf, how: _How) -> None:
        """Count what is new in this turn's prompt, and log the retrieval, even an empty one."""
        new = [name for name in ids if name not in turn.injected]
        turn.injected.update(new)
        if how.settings.tracking and new:
            docs = memory.db.get_all_docs()
            for name in new:
                own.count(name, docs[name].metadata, self._now)
            own.save_later(memory, self._failed)
        writing, entry = own.writing(), CoRetrieval(self._now, how.asked.domain, tuple(ids), own.book.loops)
        log = self._house.path("usr", "memory", LOG_FILE)

        def work() -> None:
            writing()
            if how.settings.max_entries is not None:
                CoRetrievalLog(log, how.settings.max_entries).append(entry)

        shelves.start(work, lambda _: None, self._failed)

    def _failed(self, error: Exception) -> None:
        self._house.log(failed(RECALL_PREFIX, "not kept", error).content, fault=True)


@dataclass(frozen=True, slots=True)
class _How:
    """A turn's query with the settings and the profile to answer it by."""

    asked: TurnQuery
    settings: HostSettings
    profile: Profile

    @property
    def needs_threshold(self) -> bool:
        return self.profile.similarity_threshold is None


def block(texts: Sequence[str], labels: Sequence[str] = ()) -> str:
    """Return memories as a fenced block for the prompt, marked as data; empty for none."""
    shown = [_sendable(text) for text in texts]
    return fence(shown, _nonce(), addressed=[addresses_model(text) for text in shown], labels=labels)


def _knowledge(store: Any, stock: str) -> str:
    """Return the block of knowledge that the stock recall found: not memories, so neither scored nor tracked here."""
    held = [
        document.page_content
        for document in store.get_all_docs().values()
        if is_knowledge(document.metadata) and document.page_content.strip() and document.page_content in stock
    ]
    return block(held)


def _sendable(text: str) -> str:
    """Shorten a text for the prompt and replace characters it cannot carry."""
    cut = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} … ({len(text)} characters in all)"
    return cut.encode("utf-8", "replace").decode("utf-8")


@cache
def _nonce() -> str:
    return secrets.token_hex(16)


MAINTENANCE_PREFIX = "[MEM-MAINT]"
_NAMED = 20
"""Most memories of a kind that a log line names."""


class TurnMaintenance:
    """One call of the hook at the end of a monologue."""

    def __init__(self, house: House, loop_data: Any, now: datetime) -> None:
        self._house, self._loop_data, self._now = house, loop_data, now

    async def __call__(self) -> HostLogLine | None:
        """Count the loop, and begin a pass if one is due; return a line for the log, if any."""
        memory = await self._house.memory()
        if memory is None:
            return None
        settings = configured.load(self._house.path("usr", "memory", configured.FILE))
        own = shelf(memory.db, self._house.folder(memory))
        own.notice(memory.db.get_all_docs(), self._now)
        own.book.loops += 1
        own.save_later(memory, self._failed)
        if settings.engine == "reverie":
            self._hear(memory, own, settings)
        complaints = own.complaints(settings.complaints)
        taken_back = self._take_back(memory, own)
        if own.book.loops % settings.interval_loops == 0:
            own.owed += 1
            if own.owed == 1:  # else one is running; this one follows it
                self._pass(memory, own, settings, complaints)
            return told(MAINTENANCE_PREFIX, taken_back) if taken_back else None
        shelves.start(own.writing(), lambda _: own.release(), self._failed)
        return told(MAINTENANCE_PREFIX, taken_back or "settings", complaints) if complaints or taken_back else None

    def _take_back(self, memory: Any, own: StoreShelf) -> str:
        """Undo the deprecations a person requested with `reverie review`; return what was done, in words."""
        names = review.asked(own.folder)
        if not names:
            return ""
        done = own.take_back(names, memory.db.get_all_docs(), self._now)
        shelves.start(lambda: review.answered(own.folder, names), lambda _: None, self._failed)
        return f"{len(done)} deprecations taken back{_named(done)}"

    def _hear(self, memory: Any, own: StoreShelf, settings: HostSettings) -> None:
        """Give the engine beside the store what both sides said, and some of the store's memories."""
        from reverie.faces.agent_zero.whole import Beside, HostMessage, answer_in

        here = Beside(self._house.path("usr", "memory"), str(memory.memory_subdir), settings.whole)
        docs, known = dict(memory.db.get_all_docs()), dict(own.book.brought)
        prompt, answer = said(getattr(self._loop_data, "user_message", None)), answer_in(self._answers())
        heard = None if self._house.is_subordinate() else HostMessage(prompt, answer, self._house.session(), self._now)

        def work() -> dict[str, str]:
            if heard is not None:
                here.hear(heard)
            return here.bring(docs, known, self._now)

        def then(brought: dict[str, str]) -> None:
            own.book.brought = brought

        shelves.start(work, then, self._failed)

    def _answers(self) -> list[object]:
        return self._house.answer(self._loop_data)

    def _pass(self, memory: Any, own: StoreShelf, settings: HostSettings, complaints: tuple[str, ...]) -> None:
        store = memory.db
        own.begin_pass(store.get_all_docs())
        copy = Copy(dict(store.get_all_docs()), *records.vectors(store), own.book.copy(), self._now)
        log = CoRetrievalLog(self._house.path("usr", "memory", LOG_FILE), settings.max_entries or MAX_ENTRIES)
        planning = Planning(copy, settings, log, own.tags_of)

        def then(outcome: PassOutcome) -> None:
            own.carry_out(outcome, store.get_all_docs(), self._now)
            line = told(
                MAINTENANCE_PREFIX, summary(outcome, own.book.passes, settings), (*planning.faults, *complaints)
            )
            self._house.log(line.content, fault=line.fault)
            own.save_later(memory, self._failed)
            shelves.start(own.writing(), lambda _: own.release(), self._failed)
            self._list(own, store.get_all_docs(), outcome, settings)
            owed, own.owed = own.owed, 0
            if owed > 1:
                own.owed = 1
                self._pass(memory, own, settings, ())

        def broken_off(error: Exception) -> None:
            own.owed = 0
            self._failed(error)

        shelves.start(planning, then, broken_off)

    def _list(self, own: StoreShelf, docs: Mapping[str, Any], outcome: PassOutcome, settings: HostSettings) -> None:
        """Write the review list to a file beside the store."""
        how = settings.deduplication
        held = {name: docs[name] for pair in own.book.flagged for name in pair if name in docs}
        both = {name: record(name, one.page_content, one.metadata, self._now) for name, one in held.items()}
        pairs = [pair for pair in own.book.flagged if both.keys() >= set(pair)]
        flagged = {
            pair: maintenance.doubt(both[pair[0]], both[pair[1]], how) if how else "say nearly the same"
            for pair in pairs
        }
        made = review.review(docs, review.Doubts(flagged, outcome.dormant, own.book.passes), self._now)
        shelves.start(lambda: review.write(own.folder, made), lambda _: None, self._failed)

    def _failed(self, error: Exception) -> None:
        self._house.log(failed(MAINTENANCE_PREFIX, "broken off", error).content, fault=True)


def summary(outcome: PassOutcome, passes: int, settings: HostSettings) -> str:
    """Return what a pass did, in one line; components that are switched off are not mentioned."""
    parts = []
    if settings.deduplication is not None:
        gone = [f"{pair.goes} by {pair.stays} at {pair.similarity:.2f}" for pair in outcome.pairs if pair.goes]
        parts.append(f"{len(gone)} deprecated{_named(gone) if settings.names_all else ''}")
        flagged = [pair for pair in outcome.pairs if not pair.goes]
        doubtful = [f"{pair.first} and {pair.second}: {pair.resolution.value}" for pair in flagged]
        parts.append(f"{len(flagged)} flagged{_named(doubtful)}")
    if outcome.looked_at is not None:
        parts.append(f"{len(outcome.related)} linked")
    if outcome.clusters is not None:
        parts.append(f"{len(outcome.clusters)} cluster candidates")
    if settings.dormancy is not None:
        parts.append(f"{len(outcome.dormant)} never accessed{_named(outcome.dormant)}")
    return f"pass {passes}: {', '.join(parts) or 'every component is switched off'}"


def _named(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f", and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" ({', '.join(names[:_NAMED])}{more})"
