from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from reverie.ops.log import MASK_WINDOW, OpsEntry, head, line_of
from reverie.types import Scope

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.req("D19")
def test_a_line_has_the_documented_fields() -> None:
    """Document D's example, its names in its order, and the tokens behind."""
    entry = OpsEntry(
        op="consolidation",
        input="cluster of 5 memories",
        output="merged into 1 theme memory",
        model="gpt-4o-mini",
        latency_ms=450.04,
        intent="technical",
        avg_relevance=0.72,
        result_count=5,
        tokens_in=400,
        tokens_out=60,
    )
    line = line_of(entry, AT, str)
    assert line.endswith(b"}\n")
    assert list(json.loads(line).items()) == [
        ("ts", "2026-03-01T12:00:00Z"),
        ("op", "consolidation"),
        ("input", "cluster of 5 memories"),
        ("output", "merged into 1 theme memory"),
        ("model", "gpt-4o-mini"),
        ("latencyMs", 450.0),
        ("success", True),
        ("fallback", False),
        ("intent", "technical"),
        ("avgRelevance", 0.72),
        ("resultCount", 5),
        ("tokensIn", 400),
        ("tokensOut", 60),
    ]


def test_every_line_has_every_field() -> None:
    """What does not apply is null."""
    record = json.loads(line_of(OpsEntry("dream"), AT, str))
    assert len(record) == 13
    assert (record["model"], record["latencyMs"], record["tokensIn"]) == (None, None, None)


def test_times_are_utc() -> None:
    """Whatever zone the clock is in."""
    turkey = datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=3)))
    assert json.loads(line_of(OpsEntry("recall"), turkey, str))["ts"] == "2026-02-28T22:30:00Z"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_null(value: float) -> None:
    """JSON knows no NaN."""
    line = line_of(OpsEntry("recall", latency_ms=value, avg_relevance=value), AT, str)
    record = json.loads(line, parse_constant=pytest.fail)
    assert (record["latencyMs"], record["avgRelevance"]) == (None, None)


@pytest.mark.parametrize("text", ["a\nb\r\n", "\x00", "\ud83d", "ışık 👩‍🚀", '"\\'])
def test_any_text_is_one_line(text: str) -> None:
    """Line breaks are escaped, half characters replaced."""
    line = line_of(OpsEntry("recall", input=text), AT, str)
    assert line.count(b"\n") == 1
    assert json.loads(line)["input"] == text.replace("\ud83d", "?")


def test_a_head_is_short_and_says_that_it_was_cut() -> None:
    """On one line, with a sign at its end; what is short stays as it is."""
    assert head("a b\nc " * 30, 7, str) == "a b c a…"
    assert head("a\nb", 7, str) == "a\nb"
    assert head("x" * 100, 0, str) == "…"
    assert head("x" * 100, None, str) == "x" * 100


def test_a_secret_on_the_cut_is_masked_whole() -> None:
    """The mask sees beyond the cut, so that no half of a secret stays behind."""
    secret = "sk-" + "a" * 100

    def mask(text: str) -> str:
        return text.replace(secret, "[key]")

    assert head("key " + secret, 20, mask) == "key [key]…"
    assert "aaa" not in head("x" * 15 + secret, 20, mask)


def test_the_mask_does_not_read_a_megabyte() -> None:
    """Only what could reach into the head."""
    seen: list[int] = []
    head("x" * 1_000_000, 80, lambda text: str(seen.append(len(text)) or text))
    assert seen == [80 + MASK_WINDOW]


def test_a_line_names_its_scope_where_there_is_one() -> None:
    """Behind the other fields; what is no scope is left out, and the line stays."""
    record = json.loads(line_of(OpsEntry("recall", scope=Scope("helper", "ada", "home")), AT, str))
    assert list(record.items())[-1] == ("scope", {"agent": "helper", "user": "ada", "project": "home"})
    nothing: Any = "helper/ada/home"
    assert "scope" not in json.loads(line_of(OpsEntry("recall", scope=nothing), AT, str))
