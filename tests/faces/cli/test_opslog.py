import json
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Run, log_of
from tests.trusting import trusting


@pytest.mark.req("D19")
def test_what_was_done_is_shown_from_the_end(talk: Run) -> None:
    """The last operations, or those of one name."""
    talk("recall", "Zeynep")
    lines = talk("audit", "log", "--json").shape["lines"]
    assert [line["op"] for line in lines] == ["remember"] * 5 + ["recall"]
    [last] = talk("audit", "log", "--op", "recall", "--tail", "1", "--json").shape["lines"]
    assert last["input"] == "Zeynep"
    assert talk("audit", "log", "--tail", "2").out.count("\n") == 3
    assert "nothing of that" in talk("audit", "log", "--op", "dream").out


def test_what_failed_is_found(home: Run) -> None:
    """And what the heuristic did instead of a model."""
    fields = {"ts": "2026-03-01T12:00:00Z", "input": "a", "output": "timeout", "latencyMs": 450.0, "tokensIn": 30}
    lines = [
        {**fields, "op": "merge", "success": False, "fallback": True},
        {**fields, "op": "route", "success": True, "fallback": False},
    ]
    log_of(home).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    shown = home("audit", "log", "--failed").out
    assert "failed: by the heuristic: timeout" in shown
    assert "route" not in shown


