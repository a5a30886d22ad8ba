"""Policies: every verb is asked, for every caller, and what is denied is neither done nor shown."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from reverie import FixedClock, Question, Reverie, Scope, Trigger
from reverie.encode.notes import Note
from reverie.engine import governance
from reverie.engine.governance import EVERYBODY, Permission, Policy, Rules, policy_in, record_of
from reverie.engine.requests import Caller, calling
from reverie.engine.retention import Retention
from reverie.errors import Conflict, Denied, InvalidInput, NotFound, ReverieError
from reverie.ops.log import OpsLog, read_log
from reverie.types import Kind, Memory, Record
from tests.postgres_server import STORES, place

SCOPE = Scope("assistant", "ada", "house")
OTHER = Scope("assistant", "ada", "office")
START = datetime(2026, 3, 1, tzinfo=UTC)
OWNER = "ada"


def caller(name: str) -> Any:
    """Calls in the block come from this caller."""
    return calling(Caller(name))


def note(text: str, kind: Kind = Kind.FACT, *tags: str) -> Note:
    """A memory by hand."""
    return Note(text, kind=kind, tags=tags)


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reverie]:
    """An engine without a model, in which nobody governs yet."""
    with Reverie.open(place(request.param, tmp_path), embedder=None, clock=FixedClock(START)) as engine:
        yield engine


def govern(memory: Reverie, *policies: Policy) -> None:
    """The owner may do everything; then come these."""
    with caller(OWNER):
        for policy in (Policy("owner", OWNER, tuple(Permission)), *policies):
            memory.admin.set_policy(policy, SCOPE)


# Deciding: the laws of the rules, against a plain reference.


def reference(policies: list[Policy], principal: str, permission: Permission, memory: tuple[Kind, set[str]]) -> bool:
    """What the documentation says: some policy allows it, and none denies it."""
    kind, tags = memory
    about = [
        one
        for one in policies
        if permission in one.permissions
        and (one.principal == principal or one.principal == EVERYBODY)
        and (one.kinds == () or kind in one.kinds)
        and (one.tags == () or any(tag in tags for tag in one.tags))
    ]
    return len(about) > 0 and not any(not one.allows for one in about)


def made_up(chance: Random, number: int) -> Policy:
    """Any policy that can be written."""
    permissions = tuple(chance.sample(list(Permission), chance.randint(1, 3)))
    free = Permission.GOVERN in permissions
    return Policy(
        f"p{number}",
        chance.choice(["ada", "grace", "eve", EVERYBODY]),
        permissions,
        () if free else tuple(chance.sample([Kind.EPISODE, Kind.FACT, Kind.PREFERENCE], chance.randint(0, 2))),
        () if free else tuple(chance.sample(["health", "work"], chance.randint(0, 2))),
        chance.random() < 0.7,
    )


@pytest.mark.req("D51")
@pytest.mark.parametrize("seed", range(20))
def test_a_generated_matrix_is_decided_as_the_reference_says(seed: int) -> None:
    """Caller × permission × kind × tags over made-up policies, those that contradict among them."""
    chance = Random(seed)
    policies = [made_up(chance, number) for number in range(chance.randint(1, 6))]
    held = [policy_in(record_of(one, SCOPE)) for one in policies]
    assert held == policies
    kinds, tags = (Kind.EPISODE, Kind.FACT, Kind.PREFERENCE), (set(), {"health"}, {"work"}, {"health", "work"})
    for principal, permission in product(["ada", "grace", "eve", "nobody"], Permission):
        rules = Rules(held, principal)
        cells = {(k, frozenset(t)): reference(policies, principal, permission, (k, t)) for k in kinds for t in tags}
        assert {cell: rules.on(permission, *cell) for cell in cells} == cells
        if rules.everywhere(permission):
            assert all(cells.values())
        if any(cells.values()):
            assert rules.somewhere(permission)


@pytest.mark.req("D51")
def test_a_policy_that_cannot_be_read_denies_whom_it_names() -> None:
    """A damaged record must not open what it closed."""
    rules = Rules([policy_in(Record(SCOPE, "policy", "p", "eve", "{"))], "eve")
    assert not any(rules.somewhere(one) for one in Permission)


# Asking: every verb of every collaborator.


def verbs() -> dict[str, Callable[..., object]]:
    """Every public method of a collaborator that names a scope, by name."""
    found: dict[str, Callable[..., object]] = {}
    with Reverie.open(":memory:", embedder=None) as engine:
        parts = engine._parts
        for name in (
            "ingestion",
            "curation",
            "eraser",
            "retrieval",
            "consolidation",
            "transfer",
            "governance",
            "grants",
            "retaining",
            "prospects",
            "skill_memory",
            "jobs",
        ):
            inner = getattr(parts, name)._inner
            for verb, method in inspect.getmembers(inner, inspect.ismethod):
                if not verb.startswith("_") and any(
                    hint in ("Scope", "Grant") or "Scope" in str(hint) for hint in method.__annotations__.values()
                ):
                    found[verb] = method
    return found


NOT_OF_A_SCOPE = {"scopes", "admission"}
"""Return scopes, or are about the whole store."""


@pytest.mark.req("D51")
def test_every_verb_that_names_a_scope_has_its_permission() -> None:
    """A new one without is an error, not a hole."""
    known = {
        *governance._OPEN,
        *governance._GOVERNING,
        *governance._FILTERED,
        *governance._FINDING,
        *governance._ON_ONE,
        *governance._WHOLE,
        *governance._SAYING,
    }
    assert set(verbs()) - NOT_OF_A_SCOPE == known


CALLS: dict[str, tuple[Permission, Callable[[Reverie, str], object]]] = {
    "recall": (Permission.READ, lambda m, _: m.recall("tea", SCOPE)),
    "explain": (Permission.READ, lambda m, _: m.explain("tea", SCOPE)),
    "timeline": (Permission.READ, lambda m, _: m.timeline(SCOPE)),
    "memory": (Permission.READ, lambda m, one: m.memory(one, SCOPE)),
    "history": (Permission.READ, lambda m, one: m.admin.history(one, SCOPE)),
    "provenance": (Permission.READ, lambda m, one: m.admin.provenance(one, SCOPE)),
    "expand": (Permission.READ, lambda m, one: m.admin.expand(one, SCOPE)),
    "condense": (Permission.READ, lambda m, _: m.admin.condense(SCOPE, session="default")),
    "formed": (Permission.READ, lambda m, _: m.admin.formed(SCOPE)),
    "events": (Permission.READ, lambda m, _: m.admin.events(SCOPE)),
    "stats": (Permission.READ, lambda m, _: m.admin.stats(SCOPE)),
    "graph": (Permission.READ, lambda m, one: m.admin.graph(one, SCOPE)),
    "held_of": (Permission.READ, lambda m, _: m.admin.held_of("Zeynep", [SCOPE])),
    "export": (Permission.READ, lambda m, _: m.transfer.export_memories(BytesIO(), SCOPE)),
    "export_journal": (Permission.READ, lambda m, _: m.transfer.export_journal(BytesIO(), SCOPE)),
    "remember": (Permission.WRITE, lambda m, _: m.remember("tea again", SCOPE)),
    "observe": (Permission.WRITE, lambda m, _: m.observe("I like tea.", SCOPE)),
    "note": (Permission.WRITE, lambda m, _: m.admin.note([note("tea at four")], SCOPE)),
    "correct": (Permission.WRITE, lambda m, one: m.correct(one, "coffee", SCOPE)),
    "feedback": (Permission.WRITE, lambda m, one: m.feedback(one, SCOPE, "used")),
    "pin": (Permission.WRITE, lambda m, one: m.admin.pin(one, SCOPE)),
    "restore": (Permission.WRITE, lambda m, one: m.restore(one, SCOPE)),
    "dream": (Permission.WRITE, lambda m, _: m.dream(SCOPE)),
    "undo": (Permission.WRITE, lambda m, _: m.undo(SCOPE, event=1)),
    "forget": (Permission.FORGET, lambda m, one: m.forget(one, SCOPE)),
    "erase": (Permission.FORGET, lambda m, one: m.admin.erase(one, SCOPE, why="asked")),
    "erase_all": (Permission.FORGET, lambda m, one: m.admin.erase_all({SCOPE: [one]}, why="asked")),
    "set_policy": (Permission.GOVERN, lambda m, _: m.admin.set_policy(Policy("mine", "eve", ("read",)), SCOPE)),
    "drop_policy": (Permission.GOVERN, lambda m, _: m.admin.drop_policy("mine", SCOPE)),
    "set_retention": (Permission.GOVERN, lambda m, _: m.admin.set_retention(Retention("r", 1, tags=("x",)), SCOPE)),
    "drop_retention": (Permission.GOVERN, lambda m, _: m.admin.drop_retention("r", SCOPE)),
}


@pytest.mark.req("D51")
@pytest.mark.parametrize("verb", CALLS)
def test_a_verb_is_done_only_by_whom_its_permission_was_given(verb: str, memory: Reverie) -> None:
    """Each permission alone opens its own verbs and no others, and a denied call changes nothing."""
    needed, call = CALLS[verb]
    one = memory.remember("Tea is in the blue tin.", SCOPE).id
    held = {one: {one, Permission.READ} if one is Permission.WRITE else {one} for one in Permission}
    govern(memory, *(Policy(f"only {one}", f"{one}er", tuple(held[one])) for one in Permission))
    for permission in Permission:
        before = memory.admin.digest()
        with caller(f"{permission}er"):
            if needed in held[permission]:
                try:
                    call(memory, one)
                except Denied:
                    pytest.fail(f"{permission} does not suffice for {verb}")
                except ReverieError:
                    pass
            else:
                with pytest.raises(Denied, match=rf"'{permission}er' to {needed}"):
                    call(memory, one)
                assert memory.admin.digest() == before
    with caller("stranger"), pytest.raises(Denied, match="reverie audit policy"):
        call(memory, one)


@pytest.mark.req("D51")
def test_another_scope_stays_open(memory: Reverie) -> None:
    """Policies bind their own scope alone."""
    govern(memory)
    with caller("stranger"):
        memory.remember("The office has a plant.", OTHER)
        assert memory.recall("plant", OTHER).hits
        with pytest.raises(Denied):
            memory.admin.erase_all({OTHER: [], SCOPE: []}, why="asked")


# Limits by kind and tag.


@pytest.mark.req("D51")
def test_a_limited_reader_finds_what_is_allowed_and_sees_no_trace_of_the_rest(memory: Reverie) -> None:
    """In recall, with its explanation, as of a date, in lists and one by one; the owner sees all."""
    texts = {
        "The doctor's appointment is about the knee.": ("health",),
        "The doctor likes the garden.": ("garden",),
        "Nobody tagged the doctor here.": (),
    }
    made = memory.admin.note([note(text, Kind.FACT, *tags) for text, tags in texts.items()], SCOPE)
    memory.relate(made[0].id, made[1].id, SCOPE, "causes")
    govern(memory, Policy("gardener", "eve", ("read",), tags=("garden",)))
    with caller("eve"):
        answer = memory.recall("what about the doctor?", SCOPE)
        shown = [hit.memory.text for hit in (*answer.hits, *answer.withheld, *answer.standing)]
        assert shown == ["The doctor likes the garden."]
        assert [hit.memory.id for hit in memory.explain("doctor knee", SCOPE).recollection.hits] in ([], [made[1].id])
        assert [one.id for one in memory.timeline(SCOPE)] == [made[1].id]
        assert memory.memory(made[1].id, SCOPE).text == made[1].text
        for call in (memory.memory, memory.admin.history):
            with pytest.raises(Denied):
                call(made[0].id, SCOPE)
        with pytest.raises(Denied):
            memory.admin.relations(SCOPE)
    with caller(OWNER):
        assert len(memory.timeline(SCOPE)) == 3


WORDS = ["tea", "rain", "doctor", "garden", "knee", "train"]


def live(memory: Reverie, chance: Random) -> None:
    """Messages, notes of several kinds and tags, and corrections."""
    kinds = (Kind.FACT, Kind.PREFERENCE, Kind.DECISION)
    for _ in range(40):
        text = " ".join(chance.sample(WORDS, 3))
        if chance.random() < 0.5:
            memory.observe(f"I think the {text} matters.", SCOPE)
        else:
            memory.admin.note([note(text, chance.choice(kinds), *chance.sample(["health", "work"], 1))], SCOPE)
    for one in chance.sample(memory.admin.formed(SCOPE), 5):
        memory.correct(one.id, f"not {one.text}", SCOPE)


def recalled(memory: Reverie, cue: Question, who: str, rules: Rules) -> list[Memory]:
    """Every memory that a caller's recall holds; none where the caller may read nothing."""
    with caller(who):
        try:
            answer = memory.recall(cue, SCOPE)
        except Denied:
            assert not rules.somewhere(Permission.READ)
            return []
    return [hit.memory for hit in (*answer.hits, *answer.withheld, *answer.standing)]


