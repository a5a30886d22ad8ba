from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.exchange.chatgpt import messages
from reverie.exchange.fields import EXPORT, MessageIds, Skipped
from reverie.types import Message, Role


def node(key: str, parent: str | None, role: str = "user", text: object = "words", **message: object) -> dict[str, Any]:
    """A node of the tree, with a message."""
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    said = {"id": f"id-{key}", "author": {"role": role}, "content": content, "create_time": 1772442000.5, **message}
    return {"id": key, "parent": parent, "children": [], "message": said}


def convert(*nodes: dict[str, Any], current: object = None, **fields: object) -> tuple[list[Message], list[Skipped]]:
    """What a conversation of these nodes gives: messages, and what was left out."""
    mapping = {n["id"]: n for n in nodes}
    for n in nodes:
        if n["parent"] in mapping:
            mapping[n["parent"]]["children"].append(n["id"])
    found: list[Skipped] = []
    record = {
        "conversation_id": "c-1",
        "title": "Boiler",
        "create_time": 1772441000,
        "mapping": mapping,
        "current_node": current or nodes[-1]["id"],
        **fields,
    }
    got = messages(record, "conversation 1", MessageIds(), found.append)
    return [one for one in got if one.speaker != EXPORT], found


def root() -> dict[str, Any]:
    """The empty node every tree begins with."""
    return {"id": "root", "parent": None, "message": None, "children": []}


def test_both_sides_arrive_from_the_root_down() -> None:
    """The order is the tree's, whatever order the mapping has; the empty root is not worth a word."""
    got, found = convert(node("b", "a", "assistant", "Yes."), node("a", "root", "user", "On?"), root(), current="b")
    assert [(m.message_id, m.speaker, m.role, m.text, m.session) for m in got] == [
        ("id-a", "user", Role.USER, "On?", "c-1"),
        ("id-b", "assistant", Role.ASSISTANT, "Yes.", "c-1"),
    ]
    assert got[0].at == datetime(2026, 3, 2, 9, 0, 0, 500000, tzinfo=UTC)
    assert found == []


def test_the_branch_that_was_left_is_counted_and_not_read() -> None:
    """A question that was edited leaves the old one behind, with its answer."""
    old = [node("q1", "root", text="old"), node("a1", "q1", "assistant", "old answer")]
    new = [node("q2", "root", text="new"), node("a2", "q2", "assistant", "new answer")]
    got, found = convert(root(), *old, *new)
    assert [m.text for m in got] == ["new", "new answer"]
    assert [(s.where, s.reason, s.broken) for s in found] == [
        (f"conversation 1, message {key}", "branch that was left for another", False) for key in ("q1", "a1")
    ]


@pytest.mark.parametrize("current", ["gone", ["no", "key"], 7])
def test_without_a_current_node_the_latest_leaf_is_the_end(current: object) -> None:
    """Older exports leave it out; the branch last written to is what the owner saw."""
    first = node("a1", "q", "assistant", "first", create_time=1772442001)
    second = node("a2", "q", "assistant", "second", create_time=1772442002)
    got, _ = convert(root(), node("q", "root"), second, first, current=current)
    assert [m.text for m in got] == ["words", "second"]


def test_what_was_not_said_is_counted_by_its_reason() -> None:
    """Hidden, system, tools both ways, reasoning, empty: six reasons, one message."""
    got, found = convert(
        root(),
        node("1", "root", "system", ""),
        node("2", "1", "user", "profile", metadata={"is_visually_hidden_from_conversation": True}),
        node("3", "2", "user", "On?"),
        node("4", "3", "assistant", {"content_type": "thoughts", "thoughts": []}),
        node("5", "4", "assistant", {"content_type": "code", "text": "search()"}, recipient="browser"),
        node("6", "5", "tool", "result"),
        node("7", "6", "assistant", ""),
    )
    assert [m.text for m in got] == ["On?"]
    assert [s.reason for s in found] == [
        "system note or tool's output",
        "hidden message",
        "reasoning, instructions or another kind that was not said",
        "traffic with a tool",
        "system note or tool's output",
        "message without words",
    ]
    assert not any(s.broken for s in found)


def test_an_image_is_counted_and_the_words_beside_it_and_in_sound_are_kept() -> None:
    """A photo has no words; a spoken message has its transcript."""
    parts = [{"content_type": "image_asset_pointer"}, "What is this?", {"content_type": "audio", "text": "spoken"}]
    got, found = convert(root(), node("1", "root", "user", {"content_type": "multimodal_text", "parts": parts}))
    assert [m.text for m in got] == ["What is this?\nspoken"]
    assert [s.reason for s in found] == ["image, sound or attached file"]


def test_a_message_without_a_time_takes_the_one_before() -> None:
    """And the first takes the conversation's, so that nothing lands in the present."""
    got, _ = convert(
        root(),
        node("1", "root", create_time=None),
        node("2", "1", "assistant", create_time=1772442000),
        node("3", "2", create_time=None),
    )
    assert [m.at.timestamp() for m in got if m.at] == [1772441000, 1772442000, 1772442000]


def test_a_broken_message_does_not_take_the_others_along() -> None:
    """Its parts are a number, its time no time: both are named, the rest is read."""
    got, found = convert(
        root(),
        node("1", "root", "user", {"content_type": "text", "parts": 7}),
        node("2", "1", create_time="?"),
        node("3", "2", text="sound"),
    )
    assert [m.text for m in got] == ["sound"]
    assert [(s.where, s.broken) for s in found] == [(f"conversation 1, message {n}", True) for n in (1, 2)]


def test_a_tree_that_bites_its_tail_ends() -> None:
    """A parent that is its own grandchild is walked once."""
    got, _ = convert(node("a", "b", text="one"), node("b", "a", text="two"), current="b")
    assert sorted(m.text for m in got) == ["one", "two"]


def test_marks_of_sources_are_taken_out_of_answers_alone() -> None:
    """What its owner wrote stays to the letter; an answer of nothing but marks has no words."""
    marked = "Yes\ue200cite\ue202turn0search1\ue201 【12†source】."
    got, found = convert(
        node("a", "root", "user", marked),
        node("b", "a", "assistant", marked),
        node("c", "b", "assistant", "\ue200cite\ue202turn0search1\ue201"),
        root(),
        current="c",
    )
    assert [m.text for m in got] == [marked, "Yes."]
    assert [s.reason for s in found] == ["message without words"]
