from dataclasses import replace

import pytest

from reverie.types import State
from reverie.vault.linking.diff import Act, FieldMerge, judge, judge_shared, late, merged
from reverie.vault.linking.links import Fields, FilePlace, of_memory
from reverie.vault.linking.scan import FilePair, SeenFiles, tied
from tests.vault.linking.test_links import NOW
from tests.vault.linking.test_scan import file, known

CASES = [
    ("as it was", "as it was", Act.NOTHING, False),
    ("edited", "as it was", Act.CORRECT, False),
    ("as it was", "reworded", Act.REWORD, False),
    ("edited", "reworded", Act.CONFLICT, True),
    ("archived", "as it was", Act.FORGET, False),
    ("deleted", "as it was", Act.FORGET, False),
    ("as it was", "forgotten", Act.ARCHIVE, False),
    ("as it was", "superseded", Act.ARCHIVE, False),
    ("as it was", "asleep", Act.ARCHIVE, False),
    ("edited", "forgotten", Act.NOTE, True),
    ("deleted", "reworded", Act.RETURN, True),
    ("archived", "reworded", Act.RETURN, True),
    ("deleted", "forgotten", Act.NOTHING, False),
    ("archived", "superseded", Act.NOTHING, False),
    ("edited", "in quarantine", Act.NOTE, False),
    ("as it was", "in quarantine", Act.NOTHING, False),
    ("deleted", "in quarantine", Act.NOTHING, False),
]


def pair(mine: str, theirs: str) -> FilePair:
    """A file and a memory that agreed, and what became of each."""
    before, memory = file("a", "one"), known("m1", "one")
    now: dict[str, SeenFiles | None] = {
        "as it was": before,
        "edited": file("a", "two"),
        "archived": replace(before, place=FilePlace.ARCHIVE),
        "deleted": None,
    }
    states = {"superseded": State.SUPERSEDED, "asleep": State.DORMANT, "in quarantine": State.QUARANTINED}
    after = known("m1", "three" if theirs == "reworded" else "one", state=states.get(theirs, State.ACTIVE))
    if theirs == "forgotten":
        after = replace(after, valid_until=NOW)
    return FilePair(tied(before, memory, NOW, shared=False), now[mine], after)


@pytest.mark.parametrize(("mine", "theirs", "act", "conflict"), CASES)
def test_what_becomes_of_a_pair(mine: str, theirs: str, act: Act, conflict: bool) -> None:
    """What changed on one side goes to the other; where both changed, both are kept."""
    verdict = judge(pair(mine, theirs), NOW, same=False)
    assert (verdict.act, verdict.conflict) == (act, conflict)


def test_both_saying_the_same_is_nothing() -> None:
    """However they came to say it."""
    assert judge(pair("edited", "reworded"), NOW, same=True).act is Act.NOTHING


@pytest.mark.parametrize(
    ("state", "act"), [(State.ACTIVE, Act.REOPEN), (State.DORMANT, Act.REOPEN), (State.SUPERSEDED, Act.NOTE)]
)
def test_a_file_that_comes_back(state: State, act: Act) -> None:
    """Its memory holds again; what something else took the place of is noted anew."""
    gone = replace(known("m1", "one", state=state), valid_until=NOW)
    away = replace(tied(file("a", "one"), gone, NOW, shared=False), place=FilePlace.GONE)
    assert judge(FilePair(away, file("a", "one"), gone), NOW, same=True).act is act


def test_a_memory_that_holds_again_brings_its_file_back() -> None:
    """From the archive, or written anew."""
    memory = known("m1", "one")
    gone = replace(tied(file("a", "one"), replace(memory, valid_until=NOW), NOW, shared=False), place=FilePlace.ARCHIVE)
    archived = replace(file("a", "one"), place=FilePlace.ARCHIVE)
    for there in (archived, None):
        assert judge(FilePair(gone, there, memory), NOW, same=True).act is Act.RETURN


SHARED = [
    ("edited", "as it was", Act.NOTE),
    ("edited", "reworded", Act.NOTE),
    ("as it was", "reworded", Act.NOTHING),
    ("as it was", "forgotten", Act.NOTHING),
    ("edited", "forgotten", Act.NOTE),
    ("deleted", "as it was", Act.FORGET),
    ("deleted", "forgotten", Act.NOTHING),
    ("edited", "in quarantine", Act.NOTE),
]


@pytest.mark.parametrize(("mine", "theirs", "act"), SHARED)
def test_a_shared_file_is_only_read(mine: str, theirs: str, act: Act) -> None:
    """What an agent makes of it is its own."""
    assert judge_shared(pair(mine, theirs), NOW, same=False).act is act


def fields(mine: Fields, theirs: dict[str, object]) -> FieldMerge:
    """What goes where, from .5, unverified, tagged `campaign` on both sides."""
    before, memory = file("a", "one"), known("m1", "one", importance=0.5, tags=("campaign",))
    return merged(
        FilePair(tied(before, memory, NOW, shared=False), replace(before, fields=mine), memory),
        known("m1", "one", **({"importance": 0.5, "tags": ("campaign",)} | theirs)),
    )


def test_importance_goes_as_what_it_gained() -> None:
    """A change on each side is no conflict, the same change on both is one, and the ends are 0 and 1."""
    same = ("campaign",)
    assert fields(Fields(0.7, False, same), {}).to_engine == pytest.approx(0.7)
    assert fields(Fields(0.5, False, same), {"importance": 0.3}).to_file == pytest.approx(0.3)
    both = fields(Fields(0.7, False, same), {"importance": 0.4})
    assert (both.to_engine, both.to_file) == (pytest.approx(0.6), pytest.approx(0.6))
    assert not fields(Fields(0.7, False, same), {"importance": 0.7}).amends
    assert fields(Fields(1.0, False, same), {"importance": 0.9}).to_engine == 1.0


def test_tags_and_verification_go_where_they_changed() -> None:
    """The file's tags are the memory's; what the engine adds is added to the file."""
    new = fields(Fields(0.5, True, ("cpl",)), {})
    assert (new.tag_engine, new.verify_engine, new.edits) == (("cpl",), True, False)
    theirs = fields(Fields(0.5, False, ("campaign",)), {"verified": True, "tags": ("campaign", "promoted")})
    assert (theirs.tag_file, theirs.verify_file, theirs.amends) == (("promoted",), True, False)
    assert fields(Fields(0.5, False, ("campaign",), ("x",)), {}).links == ("x",)


def test_what_could_not_be_written_is_still_to_be_written() -> None:
    """The engine's fields are known without what waits for the file."""
    before, memory = file("a", "one"), known("m1", "one", tags=("campaign",))
    pair = FilePair(tied(before, memory, NOW, shared=False), before, memory)
    after = known("m1", "one", importance=0.8, verified=True, tags=("campaign", "x"))
    merge = merged(pair, after)
    assert late(pair, merge, of_memory(after)) == Fields(pytest.approx(0.5), False, ("campaign",))  # type: ignore[arg-type] # nearly that number
