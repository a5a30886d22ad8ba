from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.encode.notes import Note, noted
from reverie.errors import StoreCorrupt
from reverie.recipes.published.ocean import ENCODE
from reverie.types import Kind, Memory, Scope, State
from reverie.vault.files import Places
from reverie.vault.front import read
from reverie.vault.linking.links import (
    Fields,
    FilePlace,
    Stamp,
    Tie,
    VaultLink,
    file_of,
    holds,
    kind_in,
    load,
    mark,
    of_memory,
    reworded,
    save,
    sidecar,
    without_ties,
    words,
)
from tests.vault.notes import seen, text

TIE = Tie(
    "hawk",
    "obs-2026-02-15-001",
    False,
    "01ABC",
    FilePlace.ACTIVE,
    Stamp(1, 2, 3),
    "body",
    Fields(0.5, True, ("a", "b\nc"), ("owl/x",)),
    "said",
    Fields(0.625, False, ("é",)),
    True,
)


def test_a_link_is_read_as_it_was_saved(tmp_path: Path) -> None:
    """Whatever order its ties came in; saving it again writes nothing."""
    path = sidecar(Places(tmp_path))
    link = VaultLink("/store", "ada", "ocean", ("hawk",), 7, 2.5, (TIE,))
    save(path, link)
    assert load(path) == link
    inode = path.stat().st_ino
    save(path, link)
    assert path.stat().st_ino == inode
    assert link.of("hawk") == (TIE,)
    assert link.of("owl") == ()


def test_no_link_is_none_and_a_broken_one_says_what_to_do(tmp_path: Path) -> None:
    """It may be deleted."""
    assert load(tmp_path / "link.json") is None
    for content in ("", "[]", '{"format": 9}', '{"format": 1, "ties": [[]]}'):
        (tmp_path / "link.json").write_text(content)
        with pytest.raises(StoreCorrupt) as caught:
            load(tmp_path / "link.json")
        assert "Delete it" in caught.value.mend


def test_a_link_without_ties_says_only_what_is_linked() -> None:
    """So two links can be compared."""
    link = VaultLink("/store", "ada", "ocean", (), 7, 2.5, (TIE,))
    assert without_ties(link) == VaultLink("/store", "ada", "ocean")


def test_a_shared_file_is_called_so() -> None:
    """As everything else calls it."""
    from dataclasses import replace

    assert TIE.label == "hawk/obs-2026-02-15-001"
    assert replace(TIE, shared=True).label == "shared/obs-2026-02-15-001"


NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)


def memory(said: str = "CPL rose at Acme Corp.", **note: object) -> Memory:
    """A memory of hawk's."""
    return noted(Note(said, **note), "m1", Scope("hawk", "ada", "ocean"), NOW, ENCODE)  # type: ignore[arg-type] # a note's own


def test_the_file_of_a_memory_is_an_observation() -> None:
    """Of the documented fields, whatever the words are; no more important than any new one."""
    for said in ("CPL rose.", "---\nnot: a head\n---", "a\x00b\ud800c", "x\r\ny\rz", "# Heading\n\n[[link]]"):
        one = seen(file_of(memory(said, importance=0.9, tags=("a, b", "true", "[x]", "li\nne")), 0.5))
        assert (one.importance, one.source, one.created) == (0.5, "hawk", NOW.date())
        assert one.tags[1:] == ("a, b", "true", "[x]", "li ne")
        assert not set("\x00\ud800\r") & set(one.body)
    assert seen(file_of(memory(importance=0.25), 0.5)).importance == 0.25


def test_rewording_changes_the_words_alone() -> None:
    """Blanks around them, the head and the ends of lines stay."""
    front = read(text("\n\nold words\n\n\n", mood="calm # mine"))
    assert reworded(front, "new\nwords").text == front.text.replace("old words", "new\nwords")
    windows = read(text("old\r\nwords\r\n").replace("\n", "\r\n").replace("\r\r", "\r"))
    assert reworded(windows, "a\nb").text == windows.text.replace("old\r\nwords", "a\r\nb")
    assert reworded(read(text("")), "words").text.endswith("---\nwords\n")
    assert reworded(read("---\na: b\n---"), "words").text == "---\na: b\n---\nwords\n"


def test_words_are_known_again_whatever_their_ends_of_lines() -> None:
    """Surrogates have a mark, too."""
    assert mark(words("\r\na\r\nb\r\n")) == mark("a\nb")
    assert mark("\ud800") != mark("\ud801")


@pytest.mark.parametrize(("tags", "kind"), [(("cpl", "decision"), Kind.DECISION), (("episode", "x"), None), ((), None)])
def test_a_tag_may_name_the_kind(tags: tuple[str, ...], kind: Kind | None) -> None:
    """All kinds that are formed."""
    assert kind_in(tags) is kind


def test_what_is_recalled_holds() -> None:
    """Not what is over, superseded, asleep or in quarantine."""
    one = memory()
    assert holds(one, NOW)
    assert not holds(replace(one, valid_until=NOW), NOW)
    assert holds(replace(one, valid_until=NOW + timedelta(days=1)), NOW)
    for state in (State.DORMANT, State.SUPERSEDED, State.QUARANTINED):
        assert not holds(replace(one, standing=replace(one.standing, state=state)), NOW)


def test_the_addresses_of_entities_are_no_tags() -> None:
    """They stay the engine's."""
    one = memory("Acme Corp uses PostgreSQL in Istanbul.", tags=("buyers",))
    assert any(tag.startswith("entity://") for tag in one.standing.tags)
    assert of_memory(one).tags == ("buyers",)
