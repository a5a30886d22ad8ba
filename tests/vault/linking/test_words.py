from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from reverie.encode.notes import Note, noted
from reverie.recipes.published.ocean import ENCODE
from reverie.types import Kind, Memory, Scope, State
from reverie.vault.front import read
from reverie.vault.linking.links import file_of, holds, kind_in, mark, of_memory, reworded, words
from tests.vault.notes import seen, text

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
