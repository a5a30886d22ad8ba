import json
from pathlib import Path

import pytest

from reverie.exchange import ALL_KINDS, KINDS
from reverie.faces.cli import exchanging
from tests.faces.cli.conftest import Run


def texts(run: Run, *arguments: str) -> list[str]:
    """What the scope holds."""
    return [memory["text"] for memory in run("timeline", "--json", *arguments).shape["memories"]]


def test_importing_again_adds_only_what_is_new(keys: Run, folder: Path) -> None:
    """The second import of a file that has grown by a line brings that line."""
    assert keys("import", "three.jsonl", "--json").shape["new"] == 0
    with (folder / "three.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"text": "A fourth."}\n')
    again = keys("import", "three.jsonl", "--json").shape
    assert (again["new"], again["known"]) == (1, 3)
    assert again["scope"]["user"] == "ada"


def test_broken_lines_are_named_and_the_rest_is_kept(home: Run, folder: Path) -> None:
    """With their line numbers, and an exit code that a script can see."""
    (folder / "chat.jsonl").write_text('{"text":"one"}\noops\n{"text":"two"}\n' + "{}\n" * 12, encoding="utf-8")
    done = home("import", "chat.jsonl")
    assert done.code == 7
    assert texts(home) == ["one", "two"]
    assert "line 2" in done.err
    assert "3 more" in done.err
    shape = home("import", "chat.jsonl", "--json").shape
    assert len(shape["broken"]) == 13
    assert shape["skipped"] == {"line that is not JSON": 1, "line that is no message": 12}


def test_one_id_for_two_messages_costs_the_second_only(home: Run, folder: Path) -> None:
    """Ids that are unique only within their session are told, and the import goes on."""
    (folder / "chat.jsonl").write_text(
        '{"id":1,"text":"a"}\n{"id":1,"text":"b"}\n{"id":1,"text":"a"}\n', encoding="utf-8"
    )
    done = home("import", "chat.jsonl")
    assert done.code == 7
    assert "line 2" in done.err
    assert texts(home) == ["a"]


def test_a_file_of_no_known_form_brings_nothing(home: Run, folder: Path) -> None:
    """And has its own exit code."""
    (folder / "notes.txt").write_text("Dear diary\n", encoding="utf-8")
    assert home("import", "notes.txt").code == 5
    assert home("import", "nowhere.txt").code == 3
    assert texts(home) == []


def test_with_a_bar_the_whole_is_counted_first(home: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a file that ends too early is found before anything is written."""
    (folder / "cut.json").write_text('[{"text":"one"},{"text":', encoding="utf-8")
    monkeypatch.setattr(exchanging, "is_terminal", lambda _: True)
    assert home("import", "cut.json").code == 5
    assert texts(home) == []


def test_an_export_reads_back_as_it_was(keys: Run, folder: Path) -> None:
    """Odd texts too, into another scope, twice without repeats."""
    odd = ["\ud83d\ude00", "a\x00b\x1b[31m", "İı\u2028", ""]
    for text in odd:
        keys("remember", text)
    assert keys("export", "out.jsonl", "--json").shape["memories"] == 7
    assert json.loads((folder / "out.jsonl").read_text(encoding="utf-8").split("\n")[0]) == {"schema": "reverie/1"}
    for new, known in ((7, 0), (0, 7)):
        back = keys("import", "out.jsonl", "--user", "grace", "--json").shape
        assert (back["new"], back["known"]) == (new, known)
    # JSON on the output joins a pair of lone surrogates; the exact text stands beside it.
    assert texts(keys, "--user", "grace") == texts(keys)


def test_an_export_goes_to_the_output_where_no_file_is_named(keys: Run) -> None:
    """The count, and whose memory it is, go to the error stream."""
    done = keys("export")
    assert [json.loads(line).get("text") for line in done.out.splitlines()][1:] == texts(keys)
    assert "3 memories of scope helper/ada/home" in done.err


def test_a_file_is_not_written_over_by_accident(keys: Run, folder: Path) -> None:
    """Nor left half written when it cannot be."""
    (folder / "out.jsonl").write_text("mine", encoding="utf-8")
    assert keys("export", "out.jsonl").code == 4
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == "mine"
    assert keys("export", "out.jsonl", "--force").code == 0
    assert keys("export", "nowhere/out.jsonl").code == 10
    assert sorted(path.name for path in folder.glob("out*")) == ["out.jsonl"]


def test_a_forgotten_memory_is_exported_with_its_end_and_stays_forgotten(keys: Run) -> None:
    """An import does not make it true again."""
    memory = keys("timeline", "--json").shape["memories"][0]
    keys("forget", memory["id"])
    keys("export", "out.jsonl")
    back = keys("import", "out.jsonl", "--user", "grace", "--json").shape
    assert (back["new"], back["skipped"]) == (2, {"forgotten before the export": 1})


def test_the_kinds_on_offer_are_the_readers() -> None:
    """Spelled out in the command for speed; the same list."""
    assert (exchanging.KINDS, exchanging.ALL_KINDS) == (KINDS, ALL_KINDS)
