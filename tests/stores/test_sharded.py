"""A store over several databases: as one store, shares, moves while others write, moves that break off, old lists."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import cast

import pytest

from reverie import ports
from reverie.answers import Fault, Job, JobKind, JobState
from reverie.engine import erasure, factories, maintain, repair
from reverie.engine.erasure import Shredding
from reverie.engine.factories import Keeper, Keyed, Receiver
from reverie.engine.maintain import Rewrapping
from reverie.engine.repair import Rebuildable
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import Conflict, InvalidSetting, NotFound, ReverieError, StoreError
from reverie.events import Action, Draft, Event, Recalled, Remembered
from reverie.ports import Adviser, Distant, Queued, Store
from reverie.stores.jobs import JobTable
from reverie.stores.ram import RamStore
from reverie.stores.sharded import OWN, Database, ShardedStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import IndexEntry, ModelInfo, Scope
from tests.stores.making import ADA, MODEL, START, Writer, content, live_a_life, vector

SCOPES = [Scope("helper", f"user {number}", "home") for number in range(60)]


class Machine:
    """Databases in files, and the stores that a process opens over them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: list[Store] = []

    def open(self, *names: str, change: bool = False, **weights: float) -> ShardedStore:
        """A process's store over these databases, each with connections of its own."""
        given = dict.fromkeys(names, 1.0) | weights
        files = {name: SqliteStore(self.folder / f"{name}.reverie") for name in given}
        self.opened += files.values()
        databases = {name: Database(files[name], weight) for name, weight in given.items()}
        return ShardedStore(databases, FixedClock(START), RandomIds(seed=len(self.opened)), change=change)

    def holds(self, name: str, text: str) -> bool:
        """Whether a text stands anywhere in the files of a database."""
        return any(text.encode() in path.read_bytes() for path in self.folder.glob(f"{name}.reverie*"))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine whose stores are closed in the end."""
    made = Machine(tmp_path)
    yield made
    for store in made.opened:
        store.close()


def entries(store: Store, event: Event) -> Sequence[IndexEntry]:
    """Index entries as ``say`` makes them."""
    if not isinstance(event.payload, Remembered):
        return ()
    return [IndexEntry(tuple(memory.text.split()), len(memory.text.split())) for memory in event.payload.memories]


def say(store: Store, scope: Scope, text: str, name: str = "m") -> None:
    """Remember one message, acknowledged when this returns."""
    Writer(store, prefix=name).remember(scope, text, terms=text.split())


class Spy:
    """A store that notes its calls; what is ``asked`` of it returns the answer instead."""

    def __init__(self, name: str, asked: str, calls: list[tuple[str, inspect.BoundArguments]]) -> None:
        self.name, self.asked, self.calls = name, asked, calls
        self.answers = False
        self._inner = RamStore()

    def __getattr__(self, name: str) -> object:
        if name != self.asked or not self.answers:
            return getattr(self._inner, name)
        signature = inspect.signature(getattr(self._inner, name))

        def call(*args: object, **given: object) -> str:
            self.calls.append((self.name, signature.bind(*args, **given)))
            return f"the answer of {self.name}"

        return call


def methods(protocol: type) -> dict[str, inspect.Signature]:
    """The methods of a protocol by name."""
    return {
        name: inspect.signature(one)
        for name, one in vars(protocol).items()
        if not name.startswith("_") and inspect.isfunction(one)
    }


BY_SCOPE = sorted(name for name, one in methods(Store).items() if list(one.parameters)[1:2] == ["scope"])
"""What is asked of one scope, and so of one database."""
OVER_ALL = {
    *("put_vectors", "outdated", "reindexed", "seals", "seal", "records", "scopes", "heads", "mark", "happened"),
    *("unindexed", "missing", "analyzer", "check", "digest", "merge_index", "compact", "backup", "close"),
}
"""What concerns all databases, or several; the contract of all stores tests these over two databases."""
ABILITIES = (Distant, Queued, Adviser)
"""What a store need not have, and this one passes on."""
LACKING = (Shredding, Rewrapping, Keyed, Receiver, Rebuildable, Keeper)
"""What a store need not have, and this one has not: the engine says so (tests/engine/test_databases.py)."""


def test_every_method_of_a_store_is_accounted_for() -> None:
    """A method that is added to the protocol, or an ability to any store, cannot be forgotten here."""
    assert {*BY_SCOPE, *OVER_ALL} == set(methods(Store))
    public = {name for name, one in vars(ShardedStore).items() if not name.startswith("_") and inspect.isfunction(one)}
    passed_on = {name for one in ABILITIES for name in methods(one)}
    assert public - {"place", "rebalance"} == set(methods(Store)) | passed_on
    known = {Store, *ABILITIES, *LACKING}
    found = {
        one
        for module in (ports, factories, maintain, erasure, repair)
        for one in vars(module).values()
        if getattr(one, "_is_protocol", False) and is_of_a_store(one)
    }
    assert found == known


def is_of_a_store(protocol: type) -> bool:
    """Whether a protocol describes a store, by the word with which its docstring begins."""
    return (protocol.__doc__ or "").startswith(("A store", "Storage of memories"))


@pytest.mark.parametrize("name", [one for one in BY_SCOPE if one != "begin"])
def test_what_is_asked_of_a_scope_reaches_its_database(name: str) -> None:
    """Every argument arrives as it was given, at the database of the scope alone, and the answer comes back."""
    calls: list[tuple[str, inspect.BoundArguments]] = []
    spies = {one: Spy(one, name, calls) for one in ("a", "b")}
    databases = {one: Database(cast("Store", spy)) for one, spy in spies.items()}
    store = ShardedStore(databases, FixedClock(START), RandomIds())
    for scope in SCOPES[:4]:
        place = store.place(scope)
        signature = inspect.signature(getattr(store, name))
        given = {one: object() for one in signature.parameters if one != "scope"}
        for spy in spies.values():
            spy.answers = True
        answer = getattr(store, name)(scope=scope, **given)
        assert answer == (None if signature.return_annotation == "None" else f"the answer of {place}")
        for spy in spies.values():
            spy.answers = False
        asked, bound = calls.pop()
        assert (asked, bound.arguments) == (place, {"scope": scope, **given})
        assert not calls
    assert len({store.place(scope) for scope in SCOPES[:4]}) == 2


class FarStore(RamStore):
    """A store as on a server: it answers ahead, and keeps jobs."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[tuple[Scope, bool]] = []
        self.table = JobTable(None)

    def ahead(self, scope: Scope, model: ModelInfo | None, do: Callable[[], object], writes: bool) -> object:
        """Note who was asked about, and run the call."""
        self.looks.append((scope, writes))
        return do()

    def queue(self) -> JobTable:
        """The jobs of this store."""
        return self.table


