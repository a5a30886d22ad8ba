"""What the program answers can be recorded, and a difference is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import same, same_faces
from benchmarks.cli import main
from tests.spoken import NEITHER

pytestmark = NEITHER


def test_differences_are_named() -> None:
    """Digests by their name, words by their lines; what is the same is not told."""
    before = {"a": "1", "b": "2", "c": "one\ntwo", "gone": "3"}
    after = {"a": "1", "b": "4", "c": "one\nthree", "new": "5"}
    told = list(same.differences(before, after))
    assert [line for line in told if line.startswith(("differs", "only"))] == [
        "differs: b",
        "only before: gone",
        "only now: new",
    ]
    assert {"-two", "+three"} <= set(told)
    assert list(same.differences(before, before)) == []


def test_a_digest_is_of_the_lines_in_their_order() -> None:
    """Two lines are not one."""
    assert same.digest(["a", "b"]) == same.digest(iter(["a", "b"]))
    assert len({same.digest(["a", "b"]), same.digest(["b", "a"]), same.digest(["ab"]), same.digest(["\ud800"])}) == 4


def test_a_changed_answer_fails_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same record passes; another names what differs and ends with 1."""
    told = {"cues of a life": "x"}
    monkeypatch.setattr(same, "recorded", lambda *_: iter(told.items()))
    command = ["same", "--embedder", "none", "--out"]
    assert main([*command, str(tmp_path / "before.json")]) == 0
    assert json.loads((tmp_path / "before.json").read_text("utf-8")) == told
    against = ["--against", str(tmp_path / "before.json")]
    assert main([*command, str(tmp_path / "now.json"), *against]) == 0
    told["cues of a life"] = "y"
    assert main([*command, str(tmp_path / "now.json"), *against]) == 1
    assert "differs: cues of a life" in capsys.readouterr().out


def test_a_recipe_lives_the_same_life_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a model: the same messages, ids and clock leave the same bytes."""
    monkeypatch.setattr(same, "LIVES", 1)
    first, second = (list(same._lived("v9", None)) for _ in range(2))
    assert first == second
    assert len(set(first)) > 1


def test_what_faces_answer_is_the_same_but_for_ids_and_times() -> None:
    """An id by its place, a clock's reading by a mark, long numbers to a thousandth; all else as it is."""
    first = "01ARZ3NDEKTSV4RRFFQ69G5FAV took 3 ms at 2026-03-01T12:00:00Z, score 0.12345678"
    again = "01BX5ZZKBKACTAV9WEVGEMMVRZ took 5 ms at 2026-03-02T12:00:01Z, score 0.12345999"
    assert same_faces.plain(iter([first, first])) == same_faces.plain(iter([again, again]))
    assert same_faces.plain(iter([first, again])) != same_faces.plain(iter([first, first]))


def test_http_and_mcp_answer_one_script_twice_alike() -> None:
    """Each request and each call is told; a memory that is not there is told as that."""
    for told in (same_faces._by_http, same_faces._by_mcp):
        lines = same_faces.plain(told())
        assert lines == same_faces.plain(told())
        assert "harbour museum" in lines
        assert "nobody" in lines
