from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Scope
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("anthropic", "anthropic", "anthropic.lib.tools")

from anthropic.lib.tools import ToolError  # noqa: E402 - only where it is installed
from anthropic.lib.tools._beta_builtin_memory_tool import (  # noqa: E402 - only where it is installed
    BetaLocalFilesystemMemoryTool,
)

pytestmark = pytest.mark.filterwarnings(THEIRS)

NOTE = "/memories/note.txt"


@pytest.fixture
def tool(engine: Reverie, scope: Scope) -> Any:
    """A tool on each kind of engine."""
    return adapters.ReverieMemoryTool(engine, scope)


def told(tool: Any, command: str, **fields: Any) -> str:
    """What the model is told, also of a refusal."""
    try:
        return str(tool.call({"command": command, **fields}))
    except ToolError as error:
        return f"refused: {error}"


def create(path: str, text: str) -> dict[str, Any]:
    return {"command": "create", "path": path, "file_text": text}


def view(path: str, span: list[int] | None = None) -> dict[str, Any]:
    return {"command": "view", "path": path} | ({"view_range": span} if span else {})


def replace(path: str, old: str, new: str) -> dict[str, Any]:
    return {"command": "str_replace", "path": path, "old_str": old, "new_str": new}


def insert(path: str, line: int, text: str) -> dict[str, Any]:
    return {"command": "insert", "path": path, "insert_line": line, "insert_text": text}


def delete(path: str) -> dict[str, Any]:
    return {"command": "delete", "path": path}


def rename(old: str, new: str) -> dict[str, Any]:
    return {"command": "rename", "old_path": old, "new_path": new}


LIVES = {
    "a file": [
        view(NOTE),
        create(NOTE, "one\ntwo\nthree\n"),
        create(NOTE, "again"),
        view(NOTE),
        view(NOTE, [2, 3]),
        view(NOTE, [2, -1]),
        view(NOTE, [0, 1]),
        view("/memories//note.txt"),
        view("/memories/./x/../note.txt"),
        delete(NOTE),
        delete(NOTE),
        view(NOTE),
    ],
    "replacing": [
        create(NOTE, "\n".join(f"line {number}" for number in range(1, 13))),
        replace(NOTE, "line 7", "seven\nand a half"),
        replace(NOTE, "line 1", "first"),
        replace(NOTE, "absent", "x"),
        replace("/memories/absent", "a", "b"),
        replace("/memories", "a", "b"),
        replace(NOTE, "line 2\nline 3", ""),
        view(NOTE),
        create("/memories/aaa", "aaa"),
        replace("/memories/aaa", "aaa", "b"),
        create("/memories/odd", "İı \u202e😀\r\nend"),
        replace("/memories/odd", "end", "fin"),
        view("/memories/odd"),
    ],
    "inserting": [
        create(NOTE, "one\ntwo"),
        insert(NOTE, 0, "zero"),
        insert(NOTE, 3, "three\n"),
        insert(NOTE, 9, "far"),
        insert(NOTE, -1, "before"),
        insert("/memories/absent", 0, "x"),
        insert("/memories", 0, "x"),
        view(NOTE),
        create("/memories/empty", ""),
        view("/memories/empty"),
        insert("/memories/empty", 0, "x"),
        view("/memories/empty"),
    ],
    "directories": [
        view("/memories"),
        create("/memories/b.txt", "x" * 1536),
        create("/memories/a/deep/deeper/file", "x"),
        create("/memories/a/near", "xx"),
        create("/memories/.hidden", "x"),
        create("/memories/a/.git/config", "x"),
        view("/memories"),
        view("/memories/a"),
        view("/memories/a/deep"),
        view("/memories/c"),
        insert("/memories/a", 0, "x"),
        rename("/memories/a", "/memories/c"),
        view("/memories/c/near"),
        view("/memories/a"),
        rename("/memories/c", "/memories/b.txt"),
        rename("/memories/absent", "/memories/d"),
        rename("/memories/b.txt", "/memories/new/way/b.txt"),
        view("/memories"),
        delete("/memories/c"),
        view("/memories/c"),
        delete("/memories"),
        rename("/memories", "/memories/x"),
    ],
    "ways out": [
        view("/etc/passwd"),
        view("memories/x"),
        view("/memories/../secret"),
        create("/memories/../../secret", "x"),
        create("/memories/a/../../secret", "x"),
        delete("/memories/.."),
        rename("/memories/a", "/memories/../b"),
        view("/memories/%2e%2e/secret"),
        create("/memories/%2e%2e%2fsecret", "harmless"),
        view("/memories/..\\secret"),
    ],
}


