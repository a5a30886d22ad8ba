"""A dream ends, whatever the store holds, and the same whether it was interrupted or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.life.simulation import state_digest
from reverie import FixedClock, RandomIds, Reverie
from reverie.consolidate.lossless import breaches, left_out
from reverie.consolidate.pipeline import DreamStep
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.snapshot import Gathering, Outcome
from reverie.encode.memory_factory import index
from reverie.engine import dreams
from reverie.engine.dreams import dream
from reverie.engine.undo import undo
from reverie.errors import InvalidInput
from reverie.events import Action, Changed, Draft, DreamStage, Dreamt, Erased, Forgotten, Formed, alteration
from reverie.ports import Store
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.exocortex import DREAM as EXOCORTEX
from reverie.recipes.published.ocean import DREAM as OCEAN
from reverie.recipes.published.openclaw import DREAM as OPENCLAW
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import BY_DREAM, Kind, Memory, Role, Standing, State
from tests.engine.lives import FORMED, MODEL, NOW, SCOPE, Life, means_for
from tests.engine.test_dreams import Dying, Killed, Meddling
from tests.spoken import english, turkish

RECIPES = {"v9": V9, "reverie": REVERIE, "exocortex": EXOCORTEX, "openclaw": OPENCLAW, "ocean": OCEAN}
ALL = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
DOCUMENT_D = pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])


def written(store: Store, *memories: Memory) -> None:
    """Put memories into a store, indexed as the engine would."""
    with store.begin(SCOPE, durable=False) as tx:
        for memory in memories:
            entry = index(memory, MODEL.embed_passages([memory.text])[0], MODEL.info)
            salt = memory.id.encode()[:16].ljust(16, b".")
            tx.append(Draft(SCOPE, NOW, "tester", Action.FORM, "", Formed((memory,)), salt), (entry,))


def note(number: int, text: str, *, sources: Sequence[str] = (), kind: Kind = Kind.FACT, **life: Any) -> Memory:
    """A formed memory about one boat, from a month ago."""
    at = NOW - timedelta(days=30, minutes=-number)
    return Memory(
        id=f"n{number:05}",
        scope=SCOPE,
        kind=kind,
        text=text,
        at=at,
        recorded_at=at,
        session="s",
        seq=number,
        speaker="Ada",
        role=Role.USER,
        sources=tuple(sources),
        entities=("entity://thing/boat",),
        standing=Standing(**life),
    )


def about_a_boat(count: int, source: str = "") -> RamStore:
    """So many different memories of one entity, all of one episode or of none."""
    store = RamStore()
    sources = (source,) if source else ()
    written(store, *(note(n, told_of(n), sources=sources) for n in range(count)))
    return store


def told_of(number: int) -> str:
    """What is said of one part of the boat, in words that stand nowhere else."""
    words = " ".join(f"{what}{number}" for what in ("plank", "nail", "rope", "sail", "hull"))
    return f"Part {number} of the boat: {words}."


@DOCUMENT_D
@pytest.mark.req("D33")
@pytest.mark.parametrize("source", ["", "e1"])
def test_two_parts_of_one_cluster_are_two_themes(recipe: DreamSettings, source: str) -> None:
    """Of members that stem from no episode, or all from one; each theme tells its own members' words."""
    assert recipe.clustering is not None
    few = replace(recipe, clustering=replace(recipe.clustering, most=5, nearness=None))
    store = about_a_boat(15, source)
    dream(means_for(store), SCOPE, few)
    themes = [one for one in store.formed(SCOPE) if one.standing.tags[:1] == ("theme",)]
    assert len({one.text for one in themes}) == len({one.id for one in themes}) == 3
    edges = store.relations(SCOPE, [theme.id for theme in themes])
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    assert ends - {one.id for one in store.formed(SCOPE) if one.is_dreamt} == {f"n{n:05}" for n in range(15)}
    assert store.check() == []