def far(*names: str) -> tuple[ShardedStore, dict[str, FarStore]]:
    """A store over databases on servers."""
    stores = {name: FarStore() for name in names}
    return ShardedStore({name: Database(one) for name, one in stores.items()}, FixedClock(START), RandomIds()), stores


def test_a_call_about_one_scope_is_answered_ahead_by_its_database(machine: Machine) -> None:
    """The database of the scope is asked, if it is on a server; files are near enough."""
    store, stores = far("a", "b")
    for scope in SCOPES[:6]:
        assert store.ahead(scope, MODEL, lambda: "done", True) == "done"
        assert stores[store.place(scope)].looks.pop() == (scope, True)
    assert not any(one.looks for one in stores.values())
    assert machine.open("a", "b").ahead(ADA, MODEL, lambda: "near", False) == "near"


def test_a_single_event_is_written_where_its_scope_has_gone(machine: Machine) -> None:
    """A process that does not know yet that a scope was moved does not write it into the old journal."""
    first = machine.open("a")
    say(first, ADA, "hello")
    late = machine.open("a", b=0.0, change=True)
    assert late.place(ADA) == "a"
    machine.open(a=0.0, b=1.0, change=True).rebalance(entries)
    draft = Draft(ADA, START, "ada", Action.RECALL, "", Recalled(()), b"salt")
    written = late.append(draft, True)
    assert [event.hash for event in late.events(ADA)][-1] == written.hash
    assert late.place(ADA) == "b"


def job(scope: Scope, name: str, key: str = "") -> Job:
    """A job that waits."""
    return Job(name, JobKind.DREAM, scope, START, START, {}, key)


