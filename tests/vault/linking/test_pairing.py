from dataclasses import replace
from pathlib import Path

from reverie.types import Memory, State
from reverie.vault.linking.links import FilePlace, Tie
from reverie.vault.linking.scan import Folders, Pairs, SeenFiles, Side, paired, tied, written
from tests.vault.linking.test_words import NOW, memory
from tests.vault.notes import text


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