@pytest.mark.parametrize("life", LIVES.values(), ids=LIVES)
def test_the_model_is_told_what_the_file_system_tool_tells(tool: Any, tmp_path: Path, life: list[Any]) -> None:
    """Word for word, command by command; only the size of a directory is the file system's own affair."""
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path / "files"))
    for command in life:
        name, fields = command["command"], {key: value for key, value in command.items() if key != "command"}
        ours, their = told(tool, name, **fields), told(theirs, name, **fields)
        assert without_sizes(ours) == without_sizes(their), command
    assert files(tool) == {
        f"/memories/{path.relative_to(tmp_path / 'files/memories').as_posix()}": path.read_bytes().decode()
        for path in (tmp_path / "files/memories").rglob("*")
        if path.is_file()
    }


def without_sizes(answer: str) -> list[str]:
    """The lines of an answer; in a listing the directory's own and those of directories without their sizes."""
    lines = answer.splitlines()
    if not answer.startswith("Here're"):
        return lines
    return [line.split("\t")[-1] if place == 1 or line.endswith("/") else line for place, line in enumerate(lines)]


def files(tool: Any) -> dict[str, str]:
    """Every file's text."""
    return {entry.key: entry.text for entry in tool.files._shelf.entries()}


def test_a_path_that_only_begins_alike_is_refused(tool: Any) -> None:
    """/memoriesx is not within /memories."""
    assert told(tool, "view", path="/memoriesx") == "refused: Path must start with /memories, got: /memoriesx"
    assert told(tool, "create", path="/memories", file_text="x").startswith("refused: ")


def test_a_file_is_no_directory(tool: Any) -> None:
    """Nothing is put beneath a file, and no directory into itself."""
    told(tool, "create", path=NOTE, file_text="x")
    told(tool, "create", path="/memories/a/b", file_text="x")
    refused = [
        told(tool, "create", path=f"{NOTE}/inner", file_text="x"),
        told(tool, "rename", old_path="/memories/a", new_path=f"{NOTE}/a"),
        told(tool, "rename", old_path="/memories/a", new_path="/memories/a/b/c"),
        told(tool, "create", path="/memories/a", file_text="x"),
    ]
    assert [answer[:9] for answer in refused] == ["refused: "] * 4
    assert set(files(tool)) == {NOTE, "/memories/a/b"}


@pytest.mark.parametrize("text", ["\x00", "\ud83d", "\ud83d\ude00", "İIıi", "a\r\nb", "x" * 70_000])
def test_odd_texts_are_kept_as_they_are(tool: Any, text: str) -> None:
    """To the character, and sized without failing."""
    told(tool, "create", path=NOTE, file_text=text)
    assert files(tool) == {NOTE: text}
    assert NOTE in told(tool, "view", path="/memories")


def test_a_secret_is_refused_with_the_reason(tool: Any) -> None:
    """The model learns that secrets are not kept; the file stays as it was."""
    told(tool, "create", path=NOTE, file_text="fine")
    answer = told(tool, "str_replace", path=NOTE, old_str="fine", new_str="my password is hunter2xyz")
    assert "secret" in answer
    assert files(tool) == {NOTE: "fine"}
    assert told(tool, "create", path="/memories/" + "x" * 2000, file_text="x").startswith("refused: ")


def test_the_files_can_be_recalled(tool: Any, engine: Reverie) -> None:
    """Beside the tool, by the program, in the scope the files lie in."""
    told(tool, "create", path="/memories/people.md", file_text="Ada's sister Zeynep lives in Izmir.")
    told(tool, "create", path="/memories/todo.md", file_text="Buy toner for the printer.")
    assert (
        engine.recall("Where does the sister live?", tool.files.scope).hits[0].memory.session == "/memories/people.md"
    )
    assert tool.clear_all_memory() == "All memory cleared"
    assert engine.recall("Where does the sister live?", tool.files.scope).hits == ()
    assert files(tool) == {}


def test_the_async_tool_does_the_same(engine: Reverie, scope: Scope) -> None:
    """Every command through a thread, on the same files."""
    tool = adapters.AsyncReverieMemoryTool(engine, scope)
    commands = [
        create(NOTE, "one\ntwo"),
        replace(NOTE, "two", "2"),
        insert(NOTE, 2, "three"),
        rename(NOTE, "/memories/moved"),
        view("/memories/moved"),
        delete("/memories/moved"),
    ]

    async def live() -> list[str]:
        answers = [str(await tool.call(command)) for command in commands]
        with pytest.raises(ToolError):
            await tool.call(view(NOTE))
        return [*answers, str(await tool.clear_all_memory())]

    answers = asyncio.run(live())
    assert answers[4].splitlines()[1:] == ["     1\tone", "     2\t2", "     3\tthree", "     4\t"]
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    assert answers[-1] == "All memory cleared"