def test_jobs_are_one_queue_over_all_databases() -> None:
    """Each lies where its scope is; all are claimed, in turn; who asks for one finds it, whichever keeps it."""
    store, stores = far("a", "b", "c")
    queue = store.queue()
    assert queue is not None
    added = [queue.enqueue(job(scope, f"job{number}")) for number, scope in enumerate(SCOPES[:9])]
    for one in added:
        assert [each.id for each in stores[store.place(one.scope)].table.jobs(one.scope)] == [one.id]
        assert queue.show(one.id, one.scope).state is JobState.WAITING
        assert [each.id for each in queue.jobs(one.scope)] == [one.id]
    assert queue.cancel("job0", SCOPES[0], START).state is JobState.CANCELLED
    assert queue.retry("job0", SCOPES[0], START).state is JobState.WAITING
    done = []
    while queue.is_open():
        with queue.claim(START) as claimed, queue.claim(START) as other:
            assert claimed is not None
            assert other is None or other.id != claimed.id
            assert queue.progress(claimed.id, 1, 2, START)
            queue.end(claimed.id, JobState.DONE, "", START)
            done.append(claimed.id)
    assert sorted(done) == sorted(one.id for one in added)
    with queue.claim(START) as none:
        assert none is None
    with pytest.raises(NotFound):
        queue.show("job0", SCOPES[1])


def test_a_job_with_a_key_is_not_added_twice_after_its_scope_has_moved() -> None:
    """The open one is found in the database that keeps it."""
    store, stores = far("a", "b")
    queue, scope = store.queue(), SCOPES[0]
    assert queue is not None
    elsewhere = next(one for name, one in stores.items() if name != store.place(scope))
    kept = elsewhere.table.enqueue(job(scope, "first", "nightly"))
    assert queue.enqueue(job(scope, "second", "nightly")) == kept
    assert queue.enqueue(job(scope, "third", "other")).id == "third"
    assert {one.id for one in queue.jobs(scope)} == {"first", "third"}


def test_databases_of_which_one_keeps_no_jobs_keep_none(machine: Machine) -> None:
    """Then all jobs lie beside the list."""
    assert machine.open("a", "b").queue() is None
    mixed = {"a": Database(FarStore()), "b": Database(RamStore())}
    assert ShardedStore(mixed, FixedClock(START), RandomIds()).queue() is None


def test_a_fault_and_an_advice_name_their_database() -> None:
    """Whoever is to mend it must know where it is."""

    class Advising(RamStore):
        def advice(self) -> list[Fault]:
            return [Fault("old", "It is old.", "Renew it.")]

        def check(self, *, replay: bool = True) -> list[Fault]:
            return [Fault("torn", "It is torn.", "Mend it.")]

    store = ShardedStore({"a": Database(RamStore()), "b": Database(Advising())}, FixedClock(START), RandomIds())
    assert [fault.what for fault in store.check()] == ["In the database 'b': It is torn."]
    assert [fault.what for fault in store.advice()] == ["In the database 'b': It is old."]


def test_it_tells_what_one_store_tells(machine: Machine) -> None:
    """Three databases with any life in them have the content, the scopes, the heads and the digest of one store."""
    sharded, one = machine.open("one", "two", "three"), RamStore()
    for part in range(3):
        for store in (sharded, one):
            live_a_life(store, 70 + part, 60)
    assert len({sharded.place(scope) for scope in sharded.scopes()}) > 1
    assert sharded.scopes() == one.scopes()
    assert sharded.heads() == one.heads()
    assert sharded.digest() == one.digest()
    assert sharded.records("grant") == one.records("grant")
    for scope in one.scopes():
        assert content(sharded, scope) == content(one, scope)


def test_every_process_finds_a_scope_in_the_same_place(machine: Machine) -> None:
    """The place follows from the names and weights alone, whoever opens them and in whatever order."""
    first, second = machine.open("a", "b", "c"), machine.open("c", "a", "b")
    places = [first.place(scope) for scope in SCOPES]
    assert places == [second.place(scope) for scope in SCOPES]
    assert all(10 <= count <= 30 for count in Counter(places).values())