def test_the_log_goes_where_it_is_told_or_nowhere(talk: Run, folder: Path) -> None:
    """Into the file of the settings; none is no log, and that is told."""
    with (folder / "reverie.toml").open("a", encoding="utf-8") as file:
        file.write('[ops]\nlog = "logs/ops.jsonl"\n')
    trusting(folder)
    talk("recall", "Zeynep")
    assert talk("audit", "log", "--json").shape["file"] == str(folder / "logs" / "ops.jsonl")
    assert len(talk("audit", "log", "--json").shape["lines"]) == 1
    text = (folder / "reverie.toml").read_text(encoding="utf-8").replace("logs/ops.jsonl", "none")
    (folder / "reverie.toml").write_text(text, encoding="utf-8")
    trusting(folder)
    talk("recall", "Zeynep")
    assert talk("audit", "log").code == 3
    assert len((folder / "logs" / "ops.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_log_that_cannot_be_read_is_told(home: Run) -> None:
    """No traceback."""
    log_of(home).with_name("ops-log-2026-03-01.jsonl").mkdir()
    assert home("audit", "log").code == 10


def test_a_log_that_cannot_be_written_is_no_ones_loss_and_doctor_tells(talk: Run) -> None:
    """The command does its work; the fault has a name and a mend."""
    log = log_of(talk)
    log.unlink()
    log.mkdir()
    assert talk("recall", "Zeynep").code == 0
    [fault] = talk("doctor", "--json").shape["faults"]
    assert fault["name"] == "ops-log-dropped"
    assert "ops.log" in fault["mend"]


def test_what_is_erased_goes_from_the_log_too(talk: Run) -> None:
    """The log repeats heads of texts."""
    log = log_of(talk)
    assert "Arçelik" in log.read_text(encoding="utf-8")
    name = next(m["id"] for m in talk("timeline", "--json").shape["memories"] if "Arçelik" in m["text"])
    assert talk("memory", "erase", name, "--yes").code == 0
    assert "Arçelik" not in log.read_text(encoding="utf-8")


def test_texts_that_cannot_be_taken_out_of_the_log_are_told(talk: Run) -> None:
    """The memory is gone, and the user knows what is not."""
    name = talk("timeline", "--json").shape["memories"][0]["id"]
    log_of(talk).with_name("ops-log-2026-03-01.jsonl").mkdir()
    assert talk("memory", "erase", name, "--yes").code == 10


def test_a_line_is_shown_to_its_scope_alone(talk: Run) -> None:
    """Every operation within a scope names it; another scope sees none of its words, unless asked for by name."""
    name = talk("timeline", "--json").shape["memories"][0]["id"]
    talk("recall", "Zeynep")
    talk("memory", "pin", name)
    talk("dream")
    mine = talk("audit", "log", "--tail", "100", "--json").shape["lines"]
    assert {line["op"].split(":")[0] for line in mine} == {"remember", "recall", "pin", "dream"}
    assert all(line["scope"] == {"agent": "helper", "user": "ada", "project": "home"} for line in mine)
    assert talk("audit", "log", "--user", "other", "--json").shape["lines"] == []
    assert "Zeynep" not in talk("audit", "log", "--user", "other").out
    assert talk("audit", "log", "--user", "other", "--tail", "100", "--all-scopes", "--json").shape["lines"] == mine


def test_lines_of_no_scope_are_shown_without_their_texts(home: Run) -> None:
    """Those of older versions, of language models; why one failed is told, and everything where it is asked for."""
    fields = {"ts": "2026-03-01T12:00:00Z", "input": "my private oolong", "output": "oolong again", "tokensIn": 30}
    odd = [
        {},
        {"scope": "helper/ada/home"},
        {"scope": {"agent": "helper"}},
        {"scope": {"agent": 1, "user": "", "p": 2}},
    ]
    lines = [{**fields, **more, "op": "merge", "success": True, "fallback": False} for more in odd]
    lines.append({**fields, "op": "route", "success": False, "fallback": True, "output": "timeout"})
    log_of(home).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for shown in (home("audit", "log"), home("audit", "log", "--json")):
        assert "oolong" not in shown.out
        assert shown.out.count("merge") == 4
        assert "timeout" in shown.out
    assert "my private oolong" in home("audit", "log", "--all-scopes").out
    assert [line["tokensIn"] for line in home("audit", "log", "--json").shape["lines"]] == [30] * 5


@pytest.mark.req("D19", "D51")
def test_the_log_says_who_did_what_with_the_store(talk: Run, folder: Path) -> None:
    """Copies, exports, imports, repairs and erasures: by whom, how many, to which file, and no word of a memory."""
    said = len(talk("timeline", "--json").shape["memories"])
    events = talk("stats", "--json").shape["scopes"][0]["events"]
    talk("backup", "--to", "copies")
    talk("store", "backup", "copy.db")
    talk("export", "--lossless", "whole.jsonl")
    talk("export", "said.jsonl")
    (folder / "more.jsonl").write_text('{"text": "The bicycle is in the cellar."}\n', encoding="utf-8")
    talk("import", "more.jsonl")
    talk("import", "--dry-run", "more.jsonl")
    talk("audit", "seal")
    talk("store", "replay", "again.db")
    first = talk("timeline", "--json").shape["memories"][0]["id"]
    erased = talk("memory", "erase", first, "--yes", "--json").shape["memories"]
    [restored] = (folder / "copies").glob("*.db")
    assert talk("backup", "restore", str(restored)).code == 0
    lines = talk("audit", "log", "--tail", "100", "--all-scopes", "--json").shape["lines"]
    done = [line for line in lines if line["op"] not in ("remember", "recall")]
    assert [(line["op"], line["resultCount"]) for line in done] == [
        ("backup", events),
        ("backup", events),
        *(("export", events), ("export", said)),
        ("import", 1),
        ("seal", events + 1),
        ("replay", events + 1),
        ("erase", len(erased)),
        ("restore", events),
    ]
    assert {line["who"].partition(":")[0] for line in done} == {"cli"}
    assert all(line["success"] for line in done)
    assert not any("bicycle" in json.dumps(line) for line in done)
    assert talk("audit", "log", "--op", "import").out.split()[-1] == "[erased]"


def test_an_administrative_operation_that_failed_is_logged_as_failed(talk: Run, folder: Path) -> None:
    """Somebody tried, and it came to nothing."""
    (folder / "copy.db").write_bytes(b"mine")
    assert talk("store", "backup", "copy.db").code != 0
    assert talk("backup", "restore", "copy.db").code != 0
    lines = talk("audit", "log", "--failed", "--all-scopes", "--json").shape["lines"]
    assert [(line["op"], line["resultCount"], line["output"]) for line in lines] == [
        ("backup", None, "Conflict"),
        ("restore", None, "StoreCorrupt"),
    ]