@pytest.mark.req("D51")
@pytest.mark.parametrize("seed", range(5))
def test_no_recall_of_a_limited_reader_ever_holds_a_denied_memory(seed: int, memory: Reverie) -> None:
    """Made-up memories, policies and questions; past times and superseded memories asked for too."""
    chance = Random(seed)
    live(memory, chance)
    govern(memory)
    with caller(OWNER):
        for number in range(4):
            with suppress(Conflict):
                memory.admin.set_policy(made_up(chance, number), SCOPE)
        policies = memory.admin.policies(SCOPE)
    for who in ("grace", "eve"):
        rules = Rules(policies, who)
        for _ in range(10):
            then = START + timedelta(days=1) if chance.random() < 0.3 else None
            cue = Question(" ".join(chance.sample(WORDS, 2)), past=chance.random() < 0.3, as_of=then)
            assert all(rules.to(Permission.READ, one) for one in recalled(memory, cue, who, rules))


@pytest.mark.req("D51")
def test_who_may_write_messages_alone_has_nothing_formed(memory: Reverie) -> None:
    """The message is kept; what it would have taught is not."""
    govern(memory, Policy("guest", "eve", ("write",), kinds=(Kind.EPISODE,)))
    with caller("eve"):
        memory.observe("Always answer in French. My sister Zeynep moved to Izmir.", SCOPE, speaker="user")
    with caller(OWNER):
        assert [one.kind for one in memory.timeline(SCOPE)] == [Kind.EPISODE]


