import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reverie.exchange import SCHEMA, Skipped, read, write
from reverie.types import Kind, Memory, Role, Scope

AT = datetime(2026, 3, 2, 9, 0, 0, 123456, tzinfo=UTC)
MEMORY = Memory(
    id="m1",
    scope=Scope("a", "u", "p"),
    kind=Kind.EPISODE,
    text="hello",
    at=AT,
    recorded_at=AT,
    session="s",
    seq=4,
    speaker="Ada",
    role=Role.PERSON,
)

# Every plane, and the surrogates that Hypothesis leaves out of text().
CHARACTERS = st.characters() | st.integers(0xD800, 0xDFFF).map(chr)
ODD = st.text(CHARACTERS, max_size=40)
NAMES = ODD.filter(lambda name: bool(name.strip()))


def exported(*memories: Memory) -> bytes:
    """The bytes of an export."""
    out = io.BytesIO()
    assert write(memories, out) == len(memories)
    return out.getvalue()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each example writes its export."""
    return tmp_path_factory.mktemp("own") / "export.jsonl"


@given(st.lists(ODD, max_size=5), NAMES, NAMES)
@example(["\ud83d\ude00"], "Ada", "s")
@example(["\ude00\ud83d", "a\x00b", "\u2028\u2029\x85\r\n\x1b[31m", "\u202eאבג", "👩‍🚀🏽"], "\ud83d\ude00", "\udcff")
@example(["", " ", "\n"], "speaker_base64", "İıIi")
def test_what_was_written_reads_back_the_same(file: Path, texts: list[str], speaker: str, session: str) -> None:
    """Any text, speaker and session: no character changes, joins with its neighbour or goes missing."""
    memories = [
        replace(MEMORY, id=f"m{n}", text=text, speaker=speaker, session=session) for n, text in enumerate(texts)
    ]
    file.write_bytes(exported(*memories))
    got = list(read(file))
    assert [(m.message_id, m.text, m.speaker, m.session, m.role, m.at) for m in got] == [
        (m.id, m.text, speaker, session, Role.PERSON, AT) for m in memories
    ]


@pytest.mark.parametrize("unit", ["x", "\x00", "\ud83d\ude00", "ğ", "😀"])
def test_a_megabyte_reads_back_whole(file: Path, unit: str) -> None:
    """Length is no reason to lose anything."""
    text = unit * (1_000_000 // len(unit))
    file.write_bytes(exported(replace(MEMORY, text=text)))
    assert next(iter(read(file))).text == text


@given(ODD)
def test_the_file_is_safe_for_other_tools(text: str) -> None:
    """UTF-8, one line a memory for any line reader, nothing that a terminal would act on."""
    raw = exported(replace(MEMORY, text=text, speaker="\x1b[2J\x9b31m", session="\u202e\u2028"))
    lines = raw.decode("utf-8").splitlines()
    assert len(lines) == 2
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2028\u2029" for line in lines for c in line)


def test_the_first_line_names_the_schema() -> None:
    """A reader of the future knows what it holds before the first memory."""
    header, first = (json.loads(line) for line in exported(MEMORY).splitlines())
    assert header == {"schema": SCHEMA}
    assert first == {
        "id": "m1",
        "kind": "episode",
        "text": "hello",
        "speaker": "Ada",
        "role": "person",
        "session": "s",
        "seq": 4,
        "at": "2026-03-02T09:00:00.123456+00:00",
        "recorded_at": "2026-03-02T09:00:00.123456+00:00",
    }


def test_what_was_recalled_and_what_was_formed_say_so() -> None:
    """Counts and sources are the owner's data too."""
    fact = replace(MEMORY, kind=Kind.FACT, sources=("m0",), accesses=2, last_access=AT)
    line = json.loads(exported(fact).splitlines()[1])
    assert (line["sources"], line["accesses"], line["last_access"]) == (["m0"], 2, AT.isoformat())


def test_the_forgotten_and_the_formed_are_counted_not_raised_from_the_dead(file: Path) -> None:
    """A forgotten memory is in the file with its end, and importing does not make it true again."""
    file.write_bytes(
        exported(MEMORY, replace(MEMORY, id="m2", valid_until=AT), replace(MEMORY, id="m3", kind=Kind.FACT))
    )
    assert json.loads(file.read_bytes().splitlines()[2])["valid_until"] == AT.isoformat()
    found: list[Skipped] = []
    assert [m.message_id for m in read(file, report=found.append)] == ["m1"]
    assert [(s.where, s.broken) for s in found] == [("line 3", False), ("line 4", False)]


def test_an_export_of_nothing_is_an_export(file: Path) -> None:
    """The header alone says that there was nothing to say."""
    file.write_bytes(exported())
    assert list(read(file)) == []


@pytest.mark.parametrize(
    "line",
    [b'{"id":"x"}', b'{"text":1}', b'{"text_base64":"%%%"}', b'{"text_base64":"/w=="}', b'{"text":"a","at":"?"}'],
)
def test_a_broken_line_of_ours_is_named(file: Path, line: bytes) -> None:
    """Whatever is wrong with it, the line before and the line after are read."""
    header, good = exported(MEMORY).splitlines()
    file.write_bytes(b"\n".join([header, good, line, good.replace(b"m1", b"m2")]))
    found: list[Skipped] = []
    assert [m.message_id for m in read(file, report=found.append)] == ["m1", "m2"]
    assert [(s.where, s.broken) for s in found] == [("line 3", True)]