@DOCUMENT_D
@pytest.mark.req("D33")
def test_ten_thousand_of_one_entity(recipe: DreamSettings, share: Callable[[int], int]) -> None:
    """The dream ends, and a second one of the night finds nothing to do."""
    store = about_a_boat(share(10_000))
    dream(means_for(store), SCOPE, recipe)
    assert dream(means_for(store, seed=2, at=NOW + timedelta(hours=1)), SCOPE, recipe).changed == 0
    assert store.check() == []


WORDS = st.sampled_from(
    (
        "The safe is locked.",
        "The tap drips in the kitchen.",
        "Ada does not eat nuts.",
        "Ada fıstık yemiyor.",
        "Mert flies to Ankara on 5 May.",
        "Mert 5 Mayıs'ta Ankara'ya uçuyor.",
        "Zeynep has {} cats.",
        "Always answer in short sentences.",
        "",
        "\ud83d \x00 שלום {}",
    )
)
LIVES = st.fixed_dictionaries(
    {},
    optional={
        "pinned": st.just(True),
        "immutable": st.just(True),
        "flashbulb": st.just(True),
        "verified": st.just(True),
        "utility": st.floats(0.0, 1.0),
        "importance": st.floats(0.0, 1.0),
        "stability_days": st.sampled_from((0.001, 1.0, 1e300)),
        "data_source": st.sampled_from(("federation", "system", "user_message")),
        "write_source": st.sampled_from(("manual", "observer", "import", BY_DREAM)),
        "tags": st.sampled_from((("theme", "boat"), ("category", "fact"), ("pattern", "boat"), ("home", "trip"))),
        "superseded_by": st.sampled_from(("n00000", "n00001", "gone")),
        "time_bounded": st.just(True),
    },
)
MEMORIES = st.lists(
    st.tuples(
        WORDS,
        st.integers(0, 3),
        st.sampled_from(FORMED),
        LIVES,
        st.sampled_from(("Ada", "Bo", "")),
        st.sampled_from(((), ("e1",), ("e1", "e2", "e3"))),
    ),
    min_size=1,
    max_size=40,
)


def made_up(drawn: list[tuple[str, int, Kind, dict[str, Any], str, tuple[str, ...]]]) -> RamStore:
    """A store of memories of every kind: notes, corrections, federated, merged, protected ones, by two writers."""
    store = RamStore()
    for number, (text, amount, kind, life, speaker, sources) in enumerate(drawn):
        one = note(number, text.format(amount), sources=sources, kind=kind, **life)
        written(store, replace(one, speaker=speaker, valid_until=NOW if life.get("time_bounded") else None))
    return store