def test_an_added_database_takes_its_share_and_nothing_else_moves(machine: Machine) -> None:
    """About a quarter of the scopes moves to the fourth database, all others stay; everything reads as before."""
    three = machine.open("a", "b", "c")
    for scope in SCOPES:
        say(three, scope, f"what {scope.user} said")
    before = {scope: (three.place(scope), content(three, scope, None), three.digest(scope)) for scope in SCOPES}
    four = machine.open("a", "b", "c", "d", change=True)
    moved = four.rebalance(entries).scopes
    assert {new for _, _, new in moved} == {"d"}
    assert 0.12 < len(moved) / len(SCOPES) < 0.38
    gone = {scope for scope, _, _ in moved}
    for scope, (place, told, digest) in before.items():
        assert four.place(scope) == ("d" if scope in gone else place)
        assert content(four, scope, None) == told
        assert four.digest(scope) == digest
    assert four.scopes() == sorted(SCOPES)
    assert four.check() == []
    assert four.rebalance(entries).scopes == ()
    assert machine.open("a", "b", "c", "d").rebalance(entries).scopes == ()


def test_what_a_scope_leaves_behind_is_erased(machine: Machine) -> None:
    """No text of a moved scope stands in its old database, index and log included; the others' texts do."""
    two = machine.open("a", "b")
    for number, scope in enumerate(SCOPES[:40]):
        say(two, scope, f"secretword{number:03}")
    three = machine.open("a", "b", "c", change=True)
    moved = three.rebalance(entries).scopes
    assert moved
    for scope, old, _ in moved:
        word = f"secretword{SCOPES.index(scope):03}"
        assert not machine.holds(old, word)
        assert machine.holds("c", word)
        assert [memory.text for memory in three.memories(scope)] == [word]


def test_vectors_move_along_unchanged(machine: Machine) -> None:
    """Cosines are equal bit by bit after a move; nothing has to be embedded again."""
    one = machine.open("a")
    live_a_life(one, 5, 80)
    told = {scope: content(one, scope) for scope in one.scopes()}
    two = machine.open("a", b=1000.0, change=True)
    moved = two.rebalance(lambda target, event: (), models=[MODEL]).scopes
    assert {scope for scope, _, _ in moved} == set(told)
    for scope, before in told.items():
        corpus = two.corpus(scope, MODEL)
        assert corpus.embedded == before[1]
        rows = list(range(corpus.size))
        assert corpus.cosines(vector(3), corpus_rows(rows)).tolist() in before
    assert two.missing(ModelInfo("other", "1", 16)) >= two.missing(MODEL)


def corpus_rows(rows: list[int]) -> object:
    """Ordinals as a corpus takes them."""
    import numpy as np

    return np.array(rows)


@pytest.mark.soak
def test_no_acknowledged_write_is_lost_while_scopes_move(machine: Machine, share: Callable[[int], int]) -> None:
    """Another process writes all the time, with the list of before; each message it was told of is there once."""
    names, scopes = "abcdefghijklmno", SCOPES[:12]
    weights = {name: float(name in "abc") for name in names}
    writer = machine.open(**weights)
    for scope in scopes:
        say(writer, scope, "first", "first")
    stop, acknowledged, failed = Signal(), Counter[Scope](), list[BaseException]()

    def write() -> None:
        number = 0
        while not stop.is_set():
            scope = scopes[number % len(scopes)]
            try:
                say(writer, scope, f"message {number}", f"n{number}-")
            except ReverieError as error:
                failed.append(error)
                return
            acknowledged[scope] += 1
            number += 1

    thread = Thread(target=write)
    thread.start()
    moved = 0
    try:
        for number in range(max(2, share(12))):
            weights[names[3 + number]] = 4.0
            moved += len(machine.open(**weights, change=True).rebalance(entries).scopes)
    finally:
        stop.set()
        thread.join()
    reader = machine.open(**weights)
    assert moved > 3
    assert failed == []
    assert acknowledged.total() > 0
    for scope in scopes:
        texts = [memory.text for memory in reader.memories(scope)]
        assert len(texts) == len(set(texts)) == acknowledged[scope] + 1, scope
        assert [event.seq for event in reader.events(scope)] == list(range(1, reader.head(scope)[0] + 1))
    assert reader.check() == []


class Broken(Exception):
    """The process ends here."""


