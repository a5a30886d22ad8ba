"""basic-memory: a folder of Markdown."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.exchange.foreign import vault
from reverie.types import RelationKind
from tests.exchange.foreign.made import brought

CAFE = """---
title: Harbour Café
type: note
permalink: places/harbour-cafe
created: 2026-03-01T09:00:00Z
tags:
- places
---

# Harbour Café

A café by the old pier.

## Observations
- [fact] Opens at seven #hours (as of spring)
- [owner] Mr Aksoy
- [ ] paint the door
- [x] buy cups
- [00:01:02] a line of a transcript

```
- [fact] not one, but code
```

## Relations
- near [[Old Lighthouse]]
- "run by" [[Aksoy Family|the Aksoys]] (since 1990)
- see also [[Old Lighthouse]] for pictures
"""
LIGHTHOUSE = "Built in 1874.\n\n- supersedes [[harbour café]]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two notes that speak of each other."""
    (tmp_path / "places").mkdir()
    (tmp_path / "places" / "Harbour Cafe.md").write_text(CAFE, encoding="utf-8")
    (tmp_path / "Old Lighthouse.md").write_text(LIGHTHOUSE, encoding="utf-8")
    return tmp_path


def test_prose_observations_and_relations_come_in(folder: Path) -> None:
    """Prose by heading, observations and relations one by one; tasks, code and sentences stay prose."""
    messages, links, _, skipped = brought(folder)
    said = [one for one in messages if one.session == "basic-memory/places/Harbour Cafe"]
    texts = [one.text for one in said]
    assert texts[0] == "Harbour Café\nA café by the old pier."
    assert "Harbour Café, fact: Opens at seven #hours (as of spring)" in texts
    assert "Harbour Café, owner: Mr Aksoy" in texts
    assert "Harbour Café near Old Lighthouse" in texts
    assert "Harbour Café run by Aksoy Family (since 1990)" in texts
    rest = "\n".join(text for text in texts if text.startswith("Harbour Café\n"))
    for line in ("[ ] paint the door", "[x] buy cups", "[00:01:02]", "not one, but code", "see also"):
        assert line in rest
    assert {one.at for one in said} == {datetime(2026, 3, 1, 9, tzinfo=UTC)}
    tower = next(one for one in messages if one.text == "Old Lighthouse\nBuilt in 1874.")
    assert {(one.source, one.target, one.kind) for one in links} == {
        (said[0].message_id, tower.message_id, RelationKind.RELATED_TO),
        (tower.message_id, said[0].message_id, RelationKind.SUPERSEDES),
    }
    assert [(one.reason, one.detail) for one in skipped] == [("relation to a note that is not there", "Aksoy Family")]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("Kahve evi, ışık".encode("utf-16"), "not UTF-8"),
        (b"caf\xe9", "not UTF-8"),
        (b"x" * 2000, "larger than"),
    ],
)
def test_a_note_that_cannot_be_read_is_named_and_the_rest_is_kept(
    folder: Path, raw: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another encoding, or too long."""
    monkeypatch.setattr(vault, "FILE_MAX", 1500)
    (folder / "bad.md").write_bytes(raw)
    messages, _, _, skipped = brought(folder)
    assert len(messages) > 5
    assert [(one.where, why in one.detail) for one in skipped if one.broken] == [("bad.md", True)]


def test_an_empty_note_and_odd_front_matter_do_no_harm(folder: Path) -> None:
    """A title of quotes, a date of words, front matter that never ends, a NUL."""
    (folder / "empty.md").write_text("---\ntitle: x\n---\n", encoding="utf-8")
    (folder / "odd.md").write_text('---\ntitle: "Quoted"\ncreated: soon\n---\nA\0B\n', encoding="utf-8")
    (folder / "open.md").write_text("---\ntitle: never closed\n- [note] still here\n", encoding="utf-8")
    messages, _, _, skipped = brought(folder)
    texts = [one.text for one in messages]
    assert "Quoted\nA\0B" in texts
    assert "open, note: still here" in texts
    assert ("empty.md", "note without words") in [(one.where, one.reason) for one in skipped]


def test_links_and_hidden_folders_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A note is what lies in the folder; a link may lead to anything."""
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.md"
    secret.write_text("the combination is 4711", encoding="utf-8")
    (folder / "link.md").symlink_to(secret)
    (folder / "linked").symlink_to(secret.parent)
    (folder / ".trash").mkdir()
    (folder / ".trash" / "old.md").write_text("thrown away", encoding="utf-8")
    messages, _, _, skipped = brought(folder)
    assert not any("4711" in one.text or "thrown" in one.text for one in messages)
    assert ("link.md", "link to a file elsewhere") in [(one.where, one.reason) for one in skipped]


def test_our_own_markdown_is_refused(tmp_path: Path) -> None:
    """It is for reading; the error names what can be imported."""
    (tmp_path / "one.md").write_text('---\nreverie: "memory"\n---\n> text\n', encoding="utf-8")
    with pytest.raises(InvalidExport, match="--lossless"):
        brought(tmp_path)


def test_a_note_that_changed_comes_in_as_new_and_the_rest_is_known(folder: Path) -> None:
    """Ids follow the words, not the file's time or the line's number."""
    before = {one.message_id for one in brought(folder)[0]}
    os.utime(folder / "Old Lighthouse.md", (0, 0))
    assert {one.message_id for one in brought(folder)[0]} == before
    (folder / "Old Lighthouse.md").write_text("New.\n\n" + LIGHTHOUSE, encoding="utf-8")
    assert len({one.message_id for one in brought(folder)[0]} - before) == 1
