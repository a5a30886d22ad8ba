import json
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidExport, InvalidInput, NotFound
from reverie.exchange import Skipped, read
from reverie.exchange.fields import EXPORT
from reverie.exchange.reader import PATIENCE, places
from reverie.types import Message

LINE = {"text": "hello", "session": "s"}
CLAUDE = {
    "uuid": "conv-1",
    "name": "Boiler",
    "chat_messages": [{"uuid": "c1", "sender": "human", "text": "from claude", "created_at": "2026-03-02T09:00:00Z"}],
}
CHATGPT = {
    "id": "conv-2",
    "current_node": "n1",
    "mapping": {
        "n1": {
            "message": {
                "id": "g1",
                "author": {"role": "user"},
                "content": {"content_type": "text", "parts": ["from chatgpt"]},
                "create_time": 1772442000,
            },
            "parent": None,
            "children": [],
        }
    },
}


def write(path: Path, *values: object) -> Path:
    """A file of these values, one a line."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def texts(path: Path, kind: str | None = None) -> list[str]:
    """What was said."""
    return [message.text for message in read(path, kind=kind) if message.speaker != EXPORT]


def faults(path: Path) -> list[Skipped]:
    """What was left out."""
    found: list[Skipped] = []
    for _ in read(path, report=found.append):
        pass
    return found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([CLAUDE], "from claude"),
        ([CHATGPT], "from chatgpt"),
        ([LINE], "hello"),
    ],
)
def test_a_list_shows_its_form_by_its_elements(tmp_path: Path, content: object, expected: str) -> None:
    """The same file name serves both companies; the content decides."""
    assert texts(write(tmp_path / "conversations.json", content)) == [expected]


def test_an_array_may_hold_both_exports(tmp_path: Path) -> None:
    """Each conversation is read as what it is."""
    assert texts(write(tmp_path / "all.json", [CLAUDE, CHATGPT])) == ["from claude", "from chatgpt"]


def test_one_conversation_printed_over_many_lines_is_read(tmp_path: Path) -> None:
    """A single conversation that somebody saved by hand is no less an export."""
    path = tmp_path / "one.json"
    path.write_text(json.dumps(CHATGPT, indent=2), encoding="utf-8")
    assert texts(path) == ["from chatgpt"]


def test_a_conversation_a_line_is_read(tmp_path: Path) -> None:
    """Some tools cut the array into lines."""
    assert texts(write(tmp_path / "c.jsonl", CLAUDE, CHATGPT)) == ["from claude", "from chatgpt"]


def test_an_archive_gives_its_conversations_in_order_of_name_and_nothing_else(tmp_path: Path) -> None:
    """Newer exports are split over several files, and every export holds files that are no conversation."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/conversations-001.json", json.dumps([CHATGPT]))
        archive.writestr("data/conversations-000.json", json.dumps([CLAUDE]))
        archive.writestr("data/user.json", json.dumps({"text": "not a message"}))
    assert texts(path) == ["from claude", "from chatgpt"]


def test_an_unpacked_folder_is_read_like_its_archive(tmp_path: Path) -> None:
    """Many systems unpack a download by themselves."""
    (tmp_path / "export").mkdir()
    write(tmp_path / "export" / "conversations.json", [CLAUDE])
    write(tmp_path / "export" / "users.json", [{"text": "not a message"}])
    assert texts(tmp_path / "export") == ["from claude"]


def test_a_broken_line_is_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    """Line 2 is cut short, line 3 blank, line 4 no UTF-8: both faults are told, both messages arrive."""
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b'{"text":"one"}\n{"text":"cut\n\n{"text":"\xff"}\n{"text":"two"}\n')
    assert texts(path) == ["one", "two"]
    assert [(f.where, f.broken) for f in faults(path)] == [("line 2", True), ("line 4", True)]


def test_in_an_archive_of_several_files_a_fault_names_its_file(tmp_path: Path) -> None:
    """The line alone would not be found."""
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.jsonl", '{"text":"one"}\n')
        archive.writestr("b.jsonl", '{"text":"two"}\noops\n')
    assert [fault.where for fault in faults(tmp_path / "two.zip")] == ["b.jsonl, line 2"]


def test_a_broken_first_line_does_not_hide_the_form(tmp_path: Path) -> None:
    """What a file is does not hang on its first line."""
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b'oops\n{"text":"one"}\n')
    assert texts(path) == ["one"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"PNG\x00\x01\n" * 3,
        b"<html></html>",
        b"[1, 2, 3]",
        b'[{"a": 1}]',
        b'[{"text": "cut',
        b'[{"text": "a"} {"text": "b"}]',
        b'[{"text": "a"}] tail',
        b"\xff\xfe[\x00]\x00",
        b'"just a string"',
        b"[" * 100_000,
        b'[{"text":"a"},' + b"9" * 5000 + b"]",
        b"PK\x03\x04 no archive",
    ],
)
def test_a_file_of_no_known_form_is_refused(tmp_path: Path, content: bytes) -> None:
    """Whatever it is, the answer is one clear error with a mend."""
    path = tmp_path / "thing"
    path.write_bytes(content)
    with pytest.raises(InvalidExport) as caught:
        texts(path)
    assert caught.value.mend