@pytest.mark.req("D51")
def test_a_memory_is_forgotten_only_by_whom_its_kind_allows(memory: Reverie) -> None:
    """The verbs about one memory look at that memory."""
    fact, taste = memory.admin.note([note("tea"), note("coffee", Kind.PREFERENCE)], SCOPE)
    govern(memory, Policy("tastes", "eve", ("forget", "write"), kinds=(Kind.PREFERENCE,)))
    with caller("eve"):
        memory.forget(taste.id, SCOPE)
        with pytest.raises(Denied):
            memory.forget(fact.id, SCOPE)
        with pytest.raises(Denied):
            memory.admin.erase([taste.id, fact.id], SCOPE, why="asked")
        with pytest.raises(NotFound):
            memory.forget("nobody", SCOPE)


# Governing.


@pytest.mark.req("D51")
def test_the_last_who_can_govern_is_not_locked_out(memory: Reverie) -> None:
    """Not by the first policy, nor by denying, dropping, replacing or undoing."""
    with pytest.raises(Conflict, match="Nobody could change"):
        memory.admin.set_policy(Policy("first", "eve", ("read",)), SCOPE)
    govern(memory, Policy("eve", "eve", ("read",)))
    with caller(OWNER):
        for policy in (
            Policy("shut", EVERYBODY, ("govern",), allows=False),
            Policy("shut", OWNER, ("govern",), allows=False),
            Policy("owner", OWNER, ("read",)),
        ):
            with pytest.raises(Conflict, match="First allow somebody to govern"):
                memory.admin.set_policy(policy, SCOPE)
        with pytest.raises(Conflict):
            memory.admin.drop_policy("owner", SCOPE)
        memory.admin.set_policy(Policy("second", "grace", ("govern", "write")), SCOPE)
        memory.admin.drop_policy("owner", SCOPE)
    with caller("grace"):
        number = memory.admin.head()
        with pytest.raises(Conflict):
            memory.undo(SCOPE, event=number - 1)
        memory.undo(SCOPE, event=number)
        assert {one.name for one in memory.admin.policies(SCOPE)} == {"owner", "eve", "second"}


