import json
from pathlib import Path

import pytest

from reverie.errors import InvalidInput, StoreReadOnly
from reverie.hosts import files
from reverie.hosts.files import FileChange, NoteBook
from reverie.hosts.host import HostEnvironment, HostFile, Where
from reverie.hosts.known import NAMES, host
from reverie.hosts.plan import installing, undoing

FOREIGN = '{\n    "theme": "dark",\n    "hooks": {\n        "Stop": [{"hooks": [{"command": "theirs"}]}]\n    }\n}\n'


@pytest.fixture
def book(tmp_path: Path) -> NoteBook:
    """Empty notes."""
    return NoteBook(tmp_path / "state" / "notes.json")


def claude(around: HostEnvironment) -> tuple[HostFile, ...]:
    """The files of Claude Code's user."""
    return host("claude-code").files(around, Where.USER)


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("where", list(Where))
@pytest.mark.parametrize("there", [None, "", "{}", FOREIGN, FOREIGN.replace("\n", "\r\n")])
def test_installed_and_undone_every_byte_is_as_it_was(
    around: HostEnvironment, book: NoteBook, name: str, where: Where, there: str | None
) -> None:
    """For each host and whatever stands in its files: the second run changes nothing, undo restores the bytes."""
    wanted = host(name).files(around, where)
    for file in wanted:
        if there is not None:
            text = there if file.path.suffix == ".json" else "# mine\nmodel = 'o'"
            file.path.parent.mkdir(parents=True, exist_ok=True)
            file.path.write_bytes(text.encode())
    before, folders = everything(around.home), sorted(path for path in around.home.rglob("*") if path.is_dir())
    installing(wanted, book).do()
    after = everything(around.home)
    assert after != before
    assert installing(wanted, book).is_done
    installing(wanted, book).do()
    assert everything(around.home) == after
    undoing(wanted, book).do()
    assert everything(around.home) == before
    assert sorted(path for path in around.home.rglob("*") if path.is_dir()) == folders
    assert not book.path.exists()


def test_what_was_edited_meanwhile_stays(around: HostEnvironment, book: NoteBook) -> None:
    """Undo takes out what was put in and leaves what its owner added after, in a file of ours too."""
    wanted = claude(around)
    settings, servers = (file.path for file in wanted)
    servers.write_text('{"numStartups": 1}', encoding="utf-8")
    installing(wanted, book).do()
    said = json.loads(settings.read_text(encoding="utf-8"))
    said["model"] = "best"
    said["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    settings.write_text(json.dumps(said), encoding="utf-8")
    said = json.loads(servers.read_text(encoding="utf-8")) | {"numStartups": 2}
    servers.write_text(json.dumps(said, indent=2), encoding="utf-8")
    undoing(wanted, book).do()
    left = json.loads(settings.read_text(encoding="utf-8"))
    assert left == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}, "model": "best"}
    assert json.loads(servers.read_text(encoding="utf-8")) == {"numStartups": 2}


def test_a_file_of_ours_that_holds_nothing_else_goes_also_when_rewritten(
    around: HostEnvironment, book: NoteBook
) -> None:
    """Written anew by another program with the same content, a file that was made is removed all the same."""
    wanted = claude(around)
    installing(wanted, book).do()
    for file in wanted:
        file.path.write_text(json.dumps(json.loads(file.path.read_text(encoding="utf-8"))), encoding="utf-8")
    undoing(wanted, book).do()
    assert everything(around.home) == {}


def test_an_entry_of_anothers_is_replaced_and_put_back(around: HostEnvironment, book: NoteBook) -> None:
    """A server of our name that was there before comes back, also when the file was edited meanwhile."""
    servers = claude(around)[1].path
    mine = {"mcpServers": {"reverie": {"command": "mine", "args": ["mcp", "-v"], "env": {"A": "b"}}}}
    servers.write_text(json.dumps(mine), encoding="utf-8")
    installing(claude(around), book).do()
    said = json.loads(servers.read_text(encoding="utf-8"))
    assert said["mcpServers"]["reverie"]["command"] == "/my tools/reverie"
    servers.write_text(json.dumps(said | {"more": 1}), encoding="utf-8")
    undoing(claude(around), book).do()
    assert json.loads(servers.read_text(encoding="utf-8")) == mine | {"more": 1}


def test_undone_without_notes_only_ours_goes(around: HostEnvironment, book: NoteBook) -> None:
    """Where the notes are lost, our pieces are found by what they call; another's server of our name stays."""
    settings, servers = (file.path for file in claude(around))
    installing(claude(around), book).do()
    book.path.unlink()
    mine = '{"mcpServers": {"reverie": {"command": "mine"}}}'
    servers.write_text(mine, encoding="utf-8")
    undoing(claude(around), book).do()
    assert "reverie" not in settings.read_text(encoding="utf-8")
    assert servers.read_text(encoding="utf-8") == mine