def test_a_large_file_of_another_kind_is_given_up_early(tmp_path: Path) -> None:
    """After so many broken lines without a good one, the rest of it is not read."""
    path = tmp_path / "log.txt"
    path.write_text("not json\n" * (PATIENCE * 50), encoding="utf-8")
    found: list[Skipped] = []
    with pytest.raises(InvalidExport):
        list(read(path, report=found.append))
    assert len(found) == PATIENCE


def test_the_line_of_a_fault_in_an_array_is_named(tmp_path: Path) -> None:
    """The reader is told where to look."""
    path = tmp_path / "conversations.json"
    path.write_text('[{"text": "a"},\n{"text": "b"},\n{"text": }]', encoding="utf-8")
    with pytest.raises(InvalidExport, match="line 3"):
        texts(path)


def test_a_newer_export_of_ours_is_refused_by_name(tmp_path: Path) -> None:
    """A schema this version does not know could be misread, so it is not read."""
    with pytest.raises(InvalidExport, match="reverie/2"):
        texts(write(tmp_path / "e.jsonl", {"schema": "reverie/2"}, LINE))


def test_a_missing_file_and_an_unknown_kind_are_told_at_once(tmp_path: Path) -> None:
    """Not only when the first message is asked for."""
    with pytest.raises(NotFound):
        read(tmp_path / "nowhere.json")
    with pytest.raises(InvalidInput, match="whatsapp"):
        read(write(tmp_path / "x.jsonl", LINE), kind="whatsapp")


def test_a_kind_that_was_asked_for_is_held_to(tmp_path: Path) -> None:
    """With kind given, an object of another form is a fault."""
    path = write(tmp_path / "conversations.json", [CLAUDE, CHATGPT])
    assert texts(path, kind="claude") == ["from claude"]
    with pytest.raises(InvalidExport):
        texts(write(tmp_path / "lines.jsonl", LINE), kind="chatgpt")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Editors on Windows put one in front."""
    path = tmp_path / "bom.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text":"one"}\n')
    assert texts(path) == ["one"]


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    """The content is looked at without being taken away, so a stream that cannot go back works too."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b'{"text":"piped"}\n'))
    writer.start()
    assert texts(path) == ["piped"]
    writer.join()


def test_a_locked_archive_is_refused(tmp_path: Path) -> None:
    """An archive with a password cannot be read, and says so."""
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([CLAUDE]))
    raw = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + flags] |= 1  # the bit that says "encrypted"
    path.write_bytes(raw)
    with pytest.raises(InvalidExport, match="password"):
        texts(path)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    """A flipped byte fails the archive's own checksum."""
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([CLAUDE]))
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"from claude", b"from clause", 1))
    with pytest.raises(InvalidExport):
        texts(path)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def either(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What belongs there, or anything else."""
    return strategy | JSON


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object with any of these fields, each right or wrong."""
    return st.fixed_dictionaries({}, optional={name: either(value) for name, value in fields.items()})


BLOCKS = st.lists(either(record(type=st.just("text"), text=st.text())), max_size=2)
ATTACHED = st.lists(record(file_name=st.just(""), extracted_content=st.text()), max_size=2)
TURN = record(uuid=st.text(), sender=st.just("human"), text=st.text(), content=BLOCKS, attachments=ATTACHED)
NODE = record(
    id=st.text(),
    parent=st.sampled_from(["a", "b"]),
    children=st.lists(st.text(), max_size=1),
    message=record(
        id=st.text(),
        author=record(role=st.just("user")),
        create_time=st.floats(),
        metadata=JSON,
        recipient=st.just("all"),
        content=record(content_type=st.just("text"), parts=st.lists(either(st.text()), max_size=2)),
    ),
)
ODD = st.one_of(
    JSON,
    record(text=st.text(), speaker=st.text(), role=st.text(), session=st.text(), at=st.text(), id=st.text()),
    record(uuid=st.text(), chat_messages=st.lists(either(TURN), max_size=3)),
    record(
        id=st.text(),
        current_node=st.sampled_from(["a", "b"]),
        mapping=st.dictionaries(st.sampled_from(["a", "b"]), either(NODE), max_size=2),
    ),
    record(schema=st.just("reverie/1"), text_base64=st.text(), kind=st.just("fact"), valid_until=st.text()),
)


@given(st.lists(ODD, max_size=4), st.booleans())
def test_no_value_in_any_field_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, odd: Any, array: bool
) -> None:
    """Every JSON value in every field of every form gives a message, a report or InvalidExport, and nothing else."""
    path = tmp_path_factory.mktemp("odd") / "odd.json"
    write(path, odd) if array else write(path, *odd)
    try:
        got = list(read(path, report=lambda skipped: None))
    except InvalidExport:
        return
    assert all(isinstance(message, Message) and message.message_id and message.session.strip() for message in got)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"messages": [{"role": "user", "content": "hi"}]}', "line 1: it has no text"),
        ('{"text": "a"}{"text": "b"}', "line 1: Extra data"),
        ("[[1]]", "conversation 1: it is a list"),
        ("", "the file is empty"),
    ],
)
def test_a_file_without_a_message_says_what_is_wrong(tmp_path: Path, content: str, told: str) -> None:
    """The first thing that was broken, and where; not only that nothing was found."""
    file = tmp_path / "odd.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidExport, match=told):
        list(read(file))