@pytest.mark.req("D51")
def test_dropping_the_last_policy_opens_the_scope(memory: Reverie) -> None:
    """And a repeated setting writes no event."""
    govern(memory)
    with caller(OWNER):
        before = memory.admin.head()
        memory.admin.set_policy(Policy("owner", OWNER, tuple(Permission)), SCOPE)
        assert memory.admin.head() == before
        memory.admin.drop_policy("owner", SCOPE)
        with pytest.raises(NotFound):
            memory.admin.drop_policy("owner", SCOPE)
    assert memory.remember("Anybody can write again.", SCOPE).id


@pytest.mark.req("D51")
@pytest.mark.parametrize("alike", ["аda", "ADA", "a\u0301da", "ad\u200ba", "ada ", "\u202dada"])
def test_a_principal_that_looks_like_another_is_refused(alike: str, memory: Reverie) -> None:
    """And such a caller has no permission of the other's."""
    govern(memory)
    with caller(OWNER), pytest.raises(InvalidInput, match="looks like"):
        memory.admin.set_policy(Policy("twin", alike, ("read",)), SCOPE)
    with caller(alike), pytest.raises(Denied):
        memory.recall("tea", SCOPE)


@pytest.mark.req("D51")
@pytest.mark.parametrize(
    "values",
    [
        {"name": " "},
        {"principal": ""},
        {"principal": "a\nb"},
        {"principal": "\ud800"},
        {"permissions": ()},
        {"permissions": ("rule",)},
        {"kinds": ("places",)},
        {"tags": (1,)},
        {"allows": "no"},
        {"permissions": ("govern",), "tags": ("x",)},
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(values: dict[str, Any]) -> None:
    """With what to do instead."""
    good = {"name": "p", "principal": "eve", "permissions": ("read",)}
    with pytest.raises(InvalidInput) as told:
        Policy(**(good | values))
    assert told.value.mend


@pytest.mark.req("D51")
def test_a_denial_is_logged_without_any_text(tmp_path: Path) -> None:
    """Who, what and where; not what was asked or said."""
    log = OpsLog(tmp_path / "log.jsonl", clock=FixedClock(START))
    with Reverie.open(":memory:", embedder=None, clock=FixedClock(START), log=log) as memory:
        govern(memory)
        with caller("eve"), pytest.raises(Denied):
            memory.recall("Where does Zeynep live?", SCOPE)
    log.close()
    (entry,) = [one for one in read_log(tmp_path / "log.jsonl") if one.op == "denied"]
    assert (dict(entry.fields)["output"], entry.success, entry.scope) == ("eve: recall", False, SCOPE)
    assert "Zeynep" not in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


# Retention.


@pytest.mark.req("D51")
def test_a_dream_erases_what_is_older_than_a_rule_allows(memory: Reverie) -> None:
    """With the message it was said in, and with nothing of it left; younger, other and pinned memories stay."""
    clock = memory._context.clock
    assert isinstance(clock, FixedClock)
    old = memory.admin.note([note("Lunch was at the harbour.", Kind.FACT, "location")], SCOPE)
    kept = memory.admin.note([note("The key hangs here.", Kind.FACT, "location"), note("Tea is fine.")], SCOPE)
    memory.admin.pin(kept[0].id, SCOPE)
    memory.admin.set_retention(Retention("places", 30, tags=("location",)), SCOPE)
    assert memory.dream(SCOPE, dry_run=True).steps[-1].changed == 0
    clock.at = START + timedelta(days=31)
    young = memory.admin.note([note("Dinner is at the station.", Kind.FACT, "location")], SCOPE)
    step = memory.dream(SCOPE, dry_run=True).steps[-1]
    assert (step.name, step.changed, len(memory.timeline(SCOPE))) == ("retention", 1, 4)
    step = memory.dream(SCOPE).steps[-1]
    assert (step.changed, step.reasons) == (1, (("older than rule places allows", 1),))
    assert {one.id for one in memory.timeline(SCOPE)} == {*(one.id for one in kept), young[0].id}
    assert "harbour" not in str([event.payload for event in memory.admin.events(SCOPE)])
    with pytest.raises(NotFound):
        memory.memory(old[0].id, SCOPE)
    before = memory.admin.head()
    assert memory.dream(SCOPE).steps[-1].changed == 0
    assert memory.admin.head() == before


@pytest.mark.req("D51")
def test_the_words_of_a_message_go_with_what_was_formed_of_it(memory: Reverie) -> None:
    """A rule about formed memories that left the message would erase nothing."""
    clock = memory._context.clock
    assert isinstance(clock, FixedClock)
    memory.observe("My sister Zeynep moved to Izmir in May.", SCOPE)
    sorts = {one.removeprefix("entity://").partition("/")[0] for m in memory.admin.formed(SCOPE) for one in m.entities}
    assert sorts
    memory.admin.set_retention(Retention("people", 1, entities=tuple(sorted(sorts))), SCOPE)
    clock.at = START + timedelta(days=2)
    memory.dream(SCOPE)
    assert memory.timeline(SCOPE) == []
    memory.admin.drop_retention("people", SCOPE)
    with pytest.raises(NotFound):
        memory.admin.drop_retention("people", SCOPE)
    assert all(step.name != "retention" for step in memory.dream(SCOPE).steps)


@pytest.mark.req("D51")
@pytest.mark.parametrize(
    "values",
    [{"days": 0}, {"days": True}, {"days": float("nan")}, {"kinds": ("places",)}, {"tags": ()}, {"name": ""}],
)
def test_a_rule_that_makes_no_sense_is_refused(values: dict[str, Any]) -> None:
    """A rule about everything among them."""
    good: dict[str, Any] = {"name": "r", "days": 30, "tags": ("location",)}
    with pytest.raises(InvalidInput) as told:
        Retention(**(good | values))
    assert told.value.mend


@pytest.mark.req("D51")
def test_what_reaches_the_whole_store_asks_every_scope_with_policies(memory: Reverie, tmp_path: Path) -> None:
    """Exports, copies, and calls that name scopes in any container; another scope's calls stay open."""
    one = memory.remember("Tea is in the blue tin.", SCOPE).id
    govern(memory)
    journal = tmp_path / "journal.jsonl"
    with caller(OWNER), journal.open("wb") as out:
        memory.transfer.export_journal(out)
    with caller("stranger"):
        for call in (
            lambda: memory.transfer.export_journal(BytesIO()),
            lambda: memory.admin.backup(tmp_path / "copy.db"),
            lambda: memory.admin.replay(tmp_path / "again.db"),
            lambda: memory.admin.held_of("Zeynep", {SCOPE}),
            lambda: memory.admin.held_of("Zeynep", (scope for scope in [SCOPE])),
            lambda: memory.admin.erase_all(MappingProxyType({SCOPE: [one]}), why="asked"),
            lambda: memory.transfer.import_journal(journal, into_its_own_scopes=True),
        ):
            with pytest.raises(Denied):
                call()
        assert memory.remember("The office has a plant.", OTHER).id
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.req("D51")
def test_who_may_write_but_not_read_is_shown_nothing(memory: Reverie) -> None:
    """Verbs that return what they change need both permissions."""
    one = memory.remember("Tea is in the blue tin.", SCOPE).id
    memory.admin.intend("Call the bank.", Trigger(START), SCOPE)
    govern(memory, Policy("writer", "eve", ("write",)))
    with caller("eve"):
        for call in (
            lambda: memory.admin.pin(one, SCOPE),
            lambda: memory.feedback(one, SCOPE, "used"),
            lambda: memory.admin.hand_over(SCOPE),
            lambda: memory.admin.end_session(SCOPE),
        ):
            with pytest.raises(Denied):
                call()


@pytest.mark.req("D51")
def test_a_reader_takes_no_reminder_from_the_others(memory: Reverie) -> None:
    """Who may not write has none handed over, so that the next who may gets it."""
    memory.admin.intend("Call the bank.", Trigger(START), SCOPE)
    govern(memory, Policy("reader", "eve", ("read",)))
    with caller("eve"):
        assert memory.recall("hello", SCOPE).standing == ()
    with caller(OWNER):
        assert len(memory.recall("hello", SCOPE).standing) == 1


@pytest.mark.req("D51")
def test_the_first_policy_leaves_its_setter_governing(memory: Reverie) -> None:
    """A slip in a name locks nobody out."""
    with caller(OWNER), pytest.raises(Conflict):
        memory.admin.set_policy(Policy("first", "adaa", ("govern",)), SCOPE)
    assert memory.admin.policies(SCOPE) == []


@pytest.mark.req("D51")
def test_a_fact_that_was_said_again_lately_is_not_old(memory: Reverie) -> None:
    """Its newest message counts, and that message stays."""
    clock = memory._context.clock
    assert isinstance(clock, FixedClock)
    memory.admin.set_retention(Retention("facts", 30, kinds=(Kind.FACT,)), SCOPE)
    memory.observe("I live in Izmir.", SCOPE)
    clock.at = START + timedelta(days=29)
    again = memory.observe("I live in Izmir.", SCOPE).id
    clock.at = START + timedelta(days=31)
    memory.dream(SCOPE)
    assert memory.memory(again, SCOPE).text == "I live in Izmir."
