import json
from pathlib import Path
from typing import BinaryIO

import pytest

from reverie import Reverie
from reverie.errors import StoreCorrupt
from reverie.exchange import ALL_KINDS, KINDS
from reverie.faces.cli import move
from tests.faces.cli.conftest import ORDER, Run


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


def test_a_document_that_is_no_utf8_is_named_with_what_it_was_taken_for(home: Run, folder: Path) -> None:
    """Turkish of before UTF-8 is kept and noted, with exit code 0; bytes that are lost are a fault, with 7."""
    (folder / "ev.txt").write_bytes("Ekmeği dolaba koy, ışığı kapat.".encode("windows-1254"))
    done = home("import", "ev.txt")
    assert done.code == 0
    assert "windows-1254" in done.err
    assert texts(home) == ["Ekmeği dolaba koy, ışığı kapat."]
    (noted,) = home("import", "ev.txt", "--json").shape["noted"]
    assert noted["where"] == "ev.txt"
    (folder / "torn.txt").write_bytes("Ekmeği dolaba koy, ışığı kapat.".encode() + b" \xff")
    done = home("import", "torn.txt")
    assert done.code == 7
    assert "1 places, the first in line 1" in done.err


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
    (folder / "notes.dat").write_text("Dear diary\n", encoding="utf-8")
    assert home("import", "notes.dat").code == 5
    assert home("import", "nowhere.txt").code == 3
    assert texts(home) == []


