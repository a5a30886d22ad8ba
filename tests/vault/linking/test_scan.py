from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.errors import Conflict
from reverie.screen.values import ScreenSettings
from reverie.types import Memory, State
from reverie.vault.linking.diff import FieldMerge
from reverie.vault.linking.executor import EngineSide
from reverie.vault.linking.links import FilePlace, Tie
from reverie.vault.linking.scan import (
    FilePair,
    Folders,
    Pairs,
    SeenFiles,
    Side,
    paired,
    seen,
    seen_shared,
    tied,
    written,
)
from reverie.vault.vault import Vault
from tests.vault.linking.conftest import Both
from tests.vault.linking.test_links import NOW, memory
from tests.vault.notes import put, text

NAME = "obs-2026-02-15-001"


LATER = datetime(9000, 1, 1, tzinfo=UTC)
"""Long after any file of a test was written."""


def tie_of(vault: Vault, when: datetime) -> Tie:
    """The tie of hawk's first file, as it was seen then."""
    return tied(seen(vault.places, "hawk", (), when).files[NAME], memory(), NOW, shared=False)


def test_a_file_that_did_not_change_is_not_read(vault: Vault) -> None:
    """As far as its time, size and number tell; one that changed a moment ago is read again."""
    path = put(vault, f"hawk/{NAME}")
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert seen(vault.places, "hawk", [tie_of(vault, LATER)], LATER).files[NAME].read is None
    assert seen(vault.places, "hawk", [tie_of(vault, written)], LATER).files[NAME].read is not None
    tie = tie_of(vault, LATER)
    path.write_text(text("Other words."))
    assert seen(vault.places, "hawk", [tie], LATER).files[NAME].read is not None


def test_of_two_of_a_name_the_active_one_is_seen(vault: Vault) -> None:
    """And an archived one alone is seen as that."""
    put(vault, f"hawk/{NAME}", body="active")
    archived = vault.places.archive("hawk") / f"{NAME}.md"
    archived.write_text(text("archived"))
    assert seen(vault.places, "hawk", (), LATER).files[NAME].place is FilePlace.ACTIVE
    (vault.places.vault("hawk") / f"{NAME}.md").unlink()
    assert seen(vault.places, "hawk", (), LATER).files[NAME].place is FilePlace.ARCHIVE


def test_what_cannot_be_read_is_named_and_is_not_gone(vault: Vault) -> None:
    """With its line; a readable namesake in the archive does not stand in for it."""
    path = put(vault, "hawk/broken", content="no head")
    (vault.places.archive("hawk") / "broken.md").write_text(text())
    found = seen(vault.places, "hawk", (), LATER)
    assert [(fault.path, fault.line) for fault in found.faults] == [(path, 1)]
    assert (found.broken, found.files) == ({"broken"}, {})


def test_links_and_hidden_files_are_nothing(vault: Vault, tmp_path: Path) -> None:
    """Whatever they lead to; a missing folder is told."""
    (tmp_path / "outside.md").write_text(text("secret"))
    for folder in (vault.places.vault("hawk"), vault.places.shared):
        (folder / "link.md").symlink_to(tmp_path / "outside.md")
        (folder / ".hidden.md").write_text(text())
        (folder / "folder.md").mkdir()
    assert seen(vault.places, "hawk", (), LATER).files == {}
    assert seen_shared(vault.places, (), LATER).files == {}
    assert not seen(vault.places, "hawk", (), LATER).missing
    assert seen(vault.places, "wren", (), LATER).missing


def file(name: str, body: str) -> SeenFiles:
    """A file as it was read."""
    return written(name, Path(f"{name}.md"), text(body).encode())


def known(memory_id: str, said: str, **standing: object) -> Memory:
    """A memory as it stands."""
    one = replace(memory(said), id=memory_id)
    return replace(one, standing=replace(one.standing, **standing))  # type: ignore[arg-type] # a standing's own


def pair_up(ties: list[Tie], files: list[SeenFiles], memories: list[Memory]) -> Pairs:
    """What belongs together."""
    by_id = {one.id: one for one in memories}
    found = Folders({one.name: one for one in files})
    return paired(ties, found, Side(by_id, by_id.keys(), str, NOW), shared=False)


def test_a_tie_holds_by_name_and_then_by_words() -> None:
    """A file edited in place keeps its tie; one with the words of a file that is gone is that file renamed."""
    tie = tied(file("a", "one"), known("m1", "one"), NOW, shared=False)
    edited = pair_up([tie], [file("a", "two")], [known("m1", "one")])
    assert (edited.pairs[0].file, edited.files) == (file("a", "two"), ())
    renamed = pair_up([tie], [file("b", "one")], [known("m1", "one")]).pairs[0]
    assert (renamed.renamed, renamed.tie.name) == ("a", "b")
    other = pair_up([tie], [file("b", "two")], [known("m1", "one")])
    assert (other.pairs[0].file, len(other.files)) == (None, 1)


def test_a_name_that_became_free_is_not_what_is_gone() -> None:
    """Unless it says the same."""
    tie = replace(tied(file("a", "one"), known("m1", "one"), NOW, shared=False), place=FilePlace.GONE)
    assert pair_up([tie], [file("a", "two")], [known("m1", "one")]).pairs[0].file is None
    assert pair_up([tie], [file("a", "one")], [known("m1", "one")]).pairs[0].file == file("a", "one")


