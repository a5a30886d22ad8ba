"""What is trained on: lives and other sets as lessons, none too long, each with its evidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.lives import form
from benchmarks.training.cues import HAYSTACKS_MAX, LARGE, LIVES, QUESTIONS_MAX, Lesson, among_lives, large, lessons
from tests.benchmarks import toy
from tests.benchmarks.lives import small


@pytest.fixture(autouse=True)
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> form.Life:
    """The one life there is."""
    told = form.read(small.write(tmp_path / "lives" / "train"))
    monkeypatch.setattr(form, "lives", lambda part: iter([told] if part == "train" else []))
    return told


def beam(*, messages: int, questions: int) -> toy.Records:
    """A chat of so many messages, and so many questions about the first."""
    said = [
        {"id": n, "role": "user", "batch": 1, "time": "March-15-2024", "content": f"message {n}"}
        for n in range(messages)
    ]
    asked = [
        {"qid": f"q{n}", "type": "information_extraction", "question": f"asked {n}?", "src": [0]}
        for n in range(questions)
    ]
    return [{"chat": "1", "messages": said, "questions": asked}]


def others(folder: Path) -> list[Lesson]:
    """The lessons of other sets."""
    return [lesson for lesson in lessons("train", folder) if lesson.set != LIVES]


def test_a_life_is_a_lesson_of_its_hand(life: form.Life) -> None:
    """All that is needed is its evidence, whichever of several would do; a cue that nothing answers has none."""
    (lesson,) = lessons("train", None)
    assert (lesson.set, lesson.group, lesson.items) == (LIVES, "reed", life.items)
    golds = [sorted(cue.gold) for cue in lesson.cues]
    assert golds == [["m001", "m002"], ["m006"], ["m005", "m006"], ["m006"], [], []]


def test_a_cue_knows_how_much_was_said_before_it(life: form.Life) -> None:
    """So that training never hears what came later."""
    (lesson,) = lessons("train", None)
    for cue in lesson.cues:
        assert all(item.at < cue.at for item in life.items[: cue.heard])
        assert all(item.at >= cue.at for item in life.items[cue.heard :])


def test_only_the_part_that_is_asked_for_is_read() -> None:
    """What is tested on is not trained on."""
    assert list(lessons("test", None)) == []


def test_other_sets_come_along_each_by_its_name(tmp_path: Path) -> None:
    """The lives stay first; what is needed was said, and by the time of asking."""
    folder = tmp_path / "data"
    folder.mkdir()
    toy.write_all(folder)
    found = list(lessons("train", folder))
    assert found[0].set == LIVES
    assert {"locomo", "beam"} <= {lesson.set for lesson in found}
    assert any(cue.gold for lesson in others(folder) for cue in lesson.cues)
    for lesson in others(folder):
        known = {item.id for item in lesson.items}
        assert all(cue.gold <= known for cue in lesson.cues)
        assert all(0 <= cue.heard <= len(lesson.items) for cue in lesson.cues)


def test_what_cannot_be_answered_has_no_evidence(tmp_path: Path) -> None:
    """It teaches when to be silent; a question whose evidence is unknown teaches nothing and stays out."""
    folder = tmp_path / "data"
    folder.mkdir()
    (chat,) = beam(messages=4, questions=1)
    untold = {"qid": "u", "type": "abstention", "question": "unanswerable?", "src": []}
    unknown = {"qid": "v", "type": "information_extraction", "question": "unlabelled?", "src": []}
    toy.write_lines(folder / "b.jsonl", [{**chat, "questions": [*chat["questions"], untold, unknown]}])
    (lesson,) = others(folder)
    assert {cue.text: bool(cue.gold) for cue in lesson.cues} == {"asked 0?": True, "unanswerable?": False}


@pytest.mark.parametrize("questions", [QUESTIONS_MAX, QUESTIONS_MAX + 1, 4 * QUESTIONS_MAX])
def test_a_haystack_with_thousands_of_cues_does_not_decide_alone(tmp_path: Path, questions: int) -> None:
    """At most so many are taken, evenly from the first to the last."""
    folder = tmp_path / "data"
    folder.mkdir()
    toy.write_lines(folder / "b.jsonl", beam(messages=4, questions=questions))
    (lesson,) = others(folder)
    assert len(lesson.cues) <= QUESTIONS_MAX
    assert len(lesson.cues) >= QUESTIONS_MAX // 2
    assert lesson.cues[0].text == "asked 0?"


def test_of_one_set_the_first_haystacks_are_taken(tmp_path: Path) -> None:
    """More of the same would take hours."""
    folder = tmp_path / "data"
    folder.mkdir()
    chats = [{**beam(messages=2, questions=1)[0], "chat": str(n)} for n in range(HAYSTACKS_MAX + 3)]
    toy.write_lines(folder / "b.jsonl", chats)
    assert len(others(folder)) == HAYSTACKS_MAX


def test_a_digest_changes_with_what_is_said_and_asked() -> None:
    """And with nothing else: it tells what weights were learned from."""
    (lesson,) = lessons("train", None)
    first, *more = lesson.items
    reworded = replace(lesson, items=(replace(first, text="the spare key is gone"), *more))
    later = replace(lesson, items=(replace(first, at=first.at + timedelta(minutes=1)), *more))
    asked_less = replace(lesson, cues=lesson.cues[1:])
    digests = {one.digest() for one in (lesson, reworded, later, asked_less)}
    assert len(digests) == 4
    assert replace(lesson, group="another").digest() == lesson.digest()


def test_in_a_large_store_a_cue_has_heard_the_same_and_much_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own messages stay in their order before and after it; what is between them is of other sets, and no life."""
    monkeypatch.setattr("benchmarks.training.cues.LARGE_SIZES", (7,))
    folder = tmp_path / "data"
    folder.mkdir()
    toy.write_lines(folder / "b.jsonl", beam(messages=9, questions=1))
    told = list(lessons("train", folder))
    (found,) = large([told[0], told[0], *told[1:]])
    own = {item.id for item in told[0].items}
    assert (found.set, found.group) == (LARGE, told[0].group)
    assert len(found.items) == len(own) + 7
    assert [item for item in found.items if item.id in own] == list(told[0].items)
    assert len({item.id for item in found.items}) == len(found.items)
    assert {item.text for item in found.items if item.id not in own} <= {item.text for item in told[1].items}
    for cue, before in zip(found.cues, [cue for cue in told[0].cues if cue.heard], strict=True):
        assert (cue.text, cue.gold) == (before.text, before.gold)
        assert [i for i in found.items[: cue.heard] if i.id in own] == list(told[0].items[: before.heard])


def test_a_life_amid_others_is_asked_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cues of every life, each with what it needs, heard before it is asked."""
    monkeypatch.setattr("benchmarks.training.cues.AMID", 40)
    told = [one for one in lessons("train", None) if one.set == LIVES]
    amid = list(among_lives("train"))
    assert {one.set for one in amid} == {LARGE}
    for alone, large_one in zip(told, amid, strict=True):
        assert alone.group == large_one.group
        assert [(cue.text, cue.gold) for cue in alone.cues] == [(cue.text, cue.gold) for cue in large_one.cues]
        assert len(large_one.items) == len(alone.items) + 40
        for cue in large_one.cues:
            assert cue.gold <= {item.id for item in large_one.items[: cue.heard]}


def test_no_large_store_is_made_where_everything_or_nothing_is_answered(tmp_path: Path) -> None:
    """It would only teach that large stores answer, or do not."""
    folder = tmp_path / "data"
    folder.mkdir()
    toy.write_lines(folder / "b.jsonl", beam(messages=4, questions=1))
    assert list(large(others(folder))) == []