def test_with_a_bar_the_whole_is_counted_first(home: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a file that ends too early is found before anything is written."""
    (folder / "cut.json").write_text('[{"text":"one"},{"text":', encoding="utf-8")
    monkeypatch.setattr(move, "is_terminal", lambda _: True)
    assert home("import", "cut.json").code == 5
    assert texts(home) == []


def test_an_export_reads_back_as_it_was(keys: Run, folder: Path) -> None:
    """Odd texts too, into another scope, twice without repeats."""
    odd = ["\ud83d\ude00", "a\x00b\x1b[31m", "İı\u2028", "."]
    for text in odd:
        keys("remember", text)
    assert keys("export", "out.jsonl", "--json").shape["memories"] == 7
    assert json.loads((folder / "out.jsonl").read_text(encoding="utf-8").split("\n")[0]) == {"schema": "reverie/1"}
    for new, known in ((7, 0), (0, 7)):
        back = keys("import", "out.jsonl", "--user", "grace", "--json").shape
        assert (back["new"], back["known"]) == (new, known)
    # JSON on the output joins a pair of lone surrogates; the exact text stands beside it.
    assert texts(keys, "--user", "grace") == texts(keys)


def test_messages_keep_their_ids_on_the_way_through_another_scope(keys: Run, folder: Path) -> None:
    """Out, into another scope, and back: nothing is doubled, nor by the file they first came from."""
    keys("remember", "Typed by hand.")
    assert keys("export", "there.jsonl").code == 0
    there = ("--project", "garden")
    assert keys("import", "there.jsonl", "--json", *there).shape["new"] == 4
    assert keys("import", "three.jsonl", "--json", *there).shape["new"] == 0
    assert keys("export", "back.jsonl", *there).code == 0
    done = keys("import", "back.jsonl", "--json").shape
    assert (done["new"], done["known"]) == (0, 4)


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


def test_force_never_costs_the_store(keys: Run, folder: Path) -> None:
    """An export onto the store it is made from, by its name or by a link, is refused; a link to a file stays one."""
    (folder / "link").symlink_to("reverie.db")
    for name in ("reverie.db", "link"):
        assert keys("export", "--force", name).code == 4
        assert len(texts(keys)) == 3
    (folder / "latest").symlink_to("out.jsonl")
    assert keys("export", "--force", "latest").code == 0
    assert (folder / "latest").readlink() == Path("out.jsonl")
    assert (folder / "out.jsonl").stat().st_size


def test_a_forgotten_memory_is_exported_with_its_end_and_stays_forgotten(keys: Run) -> None:
    """An import does not make it true again."""
    memory = keys("timeline", "--json").shape["memories"][0]
    keys("forget", memory["id"])
    keys("export", "out.jsonl")
    back = keys("import", "out.jsonl", "--user", "grace", "--json").shape
    assert (back["new"], back["skipped"]) == (2, {"forgotten before the export": 1})


def test_a_dry_run_shows_what_would_come_and_writes_nothing(home: Run, folder: Path) -> None:
    """Counts, the first items, what would be left out and why."""
    (folder / "chat.jsonl").write_text('{"text":"one","speaker":"Ada"}\noops\n', encoding="utf-8")
    done = home("import", "chat.jsonl", "--dry-run")
    assert done.code == 7
    assert "would import 1 new messages, 0 known already" in done.out
    assert "default · Ada: one" in done.out
    assert "line 2" in done.err
    assert texts(home) == []
    shape = home("import", "chat.jsonl", "--dry-run", "--json").shape
    assert (shape["new"], shape["dry_run"], shape["held"]) == (1, True, 0)
    assert shape["first"] == [{"text": "one", "speaker": "Ada", "session": "default"}]


def test_another_memory_s_file_is_told_by_its_content(home: Run, folder: Path) -> None:
    """Links are counted; the second import brings nothing."""
    graph = {
        "entities": [{"name": name, "entityType": "person", "observations": ["here"]} for name in ("Ada", "Tom")],
        "relations": [{"from": "Ada", "to": "Tom", "relationType": "knows"}],
    }
    (folder / "graph.json").write_text(json.dumps(graph), encoding="utf-8")
    done = home("import", "graph.json")
    assert "imported 3 new messages" in done.out
    assert "1 links between them" in done.out
    assert home("import", "graph.json", "--json").shape["linked"] == 0
    assert home("import", "graph.json", "--kind", "claude-mem").code == 5


def test_a_lossless_export_comes_back_whole(talk: Run, folder: Path) -> None:
    """Into another store: the same journal, hash by hash; a second time nothing."""
    talk("forget", talk("timeline", "--json").shape["memories"][0]["id"])
    done = talk("export", "--lossless", "--all-scopes", "all.jsonl")
    assert "events of every scope to all.jsonl" in done.out
    dry = talk("import", "all.jsonl", "--dry-run", "--store", "new.db")
    assert dry.code != 0  # a store is made by init, not by an import
    Reverie.open(folder / "new.db", embedder=None).close()
    dry = talk("import", "all.jsonl", "--dry-run", "--store", "new.db")
    assert "would import" in dry.out
    assert "remember" in dry.out
    there = talk("import", "all.jsonl", "--store", "new.db")
    assert "hash by hash" in there.out
    again = talk("import", "all.jsonl", "--store", "new.db", "--json").shape
    assert (again["new"], again["identical"]) == (0, True)
    both = [talk("timeline", "--json", *where).shape["memories"] for where in ((), ("--store", "new.db"))]
    assert both[0] == both[1]
    talk("export", "--lossless", "--all-scopes", "again.jsonl", "--store", "new.db")
    assert (folder / "again.jsonl").read_bytes() == (folder / "all.jsonl").read_bytes()


def test_a_scope_can_be_taken_in_here_and_merged(talk: Run, folder: Path) -> None:
    """Under the scope in force; where both have a life of their own, only by --merge."""
    talk("export", "--lossless", "ada.jsonl")
    assert talk("import", "ada.jsonl", "--here", "--user", "grace").code == 0
    assert texts(talk, "--user", "grace") == texts(talk)
    talk("remember", "Only here.", "--user", "tom")
    refused = talk("import", "ada.jsonl", "--here", "--user", "tom")
    assert refused.code == 4
    assert "diverges" in refused.err
    assert texts(talk, "--user", "tom") == ["Only here."]
    merged = talk("import", "ada.jsonl", "--here", "--merge", "--user", "tom")
    assert "merged" in merged.out
    assert set(texts(talk, "--user", "tom")) == {*texts(talk), "Only here."}


def test_flags_of_a_lossless_import_are_for_that_alone(keys: Run) -> None:
    """A plain file has nothing to merge."""
    assert keys("import", "three.jsonl", "--merge").code == 2
    assert keys("import", "three.jsonl", "--here").code == 2
    assert keys("import", "three.jsonl", "--into-its-own-scopes").code == 2


def test_a_file_does_not_decide_where_it_goes(talk: Run, folder: Path) -> None:
    """A lossless export of other scopes is shown, and taken in by name; with no scope in force all are others."""
    talk("remember", "Only here.", "--user", "tom")
    talk("export", "--lossless", "--all-scopes", "both.jsonl")
    talk("export", "--lossless", "--user", "tom", "toms.jsonl")
    Reverie.open(folder / "new.db", embedder=None).close()
    for file, told in (("both.jsonl", "helper/tom/home (1 memories)"), ("toms.jsonl", "--here")):
        refused = talk("import", file, "--store", "new.db")
        assert refused.code == 4
        assert told in refused.err
        assert "--into-its-own-scopes" in refused.err
        assert talk("import", file, "--store", "new.db", "--dry-run").code == 0
    with Reverie.open(folder / "new.db", embedder=None) as memory:
        assert memory.admin.head() == 0
    (folder / "reverie.toml").unlink()
    assert talk("import", "both.jsonl", "--store", "new.db").code == 4
    assert talk("import", "both.jsonl", "--store", "new.db", "--into-its-own-scopes").code == 0
    with Reverie.open(folder / "new.db", embedder=None) as memory:
        assert {scope.user for scope in memory.admin.scopes()} == {"ada", "tom"}


def test_a_lossless_export_that_was_edited_brings_nothing(keys: Run, folder: Path) -> None:
    """And says so."""
    keys("export", "--lossless", "out.jsonl")
    edited = (folder / "out.jsonl").read_text(encoding="utf-8").replace("boiler", "cellar")
    (folder / "out.jsonl").write_text(edited, encoding="utf-8")
    done = keys("import", "out.jsonl", "--here", "--user", "grace")
    assert done.code == 5
    assert texts(keys, "--user", "grace") == []


def test_markdown_is_a_new_folder(talk: Run, folder: Path) -> None:
    """With sessions and formed memories; never written over."""
    shape = talk("export", "--markdown", "notes", "--json").shape
    assert shape["sessions"] == 1
    assert shape["formed"] >= 1
    assert "Zeynep moved to Izmir" in "".join(path.read_text("utf-8") for path in (folder / "notes").rglob("*.md"))
    assert talk("export", "--markdown", "notes").code == 4
    assert talk("export", "--markdown").code == 2
    assert talk("import", "notes").code == 5
    assert "formed memories to more" in talk("export", "--markdown", "more").out


def test_the_kinds_on_offer_are_the_readers() -> None:
    """Spelled out in the command for speed; the same list."""
    assert (move.KINDS, move.ALL_KINDS) == (KINDS, ALL_KINDS)


def test_openclaws_memory_is_found_by_its_name(
    home: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`import openclaw` needs no path; a kind may stand before any; two paths are one too many."""
    state = tmp_path / "state"
    (state / "workspace").mkdir(parents=True)
    (state / "workspace" / "MEMORY.md").write_text("The spare key hangs behind the boiler.\n")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    assert home("import", "openclaw", "--dry-run", "--json").shape["new"] == 1
    assert home("import", "openclaw", "--json").shape["new"] == 1
    assert home("import", "openclaw", str(state), "--json").shape["known"] == 1
    assert home("import", str(state), "--kind", "openclaw", "--json").shape["known"] == 1
    assert home("import", "mem0", str(state / "workspace" / "MEMORY.md")).code != 0
    assert home("import", "a", "b").code == 2


def whose(scope: str) -> dict[str, str]:
    """A scope as JSON shows it."""
    return dict(zip(("agent", "user", "project"), scope.split("/"), strict=True))


def openclaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: object) -> Path:
    """OpenClaw's folder with a memory in Markdown, and this entry of our plugin in its settings."""
    state = tmp_path / "state"
    (state / "workspace").mkdir(parents=True)
    (state / "workspace" / "MEMORY.md").write_text("The spare key hangs behind the boiler.\n")
    (state / "openclaw.json").write_text(json.dumps({"plugins": {"entries": {"reverie": entry}}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    return state


@pytest.mark.parametrize(
    ("entry", "store", "scope"),
    [
        ({"enabled": True}, "memory/reverie/reverie.db", "main/owner/openclaw"),
        ({"config": {"user": "ada", "project": "home"}}, "memory/reverie/reverie.db", "main/ada/home"),
        ({"config": {"store": "mine/memory.db"}}, "mine/memory.db", "main/owner/openclaw"),
    ],
)
def test_openclaws_memory_goes_to_its_plugin(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: object, store: str, scope: str
) -> None:
    """Where the plugin is set up, it finds what was brought over: in its own store, made where there is none."""
    state = openclaw(tmp_path, monkeypatch, entry)
    run("init", "--agent", "a", "--user", "b", "--project", "c")
    assert run("import", "openclaw", "--dry-run", "--json").shape["scope"] == whose(scope)
    assert not (state / store).exists()
    done = run("import", "openclaw")
    assert f"into the memory of OpenClaw's plugin: {state / store}" in done.out
    assert f"scope: {scope}" in done.out
    agent, user, project = scope.split("/")
    named = ("--store", str(state / store), "--agent", agent, "--user", user, "--project", project)
    assert "boiler" in run("timeline", *named).out
    assert "boiler" not in run("timeline").out
    assert run("import", "openclaw", "--json").shape["known"] == 1


@pytest.mark.parametrize("entry", [{"enabled": False}, None, "odd", {"config": {"store": "x"}, "enabled": False}])
def test_without_the_plugin_openclaws_memory_comes_here(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: object
) -> None:
    """Into the scope in force; and there too where a store is named."""
    openclaw(tmp_path, monkeypatch, entry)
    run("init", "--agent", "a", "--user", "b", "--project", "c")
    assert run("import", "openclaw", "--json").shape["scope"] == whose("a/b/c")
    (tmp_path / "state" / "openclaw.json").write_text("{plugins: {entries: {reverie: {enabled: true}}}}")
    assert run("import", "openclaw", "--user", "eve", "--json").shape["scope"] == whose("a/eve/c")


@pytest.mark.parametrize("config", [{"url": "http://127.0.0.1:1"}, {"store": "lance:~/.openclaw/memory/lancedb"}])
def test_a_plugin_that_keeps_its_memory_elsewhere_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: dict[str, str]
) -> None:
    """A server of its own, or the table itself: then it has to be said where the memory is to go."""
    openclaw(tmp_path, monkeypatch, {"config": config})
    run("init", "--agent", "a", "--user", "b", "--project", "c")
    done = run("import", "openclaw")
    assert done.code == 2
    assert "--store" in done.err


@pytest.mark.parametrize("made", ["file", "folder"])
def test_something_called_openclaw_is_not_taken_for_it(
    home: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: str
) -> None:
    """A name that lies here by chance: the kind wins where it stands alone or before a path; a path says so by ./ ."""
    state = openclaw(tmp_path, monkeypatch, None)
    if made == "file":
        (folder / "openclaw").write_text('{"text": "The cat sleeps."}\n')
    else:
        (folder / "openclaw").mkdir()
        (folder / "openclaw" / "one.jsonl").write_text('{"text": "The cat sleeps."}\n')
    (folder / "mem0").mkdir()
    assert "boiler" in home("import", "openclaw", "--dry-run").out
    assert "boiler" in home("import", "openclaw", str(state), "--dry-run").out
    assert "cat" in home("import", "./openclaw", "--dry-run").out


@pytest.mark.parametrize("more", ["", "not json\n"])
def test_a_message_known_with_other_words_is_a_conflict(home: Run, folder: Path, more: str) -> None:
    """The rest is kept, and the exit code says that not everything was, whatever else is broken."""
    (folder / "one.jsonl").write_text('{"id": "1", "text": "A"}\n', encoding="utf-8")
    other = '{"id": "1", "text": "B"}\n{"id": "2", "text": "C"}\n'
    (folder / "two.jsonl").write_text(other + more, encoding="utf-8")
    assert home("import", "one.jsonl").code == 0
    assert home("import", "two.jsonl", "--dry-run").code == 4
    done = home("import", "two.jsonl", "--json")
    assert (done.code, done.shape["new"], done.shape["conflicts"]) == (4, 1, ["1"])
    assert texts(home) == ["A", "C"]


@pytest.mark.parametrize("error", [StoreCorrupt("The file is damaged.", "Mend it."), OSError(5, "I/O error")])
def test_an_export_that_fails_leaves_nothing_beside(
    keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Whatever broke it; what was there before stays, and so does a file of another's whose name is much like it."""

    def fails(self: object, out: BinaryIO, *_: object) -> None:
        out.write(b"half")
        raise error

    (folder / "out.jsonl").write_text("mine", encoding="utf-8")
    (folder / "out.jsonl.part").write_text("another's", encoding="utf-8")
    before = sorted(path.name for path in folder.iterdir())
    with monkeypatch.context() as broken:
        broken.setattr("reverie.engine.transfer.Transfer.export_memories", fails)
        assert keys("export", "out.jsonl", "--force").code in (10, 16)
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == "mine"
    assert keys("export", "out.jsonl", "--force").code == 0
    assert (folder / "out.jsonl.part").read_text(encoding="utf-8") == "another's"
    assert sorted(path.name for path in folder.iterdir() if "ops-log" not in path.name) == [
        name for name in before if "ops-log" not in name
    ]


def test_a_broken_file_in_a_folder_is_named_and_the_rest_is_kept(home: Run, folder: Path) -> None:
    """A script sees it by the exit code; what was good is there, before and after it."""
    (folder / "chats").mkdir()
    for name, content in (("a", '{"text":"one"}\n'), ("c", '{"text":"three"}\n')):
        (folder / "chats" / f"{name}.jsonl").write_text(content, encoding="utf-8")
    (folder / "chats" / "conversations.json").write_text('[{"text":"two"},{"text":"cu', encoding="utf-8")
    done = home("import", "chats")
    assert done.code == 7
    assert "conversations.json: file that cannot be read to its end" in done.err
    assert set(texts(home)) == {"one", "two", "three"}


def test_a_single_file_that_breaks_off_is_named_with_what_was_kept(home: Run, folder: Path) -> None:
    """Nobody is left guessing how much of it is here."""
    (folder / "cut.json").write_text('[{"text":"one"},{"text":', encoding="utf-8")
    done = home("import", "cut.json")
    assert done.code == 5
    assert "cut.json is not whole JSON" in done.err
    assert "1 messages before that are kept" in done.err
    assert texts(home) == ["one"]


def test_the_same_words_of_another_speaker_are_kept(home: Run, folder: Path) -> None:
    """Bob agrees after Ada did, in the same session and without a time."""
    (folder / "mon.jsonl").write_text('{"text":"Tamam","speaker":"Ada","session":"plan"}\n', encoding="utf-8")
    (folder / "tue.jsonl").write_text('{"text":"Tamam","speaker":"Bob","session":"plan"}\n', encoding="utf-8")
    assert (home("import", "mon.jsonl").code, home("import", "tue.jsonl").code) == (0, 0)
    assert texts(home) == ["Tamam", "Tamam"]


@pytest.mark.parametrize("command", [("import",), ("observe", "--file")])
def test_a_conflict_is_named_with_its_line(home: Run, folder: Path, command: tuple[str, ...]) -> None:
    """The id alone is hard to find in a file, above all one that was made here."""
    (folder / "one.jsonl").write_text('{"id": "1", "text": "A"}\n', encoding="utf-8")
    (folder / "two.jsonl").write_text('{"id": "0", "text": "Z"}\n{"id": "1", "text": "B"}\n', encoding="utf-8")
    assert home("import", "one.jsonl").code == 0
    done = home(*command, "two.jsonl")
    assert done.code == 4
    assert "1 (line 2)" in done.err


def test_conflicts_without_a_place_are_named_by_their_ids(folder: Path) -> None:
    """A pipe is not read twice, a database has no lines, and a file that broke off was told of."""
    (folder / "cut.json").write_text('[{"id":"1","text":"one"},{"id', encoding="utf-8")
    (folder / "some.db").write_bytes(b"SQLite format 3\0")
    for path in ("cut.json", "some.db", "nowhere"):
        assert move.placed(folder / path, ["1"], None) == ["1"]


def test_what_the_screen_did_is_told(home: Run, folder: Path) -> None:
    """Held back and masked, in a dry run, in the import, and as JSON; not a word where there was nothing."""
    lines = [ORDER, "Wifi şifrem: Qx7mWv2Lp9z1", "The cat is called Pasha."]
    content = "".join(json.dumps({"text": text}) + "\n" for text in lines)
    (folder / "chat.jsonl").write_text(content, encoding="utf-8")
    dry = home("import", "chat.jsonl", "--dry-run").out
    assert "1 of them would be held back" in dry
    assert "in 1 of them secrets would be masked" in dry
    done = home("import", "chat.jsonl").out
    assert "1 of them are held back" in done
    assert "in 1 of them secrets were masked" in done
    again = home("import", "chat.jsonl")
    assert "held" not in again.out
    assert "masked" not in again.out
    shape = home("import", "chat.jsonl", "--json", "--user", "grace").shape
    assert (shape["held"], shape["masked"]) == (1, 1)


def test_what_is_piped_in_is_imported(home: Run, folder: Path) -> None:
    """Lines, a whole export told by its content, a kind before it; and a lossless export."""
    assert home("import", "-", input='{"text":"piped"}\n').code == 0
    assert home(
        "import",
        "jsonl",
        "-",
        input='{"text":"piped"}\n',
    ).out.startswith("imported 0 new messages, 1 known")
    assert home("import", "-", input='[{"text":"from a list"}]').code == 0
    assert texts(home) == ["piped", "from a list"]
    broken = home("import", "-", input="Dear diary\n")
    assert (broken.code, "standard input" in broken.err or "line 1" in broken.err) == (5, True)
    home("export", "--lossless", "all.jsonl")
    moved = home("import", "-", "--here", "--user", "grace", input=(folder / "all.jsonl").read_bytes())
    assert moved.code == 0
    assert texts(home, "--user", "grace") == ["piped", "from a list"]
    assert home("import", "-", "--merge", input='{"text":"piped"}\n').code == 2


def test_an_import_offers_to_form_memories_and_does_so_if_asked(home: Run, folder: Path) -> None:
    """With a count and the time it takes; then nothing is offered, and a dry run offers nothing."""
    lines = [{"text": "I moved to Izmir in May.", "id": "a"}, {"text": "I prefer green tea.", "id": "b"}]
    (folder / "chat.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "--observe" not in home("import", "chat.jsonl", "--dry-run").out
    told = home("import", "chat.jsonl").out
    assert "form memories from these 2 messages too: `reverie import --observe chat.jsonl` (about " in told
    assert "episodic" not in home("timeline").out
    asked = home("import", "--observe", "chat.jsonl").out
    assert ("0 new messages, 2 known already" in asked, "--observe" in asked) == (True, False)
    formed = [one for one in home("timeline", "--json").shape["memories"] if one["kind"] != "episode"]
    assert f"formed {len(formed)} memor" in asked
    assert "episodic" in home("timeline").out or "semantic" in home("timeline").out
