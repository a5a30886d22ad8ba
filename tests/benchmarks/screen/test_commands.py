"""The command prints what it measures."""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import pytest

from benchmarks.screen import commands
from benchmarks.screen.cases import turns
from benchmarks.screen.commands import is_gone
from reverie.screen.values import Masked, Screened


def test_a_secret_half_left_is_not_gone() -> None:
    """Eight of its signs in a row are too many; without a mask nothing is gone."""
    mask = (Masked("token", 0, 15),)
    assert is_gone("abcdefghijkl", Screened("[secret: token]", mask))
    assert not is_gone("abcdefghijkl", Screened("[secret: token]efghijkl", mask))
    assert not is_gone("abcdefghijkl", Screened("nothing", ()))


def test_the_command_counts_turns_it_touches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A touched turn that nobody judged counts as wrong."""
    monkeypatch.setattr(commands, "SECRETS", 60)
    monkeypatch.setattr(commands, "REPEATS", 1)
    monkeypatch.setattr(commands, "LONG", 10_000)
    record = {"key": "k", "turns": [{"content": "hello"}, {"content": "my password is Hk29dkKd8s"}]}
    with gzip.open(tmp_path / "s.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    assert [turn for turn, _ in turns(tmp_path)] == ["longmemeval/k/0", "longmemeval/k/1"]
    parser = argparse.ArgumentParser()
    commands.options(parser)
    commands.run(parser.parse_args(["--data", str(tmp_path), "--list"]), [])
    printed = capsys.readouterr().out
    assert "unjudged longmemeval/k/1 password" in printed
    assert "turns: 2; touched: 1; rightly: 0; wrongly: 1 (50.000%)" in printed
    assert "secrets masked, all: " in printed
    assert "10,000 characters of one run: " in printed