MINE = '{"mcpServers": {"reverie": {"type": "stdio", "command": "mine", "args": ["mcp"]}}}'


def test_what_was_made_anew_since_is_its_owners(around: HostEnvironment, book: NoteBook) -> None:
    """The folder went without an undo, and another stands in its place: nothing in it is taken for ours."""
    settings, servers = (file.path for file in claude(around))
    servers.write_text('{"mcpServers": {"reverie": {"command": "older", "args": []}}}', encoding="utf-8")
    installing(claude(around), book).do()
    for mine in (MINE, "{}"):
        servers.write_text(mine, encoding="utf-8")
        settings.write_text('{"hooks": {}}', encoding="utf-8")
        before = everything(around.home)
        undoing(claude(around), book).do()
        assert everything(around.home) == before
        assert not book.path.exists()
        installing(claude(around), book).do()


def test_an_entry_that_its_owner_wrote_since_stays(around: HostEnvironment, book: NoteBook) -> None:
    """The hooks go, which are ours still; the server that starts something else by now stays."""
    settings, servers = (file.path for file in claude(around))
    installing(claude(around), book).do()
    settings.write_text(settings.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    servers.write_text(MINE, encoding="utf-8")
    undoing(claude(around), book).do()
    assert not settings.exists()
    assert servers.read_text(encoding="utf-8") == MINE


def test_installed_over_what_was_made_anew_its_owners_entry_comes_back(around: HostEnvironment, book: NoteBook) -> None:
    """Not what stood there long ago: what stood there when it was installed again."""
    servers = claude(around)[1].path
    servers.write_text('{"mcpServers": {"reverie": {"command": "older", "args": []}}}', encoding="utf-8")
    installing(claude(around), book).do()
    servers.write_text(MINE, encoding="utf-8")
    installing(claude(around), book).do()
    servers.write_text(servers.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    undoing(claude(around), book).do()
    assert json.loads(servers.read_text(encoding="utf-8")) == json.loads(MINE)


def test_moved_elsewhere_it_is_renewed_and_undone(around: HostEnvironment, book: NoteBook) -> None:
    """Installed again from another place, commands are renewed; undo still leads to the very beginning."""
    settings = claude(around)[0].path
    settings.parent.mkdir(parents=True)
    settings.write_text(FOREIGN, encoding="utf-8")
    installing(claude(around), book).do()
    moved = HostEnvironment(around.environment, around.folder, around.project, ("/new/reverie",))
    installing(claude(moved), book).do()
    text = settings.read_text(encoding="utf-8")
    assert "/my tools" not in text
    assert text.count("/new/reverie hook") == 7
    undoing(claude(moved), book).do()
    assert settings.read_text(encoding="utf-8") == FOREIGN


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n  "a": 1,\n}', "line 3: a comma"),
        ('{"hooks": 1}', "line 1: hooks should be an object"),
        ('{"hooks": {\n"Stop": {}}}', "line 2: hooks.Stop should be a list"),
    ],
)
def test_a_broken_file_is_refused_and_nothing_is_changed(
    around: HostEnvironment, book: NoteBook, text: str, told: str
) -> None:
    """The message names file, line and reason; for undo as well where it has to read the file."""
    settings = claude(around)[0].path
    settings.parent.mkdir(parents=True)
    settings.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=told) as caught:
        installing(claude(around), book)
    assert str(settings) in str(caught.value)
    assert everything(around.home) == {str(settings): text.encode()}


def test_a_failure_on_the_way_leaves_every_file_as_it_was(
    around: HostEnvironment, book: NoteBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the second file cannot be written, the first is as it was before."""
    write, refused = files.write, claude(around)[1].path

    def only_the_first(change: FileChange, mode: int = 0o666) -> list[Path]:
        if change.path == refused:
            raise StoreReadOnly("no.", "")
        return write(change, mode)

    monkeypatch.setattr("reverie.hosts.files.write", only_the_first)
    with pytest.raises(StoreReadOnly):
        installing(claude(around), book).do()
    assert everything(around.home) == {}
    assert list(around.home.iterdir()) == [around.folder]


def test_a_change_is_shown_as_a_diff(around: HostEnvironment, book: NoteBook) -> None:
    """Lines added and taken away, with the file's name; none where nothing changes."""
    settings = claude(around)[0].path
    settings.parent.mkdir(parents=True)
    settings.write_text(FOREIGN, encoding="utf-8")
    plan = installing(claude(around), book)
    lines = plan.steps[0].diff()
    assert lines[:2] == [f"--- {settings}", f"+++ {settings}"]
    assert any(line.startswith("+") and "hook --host claude-code" in line for line in lines)
    assert plan.steps[1].diff()[0] == "--- none"
    plan.do()
    assert [step.diff() for step in installing(claude(around), book).steps] == [[], []]
