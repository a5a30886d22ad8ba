"""A scope as a folder of Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import Conflict, InvalidExport
from reverie.exchange.markdown import MarkdownExport, write
from reverie.types import Kind, Memory, Relation, RelationKind, Role, Scope, Standing

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")
SAID = Memory("e1", SCOPE, Kind.EPISODE, "I prefer tea.", AT, AT, "monday", 0, "Ada", Role.USER, ("e1",))
FACT = replace(
    SAID, id="f1", kind=Kind.PREFERENCE, text="Ada prefers tea.", standing=Standing(pinned=True, tags=("tea",))
)
EDGE = Relation("f1", "f2", RelationKind.ELABORATES, 1.0, AT)
LINK = re.compile(r"\]\(([^)#]+)(?:#([^)]+))?\)")


def pages(folder: Path) -> dict[str, str]:
    """Every file, by its name in the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def test_sessions_and_formed_memories_have_a_page_each(tmp_path: Path) -> None:
    """With front matter, the words in quotes, and where they came from."""
    other = replace(FACT, id="f2", text="Tea at five.", sources=("gone",), valid_until=AT)
    written = write(tmp_path / "out", SCOPE, [SAID, FACT, other], [EDGE])
    assert written == MarkdownExport(4, 1, 2)
    found = pages(tmp_path / "out")
    session = next(text for name, text in found.items() if name.startswith("sessions/2026-03-02-monday-"))
    assert session.startswith('---\nreverie: "session"\nsession: "monday"\n')
    assert "**Ada** · 2026-03-02 09:30\n\n> I prefer tea.\n" in session
    memory = next(text for name, text in found.items() if "-f1-" in name)
    assert 'kind: "preference"' in memory
    assert 'pinned: true\ntags: ["tea"]' in memory
    assert "> Ada prefers tea." in memory
    assert "- from: [Ada, 2026-03-02]" in memory
    assert "- elaborates: [f2]" in memory
    second = next(text for name, text in found.items() if "-f2-" in name)
    assert "- from: gone (erased)" in second
    assert "- elaborates, from: [f1]" in second
    assert 'valid_until: "2026-03-02T09:30:00+00:00"' in second


def test_every_link_leads_to_a_page_and_every_anchor_is_there(tmp_path: Path) -> None:
    """From the contents, from sessions, from memories."""
    write(tmp_path, SCOPE, [SAID, FACT, replace(FACT, id="f2")], [EDGE])
    for name, text in pages(tmp_path).items():
        for target, anchor in LINK.findall(text):
            page = (tmp_path / name).parent / target
            assert page.is_file(), (name, target)
            if anchor:
                assert f'<a id="{anchor}">' in page.read_text("utf-8")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/abs", "con", "a\0b", "x" * 5000, "", "Çay & ışık?", "\ud83d", "-rf *", "a\nb", "..."]
)
def test_no_name_of_anybody_s_becomes_a_path(name: str, tmp_path: Path) -> None:
    """Letters, digits and dashes of it alone; two sessions that look alike are two files."""
    odd = replace(SAID, session=name or " ", id=name or " ", text=name)
    like = replace(odd, session=f"{name}!", id=f"{name}!")
    written = write(tmp_path / "out", SCOPE, [odd, like, replace(odd, kind=Kind.FACT)], [])
    found = pages(tmp_path / "out")
    assert len(found) == written.files == 4
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    for path in found:
        assert re.fullmatch(r"README\.md|sessions/[a-z0-9-]{1,90}\.md|memories/fact/[a-z0-9-]{1,90}\.md", path), path


@pytest.mark.parametrize(
    "text",
    [
        "# Heading\n---\ntitle: mine\n---\n",
        "<script>alert(1)</script>",
        "```\nfence\n```",
        "one\r\ntwo\rthree",
        "a\x1b[31m\u202eb\u2028c",
        "\ud83d\ude00",
    ],
)
def test_what_was_said_stays_in_quotes(text: str, tmp_path: Path) -> None:
    """No line of it is a heading, front matter, HTML or anything a terminal acts on."""
    write(tmp_path, SCOPE, [replace(SAID, text=text, speaker=text, session=text)], [])
    raw = "".join(pages(tmp_path).values())
    assert "<script" not in raw
    assert not re.search("[\x1b\u202e\u2028\r]", raw)
    for page in pages(tmp_path).values():
        body = page.split("\n---\n", 1)[-1] if page.startswith("---\n") else page
        assert not re.search(r"^(# Heading|```|---|title:)", body, re.MULTILINE)


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://tracker.example/a.png) and [click](https://tracker.example)",
        "[[Secret page]] ![[Secret page]] #tag",
        "```dataviewjs\ndv.view('x')\n```",
        "~~~dataviewjs\ndv.view('x')\n~~~",
        "`$= dv.current()` and `= this.file`",
        "(owner:: eve) [owner:: eve]",
        "%%hidden%%",
        "\\[x](https://tracker.example) \\`$= 1`",
    ],
)
def test_nothing_in_a_quotation_is_live(text: str, tmp_path: Path) -> None:
    """A reader, Obsidian with Dataview too, shows the signs as they were said and acts on none of them."""
    write(tmp_path, SCOPE, [replace(SAID, text=text)], [])
    (quoted,) = (line for name, page in pages(tmp_path).items() if "sessions" in name for line in [page])
    lines = "\n".join(line[2:] for line in quoted.splitlines() if line.startswith("> "))
    live = re.sub(r"\\.", "", lines)
    assert not re.search(r"[`~\[#]|::|%%", live)
    assert re.sub(r"\\(.)", r"\1", lines) == text


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """A folder that holds something, a file, a link to a folder; nor where nothing can be written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.md").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    for name in ("full", "file", "link"):
        with pytest.raises(Conflict):
            write(tmp_path / name, SCOPE, [SAID], [])
    with pytest.raises(InvalidExport):
        write(tmp_path / "file" / "inside", SCOPE, [SAID], [])
    assert pages(tmp_path / "full") == {"mine.md": "mine"}
    assert write(tmp_path / "empty", SCOPE, [], []).files == 1
