import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from reverie.faces.cli.app import COMMANDS, main
from tests.faces.cli.conftest import Run, command_paths
from tools import manual

PAGE = manual.PAGES / "cli" / "json.md"


def documented(name: str) -> Any:
    """The JSON shown under ``<!-- shape: name -->``."""
    found = re.search(rf"<!-- shape: {name} -->\n```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_manual_is_current() -> None:
    """``python -m tools.docs --write`` would change no page of the reference."""
    pages = {file: (manual.PAGES / file).read_text(encoding="utf-8") for file in manual.files()}
    assert [file for file, renew in manual.files().items() if renew(pages[file]) != pages[file]] == []


@pytest.mark.parametrize("name", command_paths())
def test_every_command_has_its_section(name: str) -> None:
    """On its own page or its group's: with what it is for and how it is called."""
    page = (manual.PAGES / manual.file_of(name)).read_text(encoding="utf-8")
    command: click.Command = main
    for word in name.split():
        assert isinstance(command, click.Group)
        command = command.commands[word]
    section = re.search(rf"^##? reverie {name}\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    assert section
    purpose = " ".join((command.help or "").split("\n\n")[0].replace("`", "").split())
    assert purpose in re.sub(r"[`\\]", "", section[1])
    assert f"```text\nreverie {name} " in section[1]


def test_the_index_lists_every_command() -> None:
    """Each in one table, by what it is for."""
    index = (manual.PAGES / "cli" / "index.md").read_text(encoding="utf-8")
    assert all(index.count(f"| [`{name}`]({name}.md) |") == 1 for name in COMMANDS)


def test_examples_are_those_that_a_test_runs() -> None:
    """Lines of the how-to guides where a guide has one, one of each subcommand first; else those of other pages."""
    lines = {one.line: one for one in manual.examples("memory")}
    assert 'reverie memory pin "$id"' in lines
    assert all(one.is_run and one.page.startswith("how-to/") for one in lines.values())
    assert len({tuple(line.split()[:3]) for line in lines}) == len(lines)
    assert [one.is_run for one in manual.examples("proxy")] == [False]


def test_the_shapes_of_recall_are_as_documented(keys: Run) -> None:
    """Field by field, in the order given."""
    answer = keys("recall", "spare key", "--json").shape
    wanted = documented("recall")
    assert list(answer) == list(wanted)
    assert list(answer["cue"]) == list(wanted["cue"])
    assert list(answer["hits"][0]) == list(wanted["hits"][0])
    assert list(answer["hits"][0]["signals"][0]) == list(wanted["hits"][0]["signals"][0])
    assert list(answer["trace"][0]) == list(wanted["trace"][0])
    assert list(answer["hits"][0]["memory"]) == list(documented("memory"))


@pytest.mark.parametrize(
    "command",
    [
        "init new",
        "config",
        "config completion zsh",
        "remember hello",
        "observe hello",
        "memory graph ID",
        "session hot",
        "session working",
        "feedback ID --used",
        "memory relate ID causes OTHER",
        "memory quarantined",
        "dream",
        "dream decay --dry-run --recipe v9",
        "dream compact",
        "undo",
        "audit log",
        "import three.jsonl",
        "export out.jsonl",
        "timeline",
        "forget ID",
        "memory erase ID --yes",
        "stats",
        "store embed",
        "store backup copy.db",
        "store verify",
        "store replay again.db",
        "doctor",
        "demo",
    ],
)
def test_the_other_shapes_are_as_documented(keys: Run, command: str) -> None:
    """The fields the table names, and no others."""
    keys("dream", "decay", "--recipe", "v9")  # something to undo
    first, other = (memory["id"] for memory in keys("timeline", "--json").shape["memories"][:2])
    words = command.split()
    shape = keys(*(word.replace("ID", first).replace("OTHER", other) for word in words), "--json").shape
    name = next(name for name in (" ".join(words[:2]), words[0]) if name in command_paths())
    found = re.search(rf"^\| `{name}` \| `{{([^}}]*)}}`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert list(shape) == re.findall(r'"(\w+)"', found[1])


def test_the_counts_of_stats_are_as_documented(keys: Run) -> None:
    """Each scope's, in the order given."""
    [counts] = keys("stats", "--json").shape["scopes"]
    found = re.search(
        r"^\| `stats` \| `{\"scopes\"}`, each `{([^}]*)}`", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found
    assert list(counts) == re.findall(r'"(\w+)"', found[1])


def test_the_shapes_of_a_dream_are_as_documented(talk: Run) -> None:
    """A step and a sample of it."""
    steps = talk("dream", "--recipe", "v9", "--json").shape["steps"]
    row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `dream` |"))
    step, sample, change = ([*re.findall(r'"(\w+)"', part)] for part in re.findall(r"`{([^}]*)}`", row)[1:])
    moved = next(one for one in steps if one["samples"])
    assert list(moved) == step
    assert list(moved["samples"][0]) == sample
    assert list(moved["samples"][0]["fields"][0]) == change


def test_the_plan_of_a_schedule_is_as_documented(keys: Run, folder: Path) -> None:
    """As it is shown before it is written."""
    done = keys("dream", "schedule", "--by", "systemd", "--json")
    assert done.code == 8
    found = re.search(r"^\| `dream schedule` \| `{([^}]*)}`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert list(done.shape) == re.findall(r'"(\w+)"', found[1])