@pytest.mark.req("D33")
@settings(deadline=None, max_examples=25)
@given(drawn=MEMORIES, name=st.sampled_from(sorted(RECIPES)), part=st.floats(0.0, 1.0))
def test_a_dream_over_anything_ends_the_same_when_killed(drawn: Any, name: str, part: float) -> None:
    """Two nights over a made-up store: killed anywhere and resumed, it has the digest of one that was not."""
    recipe = RECIPES[name]
    counting = Dying(made_up(drawn), -1)
    report = dream(means_for(counting), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
    assert not [step for step in report.steps if step.failed]
    wanted, writes = state_digest(counting, SCOPE), -1 - counting.left  # type: ignore[arg-type]  # the rest is the store's
    store, survived = made_up(drawn), max(1, int(part * writes))  # killed before its first write it never began
    if survived < writes:
        with pytest.raises(Killed):
            dream(means_for(Dying(store, survived)), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
        dream(means_for(store, seed=2), SCOPE, recipe)
        assert state_digest(store, SCOPE) == wanted
    later = means_for(counting, seed=3, at=NOW + timedelta(days=1))  # type: ignore[arg-type]  # the rest is the store's
    dream(later, SCOPE, recipe)
    assert counting.check() == []


@DOCUMENT_D
@pytest.mark.req("D33")
def test_a_dream_killed_at_each_write_ends_the_same(recipe: DreamSettings, share: Callable[[int], int]) -> None:
    """With every write of the dream as the place of its death."""
    assert recipe.clustering is not None
    few = replace(recipe, clustering=replace(recipe.clustering, most=5, nearness=None))
    counting = Dying(about_a_boat(23), -1)
    dream(means_for(counting), SCOPE, few)  # type: ignore[arg-type]  # the rest is the store's
    wanted, writes = state_digest(counting, SCOPE), -1 - counting.left  # type: ignore[arg-type]  # the rest is the store's
    for survived in range(1, writes, 10 // share(10)):
        store = about_a_boat(23)
        with pytest.raises(Killed):
            dream(means_for(Dying(store, survived)), SCOPE, few)  # type: ignore[arg-type]  # the rest is the store's
        dream(means_for(store, seed=9, at=NOW + timedelta(minutes=5)), SCOPE, few)
        assert state_digest(store, SCOPE) == wanted, survived


def gone(store: Store, name: str) -> None:
    """Somebody erases a memory."""
    with store.begin(SCOPE, durable=True) as tx:
        events = tx.events_about(SCOPE, (name,)).emptied
        tx.append(Draft(SCOPE, NOW, "ada", Action.ERASE, "asked", Erased((name,), events), bytes(16)))


def forgotten(store: Store, name: str) -> None:
    """Somebody forgets a memory."""
    with store.begin(SCOPE, durable=True) as tx:
        tx.append(Draft(SCOPE, NOW, "ada", Action.FORGET, "", Forgotten(name, None, NOW), bytes(16)))


def corrected(store: Store, name: str) -> None:
    """Somebody gives a memory other words."""
    memory = store.memory(SCOPE, name)
    assert memory is not None
    change = alteration(memory, "put right", text="The boat was sold.")
    entry = index(replace(memory, text="The boat was sold."))
    with store.begin(SCOPE, durable=True) as tx:
        tx.append(Draft(SCOPE, NOW, "ada", Action.CHANGE, "", Changed((change,)), bytes(16)), (entry,))


@DOCUMENT_D
@pytest.mark.req("D33", "D20")
@pytest.mark.parametrize("meddle", [gone, forgotten, corrected])
def test_whatever_somebody_does_meanwhile_the_dream_ends(
    recipe: DreamSettings, meddle: Callable[[Store, str], None]
) -> None:
    """At each moment in which the store is free; what was erased is in nothing that was made afterwards."""
    for after in range(1, 60, 3):
        store = about_a_boat(15)
        lock = Meddling(lambda: meddle(store, "n00003"), after=after)  # noqa: B023 - called in this round
        dream(replace(means_for(store), lock=lock), SCOPE, recipe)
        head = next((event.seq for event in store.events(SCOPE, actions={Action.ERASE})), 10**9)
        later = [event.payload for event in store.events(SCOPE, after=head, actions={Action.FORM})]
        words = [one.text for payload in later if isinstance(payload, Formed) for one in payload.added]
        assert not [text for text in words if told_of(3) in text]
        assert store.check() == []


@DOCUMENT_D
@pytest.mark.req("D33", "D20")
@pytest.mark.parametrize("meddle", [gone, forgotten, corrected])
def test_what_somebody_did_while_a_dream_lay_dead_is_kept(
    recipe: DreamSettings, meddle: Callable[[Store, str], None]
) -> None:
    """A theme that was made of it before the death goes, or says no more than it did; the dream ends."""
    counting = Dying(about_a_boat(15), -1)
    dream(means_for(counting), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
    for survived in range(-1 - counting.left):
        store = about_a_boat(15)
        with pytest.raises(Killed):
            dream(means_for(Dying(store, survived)), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
        meddle(store, "n00003")
        assert dream(means_for(store, seed=2), SCOPE, recipe).steps
        assert store.check() == []
        means = means_for(store, seed=3)
        if meddle is not gone:
            undo(store, SCOPE, means.clock, means.ids, means.lock)


@DOCUMENT_D
@pytest.mark.req("D33")
def test_a_step_that_fails_is_reported_and_the_others_go_on(
    recipe: DreamSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step in turn; it writes nothing, the dream ends, and the report names the step and the error."""
    real = dreams.steps
    for name in recipe.order:

        def broken(wanted: DreamSettings, failing: StepName = name) -> Any:
            def act(*_: object) -> Any:
                raise ZeroDivisionError("no such number")

            return tuple(replace(one, act=act) if one.name is failing else one for one in real(wanted))

        monkeypatch.setattr(dreams, "steps", broken)
        store = RamStore()
        Life(store, 3).live(40)
        report = dream(means_for(store), SCOPE, recipe)
        assert [(one.name, one.failed) for one in report.steps if one.failed] == [
            (name, "ZeroDivisionError: no such number")
        ]
        assert [one.name for one in report.steps] == list(recipe.order)
        assert f"{name}: failed and did nothing: ZeroDivisionError: no such number" in report.lines()
        assert not [event for event in store.events(SCOPE) if event.why.endswith(f": {name}")]
        assert dream(means_for(store, seed=2), SCOPE, recipe).changed == 0


DENYING = {"not", "never", "no", "yemiyor", "değil"}


def _particulars(text: str) -> set[str]:
    """Names, numbers and denials of the made-up words above, by their signs alone."""
    words = [word.strip(".!,") for word in text.split()]
    return {word for n, word in enumerate(words) if word.isdigit() or word in DENYING or (n and word[:1].isupper())}


@pytest.mark.req("D33", "D17")
@settings(deadline=None, max_examples=40)
@given(drawn=MEMORIES, name=st.sampled_from(sorted(RECIPES)), nights=st.integers(1, 3))
def test_nothing_stands_in_for_what_it_does_not_hold(drawn: Any, name: str, nights: int) -> None:
    """Whatever a recipe's dreams close for another memory has its names, numbers and denials in that one's words."""
    store = made_up(drawn)
    before = {one.id: one for one in store.formed(SCOPE)}
    for night in range(nights):
        dream(means_for(store, seed=night, at=NOW + timedelta(days=20 * night)), SCOPE, RECIPES[name])
    after = {one.id: one for one in store.formed(SCOPE)}
    for one in after.values():
        heir = after.get(one.standing.superseded_by)
        was = before.get(one.id)
        if heir is None or (was is not None and was.standing.superseded_by == one.standing.superseded_by):
            continue
        assert _particulars(one.text) <= _particulars(heir.text) | {heir.text.split()[0].strip(".")}
        assert one.speaker == heir.speaker


@pytest.mark.req("D33", "D17")
@settings(deadline=None, max_examples=25)
@given(drawn=MEMORIES, data=st.data())
def test_no_step_can_break_the_law(drawn: Any, data: st.DataObject) -> None:
    """A step that closes by chance what it likes, for what it likes, or gives a memory other words, closes nothing."""
    store = made_up(drawn)
    before = {one.id: one for one in store.formed(SCOPE)}
    names = st.sampled_from(sorted(before))
    pairs = data.draw(st.lists(st.tuples(names, names, st.booleans()), max_size=20, unique_by=lambda pair: pair[0]))

    def act(*_: object) -> Outcome:
        gathering = Gathering()
        for one, heir, asleep in pairs:
            state = State.DORMANT if asleep else State.SUPERSEDED
            gathering.alter(before[one], "by chance", state=state, superseded_by=heir)
        return gathering.outcome()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dreams, "steps", lambda _: (DreamStep(StepName.REDUNDANCY, act),))
        report = dream(means_for(store), SCOPE, V9)
    assert not [step for step in report.steps if step.failed]
    for one in store.formed(SCOPE):
        if one.standing != before[one.id].standing:
            heir = store.memory(SCOPE, one.standing.superseded_by)
            assert heir is not None
            assert left_out(heir, one) == ()


def closed_by(store: Store, cycle: str, **heirs: str) -> None:
    """A dream of a time without the law: it closes memories for others, whatever those say."""
    changes = []
    for name, heir in heirs.items():
        memory = store.memory(SCOPE, name)
        assert memory is not None
        changes.append(alteration(memory, "as it was done", state=State.SUPERSEDED, superseded_by=heir))
    with store.begin(SCOPE, durable=True) as tx:
        for stage in (DreamStage.BEGUN, DreamStage.DONE):
            tx.append(Draft(SCOPE, NOW, "helper", Action.DREAM, "", Dreamt(cycle, "p", stage), bytes(16)))
        why = f"dream {cycle}: consolidation"
        tx.append(Draft(SCOPE, NOW, "helper", Action.CHANGE, why, Changed(tuple(changes), cycle), bytes(16)))


@pytest.mark.req("D33")
def test_verify_names_what_an_older_dream_lost(tmp_path: Path) -> None:
    """And the mend it names mends it; what was closed for what holds it, or by a person, is no fault."""
    file = tmp_path / "old.db"
    store = SqliteStore(file)
    with closing(store):
        texts = ("The safe is locked.", "The tap drips.", "Ada has 5 cats.", "Ada has 5 cats. They sleep.", "It rains.")
        written(store, *(note(n, text) for n, text in enumerate(texts)))
        closed_by(store, "old", n00000="n00001", n00002="n00003")
        memory = store.memory(SCOPE, "n00004")
        assert memory is not None
        person = alteration(memory, "no", state=State.SUPERSEDED, superseded_by="n00001")
        with store.begin(SCOPE, durable=True) as tx:
            tx.append(Draft(SCOPE, NOW, "ada", Action.CHANGE, "no", Changed((person,)), bytes(16)))
    with Reverie.open(file, clock=FixedClock(NOW), ids=RandomIds(seed=1)) as engine:
        (fault,) = engine.admin.verify()
        assert fault.name == "lost-in-a-dream"
        assert "n00000" in fault.what
        assert "n00001" in fault.what
        assert "`reverie memory revive n00000`" in fault.mend
        assert "`reverie undo --cycle old`" in fault.mend
        revived = engine.admin.revive("n00000", SCOPE)
        assert (revived.standing.state, revived.standing.superseded_by) == (State.ACTIVE, "")
        assert engine.admin.verify() == []
        with pytest.raises(InvalidInput):
            engine.admin.revive("n00004", SCOPE)


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("closed", "heir"),
    [
        *english(
            ("Ada writes C# at work.", "Ada writes C++ at work."),
            ("Ada eats nuts.", "It is untrue that Ada eats nuts."),
            ("Ada lives in Oslo with two cats.", "Ada lives in Oslo."),
        ),
        *turkish(
            ("Ada işte C# yazıyor.", "Ada işte C++ yazıyor."),
            ("Ada fıstık yer.", "Ada fıstık yer değil."),
            ("Ada iki kedisiyle Oslo'da yaşıyor.", "Ada Oslo'da yaşıyor."),
        ),
    ],
)
def test_verify_sees_what_signs_and_denials_in_any_words_lose(closed: str, heir: str) -> None:
    """The law that is kept is the one that is verified."""
    store = RamStore()
    written(store, note(0, closed), note(1, heir))
    closed_by(store, "old", n00000="n00001")
    (breach,) = breaches(store, SCOPE)
    assert (breach.memory.id, breach.heir.id) == ("n00000", "n00001")
    assert breach.lost


@pytest.mark.req("D33")
def test_verify_does_not_take_a_persons_words_for_a_loss() -> None:
    """Whoever gives the memory that stands in other words says what is so now."""
    store = RamStore()
    written(store, note(0, "Ada has 5 cats."), note(1, "Ada has 5 cats. They sleep."))
    closed_by(store, "old", n00000="n00001")
    assert list(breaches(store, SCOPE)) == []
    corrected(store, "n00001")
    assert list(breaches(store, SCOPE)) == []