def test_a_correction_by_hand_takes_the_place_of_what_it_corrects() -> None:
    """Anything else that supersedes is another memory."""
    old = known("m1", "one", state=State.SUPERSEDED, superseded_by="m2")
    tie = tied(file("a", "one"), old, NOW, shared=False)
    by_hand = known("m2", "two", write_source="manual", supersedes="m1")
    formed = known("m2", "two", write_source="observer", supersedes="m1")
    assert pair_up([tie], [file("a", "one")], [old, by_hand]).pairs[0].memory == by_hand
    found = pair_up([tie], [file("a", "one")], [old, formed])
    assert (found.pairs[0].memory, found.memories) == (old, (formed,))


def test_what_no_tie_knows_is_tied_by_words() -> None:
    """Each once; where one side alone holds it, it comes back there."""
    files = [file("a", "one"), file("b", "one"), file("c", "two")]
    gone = replace(known("m3", "two"), valid_until=NOW)
    found = pair_up([], files, [known("m1", "one"), known("m2", "one"), gone, known("m4", "four")])
    tied_now = {pair.tie.name: (pair.tie.memory, pair.tie.place) for pair in found.pairs}
    assert tied_now == {"a": ("m1", FilePlace.ACTIVE), "b": ("m2", FilePlace.ACTIVE), "c": ("m3", FilePlace.ARCHIVE)}
    assert ([one.id for one in found.memories], found.files) == (["m4"], ())


def test_a_file_that_cannot_be_read_keeps_its_tie_and_its_memory() -> None:
    """Nothing else gets either."""
    tie = tied(file("a", "one"), known("m1", "one"), NOW, shared=False)
    by_id = {"m1": known("m1", "one")}
    found = paired([tie], Folders({}, {"a"}), Side(by_id, by_id.keys(), str, NOW), shared=False)
    assert (found.unread, found.pairs, found.memories) == ((tie,), (), ())


def test_a_store_made_anew_is_tied_by_words() -> None:
    """The memory that says the same takes the place of the one that is not there."""
    tie = tied(file("a", "one"), known("m1", "one"), NOW, shared=False)
    found = pair_up([tie], [file("a", "one")], [known("m9", "one")])
    assert found.pairs[0].tie.memory == "m9"


SCOPE = Scope("hawk", "ada", "ocean")


@pytest.fixture
def warmed() -> list[str]:
    """How often a model was asked for."""
    return []


@pytest.fixture
def side(both: Both, warmed: list[str]) -> EngineSide:
    """Hawk's side."""
    return EngineSide(both.engine, SCOPE, lambda: warmed.append("warm"), ScreenSettings())


def pair_of(side: EngineSide, body: str, **fields: str) -> FilePair:
    """A file that was noted."""
    one = written("a", Path("a.md"), text(body, **fields).encode())
    (memory,) = side.note([one], shared=False)
    return FilePair(tied(one, memory, NOW, shared=False), one, memory)


def test_a_model_is_asked_for_when_words_are_written_and_not_before(side: EngineSide, warmed: list[str]) -> None:
    """Looking, weighing and forgetting need none."""
    assert side.note([], shared=False) == []
    assert side.formed() == {}
    assert warmed == []
    pair = pair_of(side, "one")
    assert warmed == ["warm"]
    assert pair.memory is not None
    side.amend(pair, pair.memory, FieldMerge(to_engine=0.7))
    side.forget(pair, pair.memory, "the file was deleted")
    assert warmed == ["warm"]


def test_every_event_says_which_file_it_comes_from(side: EngineSide) -> None:
    """And what became of it."""
    pair = pair_of(side, "one")
    assert pair.memory is not None
    side.amend(pair, pair.memory, FieldMerge(tag_engine=("cpl",), verify_engine=True))
    side.forget(pair, pair.memory, "the file was deleted")
    side.reopen(pair, pair.memory)
    whys = [event.why for event in side.engine.admin.history(pair.memory.id, SCOPE)]
    assert whys == [
        "vault: written as a file",
        "vault: hawk/a was edited",
        "vault: hawk/a: the file was deleted",
        "vault: hawk/a came back",
    ]


def test_a_correction_keeps_what_the_file_says_beside(side: EngineSide) -> None:
    """Its tags; the engine's own would be taken from the words. What is said anew has not come true yet."""
    pair = pair_of(side, "one", tags="[mine]", verified="true")
    assert pair.memory is not None
    edited = written("a", Path("a.md"), text("two", tags="[mine]", verified="true").encode())
    made = side.correct(FilePair(pair.tie, edited, pair.memory), pair.memory)
    assert (made.text, made.standing.tags, made.standing.verified) == ("two", ("mine",), False)


def test_edges_are_drawn_once(side: EngineSide) -> None:
    """Never to itself."""
    one, two = (pair_of(side, body).memory for body in ("one", "two"))
    assert one is not None
    assert two is not None
    for _ in range(2):
        side.refer(one.id, [two.id, one.id])
    assert [(edge.source, edge.target) for edge in side.engine.admin.relations(SCOPE)] == [(one.id, two.id)]
    side.contradict(one, two)
    assert len(side.engine.admin.relations(SCOPE)) == 2


def test_words_are_screened_as_the_engine_screens_them(side: EngineSide, both: Both) -> None:
    """Where nothing is screened, they stay."""
    secret = "My key is sk-proj-Zk3vTq8Lr2Nw7Yb5Xc9Md4Pf6Hg1Jt0 for now."
    assert "sk-proj" not in side.screened(secret)
    assert EngineSide(both.engine, SCOPE, lambda: None, None).screened(secret) == secret


def test_what_is_pinned_is_not_forgotten(side: EngineSide) -> None:
    """The engine says so."""
    pair = pair_of(side, "one")
    assert pair.memory is not None
    assert isinstance(side.engine, Reverie)
    side.engine.admin.pin(pair.memory.id, SCOPE)
    with pytest.raises(Conflict):
        side.forget(pair, pair.memory, "the file was deleted")