def split_export(folder: Path, middle: bytes) -> Path:
    """An export in three files, of which the second is broken in one way or another."""
    folder.mkdir()
    write(folder / "conversations-000.json", [CLAUDE])
    (folder / "conversations-001.json").write_bytes(middle)
    write(folder / "conversations-002.json", [CHATGPT])
    return folder


CUT = b'[{"text": "before the cut"}, {"text": "cu'


@pytest.mark.parametrize(
    ("middle", "between", "told"),
    [
        (CUT, ["before the cut"], "it is not whole JSON: line 1"),
        (b"\xff\xfe[\x00]\x00", [], "it is UTF-16"),
        (b"[" * 100_000, [], "nested too deeply"),
        (b'{"schema": "reverie/2"}\n', [], "reverie/2"),
    ],
)
def test_a_broken_file_among_others_is_named_and_the_rest_is_kept(
    tmp_path: Path, middle: bytes, between: list[str], told: str
) -> None:
    """In a folder and in an archive: what stands before the fault and every other file arrives."""
    folder = split_export(tmp_path / "export", middle)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    for path in (folder, tmp_path / "export.zip"):
        assert texts(path) == ["from claude", *between, "from chatgpt"]
        [fault] = faults(path)
        assert (fault.where, fault.broken) == ("conversations-001.json", True)
        assert told in fault.detail


def test_a_damaged_member_costs_that_member(tmp_path: Path) -> None:
    """A flipped byte in one file of an archive is no reason to lose the others."""
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([CLAUDE]))
        archive.writestr("conversations-001.json", json.dumps([CHATGPT]))
    path.write_bytes(path.read_bytes().replace(b"from claude", b"from clause", 1))
    assert texts(path) == ["from chatgpt"]
    assert [fault.where for fault in faults(path)] == ["conversations-000.json"]


def test_where_every_file_is_broken_the_first_is_told(tmp_path: Path) -> None:
    """Nothing came of them, so it is an error and no report."""
    (tmp_path / "conversations-000.json").write_text('[{"text', encoding="utf-8")
    (tmp_path / "conversations-001.json").write_text('[{"text', encoding="utf-8")
    with pytest.raises(InvalidExport, match=r"conversations-000\.json: it is not whole JSON"):
        texts(tmp_path)


def test_a_single_file_that_breaks_off_is_named(tmp_path: Path) -> None:
    """By its name, not as "the file"; what stands before the fault comes first."""
    (tmp_path / "mine.json").write_bytes(CUT)
    found = read(tmp_path / "mine.json")
    assert next(found).text == "before the cut"
    with pytest.raises(InvalidExport, match=r"^mine\.json is not whole JSON: line 1"):
        next(found)


def test_a_line_nested_too_deeply_is_told_in_words(tmp_path: Path) -> None:
    """As other broken lines are: the rest is kept."""
    (tmp_path / "deep.jsonl").write_text('{"text": "one"}\n' + "[" * 100_000, encoding="utf-8")
    assert [fault.detail for fault in faults(tmp_path / "deep.jsonl")] == ["lists or objects are nested too deeply"]


def test_the_place_of_an_id_is_found_again(tmp_path: Path) -> None:
    """For telling which message of a file it was; in several files with the file's name."""
    write(tmp_path / "a.jsonl", {"id": "1", "text": "a"}, {"id": "2", "text": "b"}, {"id": "2", "text": "b"})
    write(tmp_path / "conversations.json", [CLAUDE])
    assert places(tmp_path / "a.jsonl", {"2", "9"}) == {"2": "line 2"}
    assert places(tmp_path, {"1", "c1"}) == {"1": "a.jsonl, line 1", "c1": "conversations.json, conversation 1"}