@pytest.mark.parametrize("at_call", range(1, 9))
def test_a_move_that_breaks_off_is_finished_by_the_next(machine: Machine, at_call: int) -> None:
    """Killed at any write: every scope is in one place, whole, and the next rebalancing finishes what was begun."""
    scopes = SCOPES[:5]
    two = machine.open("a", "b")
    for scope in scopes:
        for number in range(3):
            say(two, scope, f"{scope.user} {number}", f"m{number}")
    told = {scope: (content(two, scope, None), two.digest(scope)) for scope in scopes}
    changed = machine.open("a", "b", "c", change=True)
    calls = 0

    def breaking(store: Store) -> None:
        begin = store.begin

        def begun(scope: Scope, *, durable: bool) -> object:
            nonlocal calls
            calls += 1
            if calls == at_call:
                raise Broken
            return begin(scope, durable=durable)

        store.begin = begun  # type: ignore[method-assign]  # a process that ends at a write

    for database in machine.opened[-3:]:
        breaking(database)
    with pytest.raises(Broken):
        changed.rebalance(entries)
    after = machine.open("a", "b", "c")
    assert {scope: (content(after, scope, None), after.digest(scope)) for scope in scopes} == told
    assert after.scopes() == sorted(scopes)
    say(after, scopes[0], "and on", "later")
    after.rebalance(entries)
    whole = machine.open("a", "b", "c")
    for scope in scopes[1:]:
        assert (content(whole, scope, None), whole.digest(scope)) == told[scope]
    assert "and on" in [memory.text for memory in whole.memories(scopes[0])]
    assert all(not database.records("arriving", scope=OWN) for database in machine.opened[-3:])
    assert whole.rebalance(entries).scopes == ()


def test_a_process_with_an_old_list_reads_on_and_makes_no_new_scope(machine: Machine) -> None:
    """It follows what stayed; for a scope that is new it must be opened again, else there would be two of it."""
    old = machine.open("a", "b")
    say(old, ADA, "here")
    machine.open("a", "b", "c", change=True)
    assert [memory.text for memory in old.memories(ADA)] == ["here"]
    with pytest.raises(Conflict, match="list of databases"):
        say(old, SCOPES[0], "new")
    with pytest.raises(InvalidSetting, match="another list"):
        machine.open("a", "b")


def test_a_database_that_is_missing_is_named(machine: Machine) -> None:
    """A scope that was moved into a database that is not in the list is an error that names it, not an empty scope."""
    say(machine.open("a"), ADA, "here")
    machine.open("a", b=1000.0, change=True).rebalance(entries)
    alone = machine.open("a", change=True)
    with pytest.raises(StoreError, match="'b'"):
        list(alone.memories(ADA))


def test_weights_are_shares_and_zero_empties_a_database(machine: Machine) -> None:
    """A database of weight 3 has three times as many scopes as one of weight 1; one of weight 0 gives all away."""
    store = machine.open(a=3.0, b=1.0)
    many = [Scope("helper", str(number), "work") for number in range(400)]
    count = Counter(store.place(scope) for scope in many)
    assert 2.2 < count["a"] / count["b"] < 4.2
    for scope in SCOPES[:15]:
        say(store, scope, "hello")
    emptied = machine.open(a=0.0, b=1.0, change=True)
    emptied.rebalance(entries)
    assert {emptied.place(scope) for scope in SCOPES[:15]} == {"b"}
    assert len(emptied.scopes()) == 15


@pytest.mark.parametrize("weights", [{}, {"a": 0.0}, {"a": 1.0, "b": -1.0}])
def test_databases_that_can_take_nothing_are_refused(weights: dict[str, float]) -> None:
    """No database, none with a weight above 0, or one with a negative weight is an error that says what to do."""
    with pytest.raises(InvalidSetting) as told:
        ShardedStore(
            {name: Database(RamStore(), weight) for name, weight in weights.items()}, FixedClock(START), RandomIds()
        )
    assert told.value.mend


def test_two_that_make_a_scope_at_once_make_one(machine: Machine) -> None:
    """While databases are added, a scope that an old process has just made is not made again elsewhere."""
    old = machine.open("a", "b")
    say(old, ADA, "anything")
    new = machine.open("a", "b", "c", change=True)
    scope = next(one for one in SCOPES if new.place(one) == "c" and old.place(one) == "a")
    with closing(SqliteStore(machine.folder / "a.reverie")) as behind:
        say(behind, scope, "made by the old one")  # what an old process did before the list was changed
        say(new, scope, "and by the new one", "second")
    assert [memory.text for memory in new.memories(scope)] == ["made by the old one", "and by the new one"]
