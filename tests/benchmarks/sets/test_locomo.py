"""LoCoMo files become haystacks, their slips mended and counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.sets.locomo import conversation, evidence, load, session_time, spoken
from benchmarks.values import Haystack, Notes
from tests.benchmarks import toy


@pytest.fixture
def notes() -> Notes:
    return Counter()


@pytest.fixture
def loaded(tmp_path: Path, notes: Notes) -> list[Haystack]:
    return list(load([toy.write_lines(tmp_path / "l.jsonl.gz", toy.locomo())], notes))


def test_turns_come_in_order_with_session_speaker_and_time(loaded: list[Haystack]) -> None:
    """Each conversation is a store of its turns; a date without a session is passed over."""
    first = loaded[0]
    assert [item.id for item in first.items] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert [item.session for item in first.items] == ["session-1", "session-1", "session-2", "session-2"]
    assert [item.speaker for item in first.items] == ["Mira", "Jonas", "Mira", "Jonas"]
    assert first.items[2].at == datetime(2023, 9, 13, 0, 9, tzinfo=UTC)


def test_what_an_image_shows_was_said_too(loaded: list[Haystack]) -> None:
    """The caption is part of the text; a turn of nothing but an image is its caption."""
    assert loaded[0].items[2].text == "Look at this. [shares image: a parrot on a bookshelf]"
    assert spoken({"text": "", "blip_caption": "a fence"}) == "[shares image: a fence]"
    assert spoken({"blip_caption": "a fence"}) == "[shares image: a fence]"
    assert spoken({"text": None}) == ""


def test_what_the_set_does_not_know_is_left_out_and_counted(notes: Notes) -> None:
    """A session in which nothing was said needs no date; a question needs one of the five categories."""
    record = {
        "conversation": {
            "session_2": [],
            "session_1": [{"dia_id": "D1:1", "speaker": "Mira", "text": "The kettle is new."}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
        },
        "qa": [
            {"question": "What is old?", "evidence": ["D1:1"], "category": 9},
            {"question": "What is new?", "evidence": ["D1:1"], "category": 4},
            {"question": "What is it?", "evidence": ["D1:1"]},
        ],
    }
    haystack = conversation(record, "talk", notes)
    assert [item.id for item in haystack.items] == ["D1:1"]
    assert [(one.id, one.category) for one in haystack.questions] == [("talk/1", "single-hop")]
    assert notes == {"questions of no known category (left out)": 2}


def test_questions_are_asked_when_the_talk_is_over(loaded: list[Haystack]) -> None:
    """A question's moment is that of the last session."""
    assert {question.asked_at for question in loaded[0].questions} == {datetime(2023, 9, 13, 0, 9, tzinfo=UTC)}


def test_categories_bear_their_names_and_adversarial_is_not_answerable(loaded: list[Haystack]) -> None:
    """The numbers become the names used in the literature."""
    names = [question.category for question in loaded[0].questions]
    assert names == ["single-hop", "multi-hop", "temporal", "open-domain", "adversarial", "single-hop"]
    assert [question.answerable for question in loaded[0].questions] == [True, True, True, True, False, True]


def test_odd_evidence_is_mended_or_dropped_and_counted(loaded: list[Haystack], notes: Notes) -> None:
    """Glued ids are split, a slipped colon and leading zeros mended, an id of no turn is dropped."""
    gold = [question.gold for question in loaded[0].questions]
    assert gold == [("D1:1",), ("D1:1", "D2:1"), ("D2:2",), (), ("D1:2",), ()]
    assert loaded[1].questions[1].gold == ("D1:1", "D1:2")
    assert notes == {
        "evidence entries that were glued or misspelt": 4,
        "evidence ids that name no turn (dropped)": 1,
    }


def test_sound_evidence_is_not_counted_as_mended(notes: Notes) -> None:
    """Only what was changed is counted."""
    assert evidence(["D8:6", "D9:17"], {"D8:6", "D9:17"}, notes) == ("D8:6", "D9:17")
    assert not notes


def test_noon_and_midnight_are_told_apart() -> None:
    """12 am is the beginning of the day, 12 pm its middle."""
    assert session_time("12:05 am on 1 June, 2023").hour == 0
    assert session_time("12:05 pm on 1 June, 2023").hour == 12
